import Comparing
import FrameBench
import TextFormat

extension RegressionProfile {
  /// The page to begin with.
  package var page: String? { folder.map { "\($0)/\(ProfileFile.summary.rawValue)" } }
  /// Red and blue; there where time was profiled.
  var flameGraph: String? {
    frame == nil ? nil : folder.map { "\($0)/\(ProfileFile.difference.rawValue)" }
  }

  /// What made this figure worse, in words; nil where that is not known.
  /// - Parameters:
  ///   - hasPlaces: Whether to say files and lines.
  ///   - name: Of a function, as the page writes it.
  func finding(
    _ row: ComparisonRow, hasPlaces: Bool = true, name: (String) -> String = { $0 }
  ) -> String? {
    let isAllocation = Self.isAllocation(row)
    let movers = isAllocation ? allocators : movers
    guard let first = movers.first else {
      return frame == nil || isAllocation ? nil : "no function grew by more than chance"
    }
    // The second is worth a word where it is not much smaller.
    let shown = movers.prefix(2).filter { $0.unit == first.unit && 3 * $0.growth >= first.growth }
    return shown.map { mover in
      let words = [
        name(mover.function), mover.caller.map { "in \(name($0))" }, mover.text,
        hasPlaces ? mover.position.map { "(\($0))" } : nil,
      ]
      return words.compactMap(\.self).joined(separator: " ")
    }.joined(separator: ", ")
  }
}

extension RegressionProfile.Mover {
  /// `+120 ns`, `0 → 9 allocations`
  var text: String {
    switch unit {
    case .nanoseconds: "+\(TimeUnit.text(growth))"
    case .count: "\(Format.count(baseline)) → \(Format.count(candidate)) allocations"
    case .bytes: "\(ByteUnit.text(baseline)) → \(ByteUnit.text(candidate)) allocated"
    }
  }
}

extension ComparisonDocument {
  /// What made the figures of a benchmark worse, in words, of each kind once.
  func findings(_ profile: RegressionProfile, name: (String) -> String = { $0 }) -> [String] {
    rows.filter { $0.id == profile.id && $0.verdict == .regressed && leads($0) }
      .compactMap { profile.finding($0, name: name) }
  }

  /// What profiles could not be made, or lack, each with all whom it concerns: sentences without a full stop.
  func profileProblems(name: (String) -> String = { $0 }, escape: (String) -> String = { $0 }) -> [String] {
    var problems: [(subject: String, problem: String, ids: [BenchmarkID])] = []
    for profile in profiles ?? [] {
      guard let problem = profile.problem else { continue }
      let subject = profile.folder == nil ? "no profile of" : "not in the profile of"
      if let index = problems.firstIndex(where: { ($0.subject, $0.problem) == (subject, problem) }) {
        problems[index].ids.append(profile.id)
      } else {
        problems.append((subject, problem, [profile.id]))
      }
    }
    return problems.map { "\($0.subject) \(Self.names($0.ids, name: name)): \(escape($0.problem))" }
  }

  /// `a, b, c and 4 more`
  private static func names(_ ids: [BenchmarkID], name: (String) -> String) -> String {
    let shown = ids.prefix(3).map { name("\($0)") }
    return ids.count > shown.count
      ? "\(shown.joined(separator: ", ")) and \(ids.count - shown.count) more" : Format.list(shown)
  }
}
