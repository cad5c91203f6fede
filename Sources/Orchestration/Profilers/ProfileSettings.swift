import FrameBench
import Measurements

/// What is profiled, and where it is written.
package struct ProfileSettings: Sendable {
  /// As it was given: an id of the suite, with any size.
  package var benchmark: String
  package var options: RunOptions
  package var choice: FrameChoice
  /// A revision to compare with; nil: this program alone is profiled.
  package var against: String?
  package var building: BuildSettings
  /// Samples of stacks at least.
  package var sampleTarget: Int
  package var countsInstructions: Bool
  /// Folder of results.
  package var results: String
  /// As the command line names it.
  package var machine: String?

  package init(
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
package enum FrameChoice: Equatable, Sendable {
  case all
  case range(ClosedRange<Int>)
  case worst(Int)
}
