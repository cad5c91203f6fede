import FrameBench
import Measurements

/// What a run measures, and where it writes.
package struct RunSettings: Sendable {
  package static let defaultResults = "results"

  package var selection: BenchmarkSelection
  /// Whether to leave out what the suite leaves out of a first look.
  package var isQuick: Bool
  package var options: RunOptions
  package var layouts: RunLayouts
  package var building: BuildSettings
  /// Also searched for; nil: not.
  package var capacityLimit: Duration?
  package var countsInstructions: Bool
  /// Folder of results.
  package var results: String
  /// What the command writes beside results.
  package var otherOutputs: [String] = []
  /// As the command line names it.
  package var machine: String?
  /// Of a worker; nil: by the size of the benchmark.
  package var workerTimeout: Duration?
  /// Of a worker under valgrind; nil: the usual.
  package var instructionTimeout: Duration?

  package init(
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
  package var written: WrittenPaths { WrittenPaths([results] + otherOutputs) }

  package func benchmarks(of catalogue: Catalogue) throws(UsageError) -> [PlannedBenchmark] {
    try selection.benchmarks(of: catalogue, isQuick: isQuick)
  }

  package func leftOut(of catalogue: Catalogue) throws(UsageError) -> [PlannedBenchmark] {
    isQuick ? try selection.leftOutByQuick(of: catalogue) : []
  }
}
