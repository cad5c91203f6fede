import FrameBench
import Measurements

/// What a run measures, and where it writes.
struct RunSettings: Sendable {
  static let defaultResults = "results"

  var selection: BenchmarkSelection
  /// Whether to leave out what the suite leaves out of a first look.
  var isQuick: Bool
  var options: RunOptions
  var layouts: RunLayouts
  var building: BuildSettings
  /// Also searched for; nil: not.
  var capacityLimit: Duration?
  var countsInstructions: Bool
  /// Folder of results.
  var results: String
  /// What the command writes beside results.
  var otherOutputs: [String] = []
  /// As the command line names it.
  var machine: String?
  /// Of a worker; nil: by the size of the benchmark.
  var workerTimeout: Duration?
  /// Of a worker under valgrind; nil: the usual.
  var instructionTimeout: Duration?

  init(
    selection: BenchmarkSelection, isQuick: Bool = false, options: RunOptions, layouts: RunLayouts = .asBuilt,
    building: BuildSettings = BuildSettings(),
    capacityLimit: Duration? = nil, countsInstructions: Bool = false, results: String = defaultResults,
    machine: String? = nil, workerTimeout: Duration? = nil, instructionTimeout: Duration? = nil
  ) {
    self.selection = selection
    self.isQuick = isQuick
    self.options = options
    self.layouts = layouts
    self.building = building
    self.capacityLimit = capacityLimit
    self.countsInstructions = countsInstructions
    self.results = results
    self.machine = machine
    self.workerTimeout = workerTimeout
    self.instructionTimeout = instructionTimeout
  }

  /// What it writes.
  var written: WrittenPaths { WrittenPaths([results] + otherOutputs) }

  func benchmarks(of catalogue: Catalogue) throws(UsageError) -> [PlannedBenchmark] {
    try selection.benchmarks(of: catalogue, isQuick: isQuick)
  }

  func leftOut(of catalogue: Catalogue) throws(UsageError) -> [PlannedBenchmark] {
    isQuick ? try selection.leftOutByQuick(of: catalogue) : []
  }
}
