/// What a comparison says of one figure. The raw values are an interface: scripts read them.
package enum ChangeVerdict: String, Encodable, Sendable, Hashable, CaseIterable {
  case improved
  case unchanged
  case regressed
  /// Neither a change nor its absence is certain.
  case inconclusive
  /// One of the builds does not have it.
  case missing
  /// The two builds do not show the same; what they cost is beside the point.
  case behaviorChanged

  /// For people; the raw value is for scripts.
  package var words: String { self == .behaviorChanged ? "behavior changed" : rawValue }

  /// Whether a reader must hear of it.
  package var isChange: Bool {
    switch self {
    case .improved, .regressed, .missing, .behaviorChanged: true
    case .unchanged, .inconclusive: false
    }
  }
}
