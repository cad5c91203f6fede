import Foundation
import FrameBench
import Judging
import Measurements

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

extension ComparisonRow {
  /// For a benchmark of two builds whose programs are the same: nothing can have become slower.
  static func identical(_ id: BenchmarkID) -> ComparisonRow {
    ComparisonRow(
      id: id, metric: .frameTime, baseline: nil, candidate: nil, change: 0, low: 0, high: 0,
      verdict: .unchanged, note: "identical program")
  }
}

extension ComparisonDocument {
  /// Of programs of which nothing had to be measured.
  ///
  /// - Parameter source: `identicalPrograms` only where they are.
  static func unmeasured(
    _ rows: [ComparisonRow], _ source: ComparisonMethod.Source, names: [BuildName],
    settings: ComparisonSettings, arguments: [String]
  ) -> ComparisonDocument {
    ComparisonDocument(
      startedAt: Timestamp(date: Date()).iso8601, durationSeconds: 0, arguments: arguments,
      baseline: names[0], candidate: names[1], options: settings.options,
      method: ComparisonMethod(
        source: source, tolerance: settings.tolerance, familyAlpha: 0, testCount: 0,
        seed: settings.seed),
      rows: rows)
  }

  /// Of several programs of the same two builds, each compared for itself.
  init(parts: [ComparisonDocument]) {
    self = parts.first { $0.method.source == .lockStep } ?? parts[0]
    guard parts.count > 1 else { return }
    let measured = parts.filter { $0.method.source == .lockStep }.map(\.method)
    durationSeconds = parts.reduce(0) { $0 + $1.durationSeconds }
    rows = parts.flatMap(\.rows)
    failures = parts.flatMap(\.failures)
    warnings = parts.flatMap(\.warnings).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    method.familyAlpha = measured.reduce(0) { $0 + $1.familyAlpha }
    method.testCount = measured.reduce(0) { $0 + $1.testCount }
    method.screeningSetCounts = Self.hull(measured.compactMap(\.screeningSetCounts))
    method.confirmingSetCounts = Self.hull(measured.compactMap(\.confirmingSetCounts))
    method.layoutCount = measured.compactMap(\.layoutCount).min()
    let profiles = parts.compactMap(\.profiles)
    self.profiles = profiles.isEmpty ? nil : profiles.flatMap(\.self)
  }

  private static func hull(_ ranges: [ClosedRange<Int>]) -> ClosedRange<Int>? {
    guard let low = ranges.map(\.lowerBound).min(), let high = ranges.map(\.upperBound).max() else {
      return nil
    }
    return low...high
  }
}
