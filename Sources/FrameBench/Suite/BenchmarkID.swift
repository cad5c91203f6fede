/// The name of one benchmark, `scenario/strategy/size[/name=value…]`, as in `list/tiled/1000/viewport=320`.
public struct BenchmarkID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name of the scenario in its suite. It contains no slash.
  public var scenario: String
  /// One of the scenario's strategies.
  public var strategy: String
  /// The number of items.
  public var size: Int
  /// The values of the parameters, in the order of the scenario's parameters. Empty if the scenario has none.
  public var parameters: [ParameterValue]

  /// Creates an id without checking its parts. Only an id that `init(_:)` accepts can be decoded again.
  public init(scenario: String, strategy: String, size: Int, parameters: [ParameterValue] = []) {
    (self.scenario, self.strategy, self.size, self.parameters) = (scenario, strategy, size, parameters)
  }

  /// Parses an id. Nil if a part is missing, is too long or contains a control character, if the size is not a positive
  /// integer, or if a parameter is malformed or repeated.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts.allSatisfy({ Suite.isName($0) }), let size = Int(parts[2]),
      // Arithmetic on sizes uses Double, which represents all integers up to this limit exactly.
      1...1 << 53 ~= size
    else { return nil }
    let parameters = parts.dropFirst(3).compactMap { ParameterValue($0) }
    guard parameters.count == parts.count - 3, Set(parameters.map(\.name)).count == parameters.count else { return nil }
    self.init(scenario: String(parts[0]), strategy: String(parts[1]), size: size, parameters: parameters)
  }

  /// The id without strategy and size, such as `list/viewport=320`. Reports show benchmarks of one variant together.
  package var variant: String { withParameters(scenario) }

  /// The id without the size, such as `list/tiled/viewport=320`. Benchmarks of one series differ only in size.
  package var series: String { withParameters("\(scenario)/\(strategy)") }

  /// The id without the scenario, such as `tiled/100/viewport=320`.
  package var nameInScenario: String { withParameters("\(strategy)/\(size)") }

  private func withParameters(_ name: String) -> String {
    ([name] + parameters.map(\.description)).joined(separator: "/")
  }

  package func with(strategy: String? = nil, size: Int? = nil) -> BenchmarkID {
    BenchmarkID(
      scenario: scenario, strategy: strategy ?? self.strategy, size: size ?? self.size, parameters: parameters)
  }

  package func isSameSeries(as other: BenchmarkID) -> Bool { with(size: 1) == other.with(size: 1) }

  public var description: String { withParameters("\(scenario)/\(strategy)/\(size)") }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = BenchmarkID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(String(text.prefix(80)).debugDescription) is not scenario/strategy/size")
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
