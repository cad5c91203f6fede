import Foundation
import FrameBench
import Testing

@testable import FrameReport

@Suite struct LookTests {
  @Test func scratch() throws {
    guard let folder = ProcessInfo.processInfo.environment["LOOK"] else { return }
    for (name, document) in [
      ("realistic", PictureFixtures.realistic), ("crowded", PictureFixtures.crowded),
      ("zeros", PictureFixtures.zeros), ("troubled", Fixtures.troubled), ("two", Fixtures.twoStrategies),
    ] {
      try HTMLReport(document).render().write(toFile: "\(folder)/\(name).html", atomically: true, encoding: .utf8)
    }
    let real = try JSONDecoder().decode(RunDocument.self, from: Data(contentsOf: URL(fileURLWithPath: "/work/main/results/amd-epyc-4c/20261121T081125Z-c43aa27/run.json")))
    try HTMLReport(real).render().write(toFile: "\(folder)/real.html", atomically: true, encoding: .utf8)
    for p in Pictures(real).all { try p.svg.write(toFile: "\(folder)/real-\(p.name)", atomically: true, encoding: .utf8) }
  }
}
