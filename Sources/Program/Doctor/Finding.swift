/// One property of the machine that affects measurements.
struct Finding: Encodable, Equatable, Sendable {
  enum Severity: String, Encodable, Sendable, CaseIterable, Comparable {
    /// As it should be.
    case good
    /// Worth knowing; figures are sound.
    case note
    /// Figures are noisier for it, or some are missing.
    case warning
    /// Figures taken now are not worth keeping.
    case severe

    static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .good: 0
      case .note: 1
      case .warning: 2
      case .severe: 3
      }
    }
  }

  /// A name for scripts: `governor`.
  var check: String
  var severity: Severity
  /// What was found.
  var what: String
  /// Why it matters to somebody who measures.
  var why: String
  /// What to do about it; nil if there is nothing to do.
  var remedy: String?
  /// The figure behind it, in `unit`.
  var value: Double?
  var unit: String?

  init(
    _ check: String, _ severity: Severity, _ what: String, why: String, remedy: String? = nil,
    value: Double? = nil, unit: String? = nil
  ) {
    self.check = check
    self.severity = severity
    self.what = what
    self.why = why
    self.remedy = remedy
    self.value = value
    self.unit = unit
  }

  private enum CodingKeys: CodingKey { case check, severity, what, why, remedy, value, unit }

  /// Written by hand: a synthesized conformance leaves the keys of nil out.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(check, forKey: .check)
    try container.encode(severity, forKey: .severity)
    try container.encode(what, forKey: .what)
    try container.encode(why, forKey: .why)
    try container.encode(remedy, forKey: .remedy)
    try container.encode(value, forKey: .value)
    try container.encode(unit, forKey: .unit)
  }
}
