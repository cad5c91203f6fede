/// The name of one benchmark: `scenario/strategy/size`, as in `springs/tiled/10000`.
public struct BenchmarkID: Hashable, Sendable {
  /// As the suite names it, without a slash.
  public var scenario: String
  /// One of the scenario's strategies.
  public var strategy: String
  /// Number of items.
  public var size: Int

  /// Takes the parts unchecked; only what `init(_:)` accepts can be decoded again.
  public init(scenario: String, strategy: String, size: Int) {
    self.scenario = scenario
    self.strategy = strategy
    self.size = size
  }

  /// Parses `scenario/strategy/size`; nil where a part is missing or the size is not a positive integer.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty, let size = Int(parts[2]),
      // What a Double holds exactly, as all arithmetic on sizes needs.
      1...1 << 53 ~= size
    else { return nil }
    self.init(scenario: String(parts[0]), strategy: String(parts[1]), size: size)
  }
}

extension BenchmarkID: CustomStringConvertible {
  public var description: String { "\(scenario)/\(strategy)/\(size)" }
}

extension BenchmarkID: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = BenchmarkID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is not scenario/strategy/size")
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
