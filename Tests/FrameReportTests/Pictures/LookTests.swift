import Foundation
import FrameBench
import Testing

@testable import FrameReport

@Suite struct LookTests {
  @Test func scratch() throws {
    guard let folder = ProcessInfo.processInfo.environment["LOOK"] else { return }
    for (name, document) in [
      ("realistic", PictureFixtures.realistic), ("crowded", PictureFixtures.crowded),
      ("zeros", PictureFixtures.zeros), ("troubled", Fixtures.troubled),
    ] {
      for (suffix, width) in [("", Pictures.standardWidth), ("-narrow", Pictures.narrowWidth)] {
        for picture in Pictures(document, width: width, suffix: suffix).all {
          try picture.svg.write(toFile: "\(folder)/\(name)-\(picture.name)", atomically: true, encoding: .utf8)
        }
      }
    }
  }
}
