import CodeLayout
import Comparing
import Foundation
import FrameBench

/// Programs on disk, with what they find beside themselves.
enum ProgramFiles {
  /// Whether two programs are the same to the processor (`ProgramIdentity`), and so are the libraries and the
  /// resources that lie beside them.
  static func areIdentical(_ paths: [String]) throws -> Bool {
    let files = paths.map { FileManager.default.contents(atPath: $0) ?? Data() }
    guard ProgramIdentity.areSame([UInt8](files[0]), [UInt8](files[1])) else { return false }
    return try companions(of: paths[0]) == companions(of: paths[1])
  }

  /// By path below the program's folder.
  private static func companions(of program: String) throws -> [String: Data] {
    let folder = URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent().path
    let manager = FileManager.default
    var contents: [String: Data] = [:]
    for name in try manager.contentsOfDirectory(atPath: folder) where BuildStore.isCompanion(name) {
      let below = manager.enumerator(atPath: "\(folder)/\(name)")?.compactMap { $0 as? String } ?? []
      for path in [name] + below.map({ "\(name)/\($0)" }) {
        contents[path] = manager.contents(atPath: "\(folder)/\(path)") ?? Data()
      }
    }
    return contents
  }
}

/// What is said of two builds whose programs are the same: nothing can have become slower.
enum IdenticalPrograms {
  static func document(
    benchmarks: [BenchmarkID], names: [BuildName], settings: ComparisonSettings, arguments: [String]
  ) -> ComparisonDocument {
    ComparisonDocument(
      startedAt: Timestamp(date: Date()).iso8601, durationSeconds: 0, arguments: arguments,
      baseline: names[0], candidate: names[1], options: settings.options,
      method: ComparisonMethod(
        source: .identicalPrograms, tolerance: settings.tolerance, familyAlpha: 0, testCount: 0,
        seed: settings.seed),
      rows: benchmarks.map {
        ComparisonRow(
          id: $0, metric: .frameTime, baseline: nil, candidate: nil, change: 0, low: 0, high: 0,
          verdict: .unchanged, note: "identical program")
      })
  }
}
