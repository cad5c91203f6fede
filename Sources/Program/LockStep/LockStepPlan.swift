import Foundation
import FrameBench
import Measurements

/// The two builds of a comparison.
enum Build: Int, CaseIterable, Sendable {
  case baseline, candidate
}

/// How two executables take turns.
struct LockStepPlan: Sendable {
  /// As they were built, by build.
  var executables: [String]
  /// Both builds in other link orders; nil: sets run the programs as they were built.
  var orders: LinkOrderPool?
  var options: RunOptions
  /// The core that turns run on; nil lets the system choose.
  var core: Int?
  /// The cores that processes get ready on, while others take turns.
  var preparationCores: [Int]
  /// Work to plant, by build; for calibration.
  var planting: [PlantingOptions?] = [nil, nil]
  /// Whether to count instructions too.
  var countsInstructions = false
  var timeout: Duration
  var pace = Pace()
  var isCancelled: @Sendable () -> Bool = { false }

  /// How much is measured.
  struct Pace: Sendable, Equatable {
    /// One turn. Four processes have one each within a millisecond, so that a machine that slows down or
    /// speeds up meanwhile does so for all of them. Shorter turns were no quieter, longer ones were.
    var turnNanoseconds = 250_000.0
    /// Rounds of turns of a set, each for whole frames and for phases, where there is time for this many.
    /// What differs between sets is more than what rounds average out, so more sets are worth more.
    var roundCount = 16
    /// Sets of processes in which every benchmark is screened, and at most in which a suspect is confirmed.
    var screeningSetCount = 16
    var confirmingSetCount = 36
    /// How long each may take. Exact figures, and starting programs, take what is left of the whole.
    var screeningSeconds: Double
    var confirmingSeconds: Double

    /// As much as fits into this many seconds per benchmark, confirmation included.
    init(seconds: Double = 5) {
      let scale = seconds / 5
      // More sets are better than longer ones, up to a point.
      let factor = min(4, max(1, scale))
      screeningSetCount = Int((16 * factor).rounded())
      confirmingSetCount = Int((36 * factor).rounded())
      roundCount = max(Self.leastRoundCount, Int((16 * scale / factor).rounded()))
      screeningSeconds = 0.36 * seconds
      confirmingSeconds = 0.5 * seconds
    }

    /// Each set has a link order of its own up to this many; what further sets find is averaged with what the
    /// sets of the same order found. Multiples of four, so that every function begins in each quarter of a cache line
    /// as often (`CodeSlots`).
    static let screeningOrderCount = 16
    static let confirmingOrderCount = 24
    /// The median of fewer is hardly one.
    static let leastRoundCount = 8
    /// Fewer sets than this cannot tell what is likely to be chance.
    static let leastScreeningSetCount = 8

    var screening: Quota {
      Quota(
        setCount: screeningSetCount, leastSetCount: Self.leastScreeningSetCount, seconds: screeningSeconds)
    }

    /// - Parameter testCount: Times that were screened. Among hundreds, fewer sets than some cannot reach the level
    ///   that one of them must reach, even where all point in one direction; two more may point elsewhere.
    func confirming(testCount: Int, familyAlpha: Double) -> Quota {
      let least = Int(log2(Double(max(1, testCount)) / familyAlpha).rounded(.up)) + 3
      return Quota(
        setCount: max(least, confirmingSetCount), leastSetCount: least,
        seconds: confirmingSeconds)
    }
  }

  /// How much to measure of one benchmark.
  struct Quota: Sendable, Equatable {
    var setCount: Int
    /// Though the time be over.
    var leastSetCount: Int
    var seconds: Double
  }

  func executable(_ build: Build) -> String { executables[build.rawValue] }

  /// Link orders of the sets that screen a benchmark; empty without a pool.
  var screeningOrders: Range<Int> { orders == nil ? 0..<0 : 0..<Pace.screeningOrderCount }

  /// Link orders of the sets that confirm: others, so that what raised a suspicion cannot confirm it.
  func confirmingOrders(_ quota: Quota) -> Range<Int> {
    let first = screeningOrders.upperBound
    return orders == nil ? 0..<0 : first..<(first + max(Pace.confirmingOrderCount, quota.leastSetCount))
  }

  func request(_ id: BenchmarkID, _ build: Build, layoutSeed: UInt64, position: Int) -> WorkerRequest {
    let preparation = preparationCores.isEmpty ? nil : preparationCores[position % preparationCores.count]
    return WorkerRequest(
      benchmark: id,
      work: .turns(
        TurnOptions(preparationCore: preparation, layoutSeed: layoutSeed, planting: planting[build.rawValue])),
      options: options, core: core, parentProcess: getpid())
  }
}
