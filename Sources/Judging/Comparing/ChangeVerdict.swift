/// What a comparison says about one figure. The raw values are an interface: scripts read them.
package enum ChangeVerdict: String, Encodable, Sendable, Hashable, CaseIterable {
  case improved
  case unchanged
  case regressed
  /// It is not certain whether there is a change.
  case inconclusive
  /// Both were measured, but nothing says how far such measurements differ without a change.
  case notJudged
  /// One of the builds does not have it.
  case missing
  /// The two builds show different things, so their costs cannot be compared.
  case behaviorChanged

  /// Whether a reader needs to know about it.
  package var isChange: Bool {
    switch self {
    case .improved, .regressed, .missing, .behaviorChanged: true
    case .unchanged, .inconclusive, .notJudged: false
    }
  }
}
