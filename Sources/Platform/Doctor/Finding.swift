/// One property of the machine that affects measurements.
package struct Finding: Encodable, Equatable, Sendable {
  package enum Severity: Comparable, Sendable, CaseIterable {
    /// Nothing is wrong.
    case good
    /// The finding is worth knowing, but figures are sound.
    case note
    /// Figures are noisier because of the finding, or some figures are missing.
    case warning
    /// Figures measured now are not worth keeping.
    case severe
  }

  /// The name of the property for scripts, such as `governor`.
  package var check: String
  package var severity: Severity
  package var what: String
  package var why: String
  /// What to do about it. Nil if there is nothing to do, as for a good finding.
  package var remedy: String?
  /// The figure behind the finding, in `unit`.
  package var value: Double?
  package var unit: String?

  package init(
    _ check: String, _ severity: Severity, _ what: String, why: String, remedy: String? = nil, value: Double? = nil,
    unit: String? = nil
  ) {
    (self.check, self.severity, self.what, self.why) = (check, severity, what, why)
    (self.remedy, self.value, self.unit) = (severity == .good ? nil : remedy, value, unit)
  }

  private enum CodingKeys: CodingKey { case check, severity, what, why, remedy, value, unit }

  /// Encodes a finding with all of its keys, because a synthesized conformance leaves out the keys of nil values.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(check, forKey: .check)
    try container.encode("\(severity)", forKey: .severity)
    try container.encode(what, forKey: .what)
    try container.encode(why, forKey: .why)
    try container.encode(remedy, forKey: .remedy)
    try container.encode(value, forKey: .value)
    try container.encode(unit, forKey: .unit)
  }
}
