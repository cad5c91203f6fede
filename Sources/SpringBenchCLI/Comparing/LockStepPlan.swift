import Foundation
import FrameBench

/// The two builds of a comparison.
enum Build: Int, CaseIterable, Sendable {
  case baseline, candidate
}

/// How two executables take turns.
struct LockStepPlan: Sendable {
  /// By build.
  var executables: [String]
  var options: RunOptions
  /// The core that turns run on; nil: wherever the system likes.
  var core: Int?
  /// The cores that processes get ready on, while others take turns.
  var preparationCores: [Int]
  /// Work to plant, by build; for calibration.
  var planting: [PlantingOptions?] = [nil, nil]
  var timeout: Duration
  var pace = Pace()
  var isCancelled: @Sendable () -> Bool = { false }

  /// How much is measured.
  struct Pace: Sendable, Equatable {
    /// One turn. Four processes have one each within a millisecond, so that a machine that slows down or
    /// speeds up meanwhile does so for all of them. Shorter turns were no quieter, longer ones were.
    var turnNanoseconds = 250_000.0
    /// Rounds of turns of a set, each for whole frames and for phases.
    var roundCount = 40
    /// Sets of processes in which every benchmark is screened, and in which a suspect is confirmed.
    var screeningSetCount = 16
    var confirmingSetCount = 28

    /// As much as fits into so many seconds a benchmark, confirmation included.
    init(seconds: Double = 5) {
      let scale = max(0.2, seconds / 5)
      // Fewer sets than this could not reach the level of a test among hundreds; more of them are better
      // than longer ones, up to a point.
      let factor = min(4, scale)
      screeningSetCount = max(14, Int((16 * factor).rounded()))
      confirmingSetCount = max(20, Int((28 * factor).rounded()))
      roundCount = max(8, Int((40 * scale / factor).rounded()))
      if scale < 1 { roundCount = max(8, Int((40 * scale).rounded())) }
    }
  }

  func executable(_ build: Build) -> String { executables[build.rawValue] }

  func request(_ id: BenchmarkID, _ build: Build, layoutSeed: UInt64, position: Int) -> WorkerRequest {
    let preparation = preparationCores.isEmpty ? nil : preparationCores[position % preparationCores.count]
    return WorkerRequest(
      benchmark: id, pass: .frames, options: options, core: core, parentProcess: getpid(),
      turns: TurnOptions(
        preparationCore: preparation, layoutSeed: layoutSeed, planting: planting[build.rawValue]))
  }
}
