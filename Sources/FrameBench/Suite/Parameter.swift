/// A dimension that a scenario varies in addition to strategy and size, such as `Parameter("viewport", [320, 1_024])`.
/// Each value makes a separate benchmark, whose id ends with `/viewport=320`. Set-up reads the value as
/// `context[viewport]`.
public struct Parameter<Value: Sendable>: ScenarioParameter {
  /// The name, unique in the scenario. It must not contain slashes, equals signs or control characters.
  public let name: String
  /// The values in the order in which reports show them.
  public let values: [Value]
  public let labels: [String]

  /// - Parameter values: At least one value. Ids contain the values as text, so the texts must be unique.
  public init(_ name: String, _ values: [Value]) {
    (self.name, self.values) = (name, values)
    labels = values.map { "\($0)" }
  }
}

/// A parameter whose values have any type. `Parameter` is the only public type that conforms.
public protocol ScenarioParameter: Sendable {
  /// The name of the parameter, as it appears in ids.
  var name: String { get }
  /// The texts of the values, as they appear in ids.
  var labels: [String] { get }
}

/// The name of a parameter and its value in one benchmark.
public struct ParameterValue: Hashable, Sendable, CustomStringConvertible {
  public let name: String
  public let value: String

  /// Creates a value without checking name and value. Only values that `BenchmarkID(_:)` accepts can be decoded again.
  public init(name: String, value: String) { (self.name, self.value) = (name, value) }

  /// Parses `name=value`. Nil if a part is missing or there is a second equals sign.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    self.init(name: String(parts[0]), value: String(parts[1]))
  }

  public var description: String { "\(name)=\(value)" }

  /// Returns every combination of the parameters' values. Without parameters, returns one empty combination.
  static func combinations(_ parameters: [any ScenarioParameter]) -> [[ParameterValue]] {
    parameters.reduce([[]]) { combinations, parameter in
      combinations.flatMap { combination in
        parameter.labels.map { combination + [ParameterValue(name: parameter.name, value: $0)] }
      }
    }
  }
}

extension Scenario { var parameterValues: [[ParameterValue]] { ParameterValue.combinations(parameters) } }
