/// A dimension that a scenario varies besides strategy and size: `Parameter("viewport", [320, 1_024])`. Each of its
/// values is a benchmark of its own, with `/viewport=320` at the end of its id; set-up asks `context[viewport]`.
public struct Parameter<Value: Sendable>: ScenarioParameter {
  /// Unique in the scenario; without slash, equals sign and control characters.
  public let name: String
  /// The values in the order of reports.
  public let values: [Value]
  public let labels: [String]

  /// - Parameter values: At least one. Ids contain them as they print, so each has to print differently.
  public init(_ name: String, _ values: [Value]) {
    self.name = name
    self.values = values
    labels = values.map { "\($0)" }
  }
}

/// A parameter of any type; `Parameter` is the only one.
public protocol ScenarioParameter: Sendable {
  /// The name in ids.
  var name: String { get }
  /// The values in ids.
  var labels: [String] { get }
}

/// A parameter of a benchmark, and the value that it has there.
public struct ParameterValue: Hashable, Sendable, CustomStringConvertible {
  public let name: String
  public let value: String

  /// Takes both unchecked; only what `BenchmarkID(_:)` accepts can be decoded again.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// Parses `name=value`; nil if a part is missing or there is a second equals sign.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    self.init(name: String(parts[0]), value: String(parts[1]))
  }

  public var description: String { "\(name)=\(value)" }

  /// Every combination of the values of some parameters; one empty combination without parameters.
  static func combinations(_ parameters: [any ScenarioParameter]) -> [[ParameterValue]] {
    parameters.reduce([[]]) { combinations, parameter in
      combinations.flatMap { combination in
        parameter.labels.map { combination + [ParameterValue(name: parameter.name, value: $0)] }
      }
    }
  }
}

extension Scenario { var parameterValues: [[ParameterValue]] { ParameterValue.combinations(parameters) } }
