import FrameBench
import Measurements

/// What is profiled, and where it is written.
struct ProfileSettings: Sendable {
  /// As it was given: an id of the suite, with any size.
  var benchmark: String
  var options: RunOptions
  var choice: FrameChoice
  /// A revision to compare with; nil: this program alone is profiled.
  var against: String?
  var building: BuildSettings
  /// Samples of stacks at least.
  var sampleTarget: Int
  var countsInstructions: Bool
  /// Folder of results.
  var results: String
  /// As the command line names it.
  var machine: String?

  init(
    benchmark: String, options: RunOptions, choice: FrameChoice, against: String?, building: BuildSettings,
    sampleTarget: Int, countsInstructions: Bool, results: String, machine: String?
  ) {
    self.benchmark = benchmark
    self.options = options
    self.choice = choice
    self.against = against
    self.building = building
    self.sampleTarget = sampleTarget
    self.countsInstructions = countsInstructions
    self.results = results
    self.machine = machine
  }
}

/// Which recorded frames are looked at.
enum FrameChoice: Equatable, Sendable {
  case all
  case range(ClosedRange<Int>)
  case worst(Int)
}
