import FrameBench
import Measurements
import TextFormat

/// The benchmarks of one scenario with the same parameters, to be set side by side.
struct ScenarioGroup {
  /// The scenario with its parameters, `list/viewport=320`.
  let name: String
  /// As the suite names it.
  let scenario: String
  /// In order of first appearance; the first is the reference.
  let strategies: [String]
  /// Ascending.
  let sizes: [Int]
  private let parameters: [ParameterValue]
  private let records: [BenchmarkID: BenchmarkRecord]
  private let failures: [BenchmarkID: String]
  private let stretches: [StretchRecord]

  /// The scenarios of a document that measured anything, in order of first appearance.
  static func all(in document: RunDocument) -> [ScenarioGroup] {
    var names: [String] = []
    for record in document.benchmarks where !names.contains(record.id.variant) {
      names.append(record.id.variant)
    }
    return names.map { ScenarioGroup(name: $0, document: document) }
  }

  private init(name: String, document: RunDocument) {
    let own = document.benchmarks.filter { $0.id.variant == name }
    var strategies: [String] = []
    for record in own where !strategies.contains(record.id.strategy) {
      strategies.append(record.id.strategy)
    }
    self.name = name
    scenario = own[0].id.scenario
    parameters = own[0].id.parameters
    self.strategies = strategies
    sizes = Set(own.map(\.id.size)).sorted()
    records = Dictionary(own.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    stretches = (document.stretches ?? []).filter { $0.scenario == name }
    failures = Dictionary(
      document.failures.map { ($0.id, $0.reason) }, uniquingKeysWith: { first, _ in first })
  }

  var unit: WorkUnit { WorkUnit(Array(records.values)) }
  var reference: String? { strategies.first }
  var challengers: ArraySlice<String> { strategies.dropFirst() }

  func record(_ strategy: String, _ size: Int) -> BenchmarkRecord? {
    records[id(strategy, size)]
  }

  private func id(_ strategy: String, _ size: Int) -> BenchmarkID {
    BenchmarkID(scenario: scenario, strategy: strategy, size: size, parameters: parameters)
  }

  /// Which stretch of the run a frame belongs to; nil where the scenario does not say.
  func stretches(at size: Int) -> StretchRecord? { stretches.first { $0.size == size } }

  /// `frame 728`, `frame 728 (rest)`, `sample 12`
  func frameText(_ frame: Int, size: Int) -> String {
    let stretch = stretches(at: size)?.name(ofFrame: frame).map { " (\($0))" }
    return "\(unit.sample) \(Format.integer(frame))\(stretch ?? "")"
  }

  /// What was measured at a size, in the order of the strategies.
  func records(at size: Int) -> [BenchmarkRecord] { strategies.compactMap { record($0, size) } }

  /// What was measured of a strategy, smallest size first.
  func records(of strategy: String) -> [BenchmarkRecord] { sizes.compactMap { record(strategy, $0) } }

  /// Every record, by size, then strategy.
  var allRecords: [BenchmarkRecord] { sizes.flatMap(records(at:)) }

  /// Why there is no record, in plain text.
  func reasonForAbsence(_ strategy: String, _ size: Int) -> String {
    let id = id(strategy, size)
    if let reason = failures[id] { return "\(id) could not be measured: \(reason)." }
    return "\(id) was not part of this run."
  }
}
