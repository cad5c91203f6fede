import Judging
import TextFormat

extension ComparisonDocument {
  /// One JSON array, one row per line; every row has all eleven keys. Regressed rows have four more if
  /// profiles were requested.
  package func flatRowsJSON() -> String { JSONText.rows(rows.map { $0.json(profile: profile(of: $0)) }) }
}

extension ComparisonRow {
  /// As one line of JSON: eleven keys in the order in which they are documented, all of them always there.
  /// - Parameter profile: Adds the page, what moved most, and why there is no page.
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
