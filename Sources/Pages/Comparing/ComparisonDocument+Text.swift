import FrameBench
import Judging
import TextFormat

extension RegressionProfile {
  /// The entry page.
  package var page: String? { folder.map { "\($0)/\(ProfileFile.summary.rawValue)" } }
  /// Red and blue; exists if time was profiled.
  var flameGraph: String? {
    frame == nil ? nil : folder.map { "\($0)/\(ProfileFile.difference.rawValue)" }
  }

  /// The functions that made this figure worse, in words; nil if they are unknown.
  /// - Parameters:
  ///   - hasPlaces: Whether to name files and lines.
  ///   - longest: Characters of a function's name; a longer one is cut.
  func finding(_ row: ComparisonRow, hasPlaces: Bool = true, longest: Int = .max) -> RichText? {
    let isAllocation = Self.isAllocation(row)
    let movers = isAllocation ? allocators : movers
    guard let first = movers.first else {
      return frame == nil || isAllocation ? nil : "no function grew by more than chance explains"
    }
    // The second is mentioned if it is not much smaller.
    let shown = movers.prefix(2).filter { $0.unit == first.unit && 3 * $0.growth >= first.growth }
    func code(_ name: String) -> RichText {
      .code(name.count <= longest ? name : name.prefix(longest - 1) + "…")
    }
    return shown.map { mover -> RichText in
      let caller = mover.caller.map { "in \(code($0)) " as RichText } ?? ""
      let place = hasPlaces ? mover.position.map { " (\($0))" } : nil
      return "\(code(mover.function)) \(caller)\(mover.text)\(place ?? "")"
    }.joined(separator: ", ")
  }
}

extension RegressionProfile.Mover {
  /// `+120 ns`, `0 → 9 allocations`
  var text: String {
    switch unit {
    case .nanoseconds: "+\(TimeUnit.text(growth))"
    case .bytes: "\(ByteUnit.text(baseline)) → \(ByteUnit.text(candidate)) allocated"
    default: "\(Format.count(baseline)) → \(Format.count(candidate)) allocations"
    }
  }
}

extension ComparisonDocument {
  /// The functions that made the figures of a benchmark worse, in words, each kind once.
  func findings(_ profile: RegressionProfile, longest: Int = .max) -> [RichText] {
    rows.filter { $0.id == profile.id && $0.verdict == .regressed && leads($0) }
      .compactMap { profile.finding($0, longest: longest) }
  }

  /// Problems of profiles, each with the benchmarks that it concerns: sentences without a full stop.
  var profileProblems: [(subject: String, rest: RichText)] {
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
    return problems.map { ($0.subject, "\(Self.names($0.ids)): \($0.problem)") }
  }

  /// `a, b, c and 4 more`
  private static func names(_ ids: [BenchmarkID]) -> RichText {
    let shown = ids.prefix(3).map { RichText.code($0.description) }
    let more = ids.count - shown.count
    return (more > 0 ? shown + ["\(more) more"] : shown).list()
  }
}

// MARK: - Rows for scripts

extension ComparisonDocument {
  /// One JSON array, one row per line; every row has all eleven keys. Regressed rows have four more if
  /// profiles were requested.
  package func flatRowsJSON() -> String { JSONText.rows(rows.map { $0.json(profile: profile(of: $0)) }) }
}

extension ComparisonRow {
  /// One line of JSON: always all eleven keys, in the documented order.
  /// - Parameter profile: Adds the page, the function that moved most, and why there is no page.
  func json(profile: RegressionProfile? = nil) -> String {
    func number(_ value: Double?) -> String { value.map(JSONText.number) ?? "null" }
    func text(_ value: String?) -> String { value.map(JSONText.string) ?? "null" }
    var fields = [
      ("id", JSONText.string(id.description)), ("metric", JSONText.string(metric.name)),
      ("phase", text(phase)), ("baseline", baseline?.json ?? "null"),
      ("candidate", candidate?.json ?? "null"), ("change", number(change)), ("low", number(low)),
      ("high", number(high)), ("pValue", number(pValue)), ("verdict", JSONText.string(verdict.rawValue)),
      ("layout", number(layout)),
    ]
    if let profile {
      fields += [
        ("profile", text(profile.page)), ("largestMover", text(profile.largest(self)?.function)),
        ("largestMoverCaller", text(profile.largest(self)?.caller)),
        ("profileProblem", text(profile.problem)),
      ]
    }
    return JSONText.object(fields)
  }
}
