@testable import FrameBench
@testable import Measurements

extension RunMeasurement {
  /// Returns the measurement of a run. Values that a test does not specify are absent, empty or zero.
  static func sample(
    frames: [Double]? = nil, phases: [PhaseMeasurement] = [], allocations: AllocationRecord? = nil,
    pairCost: Double = 0, checksum: String = "00000000000000aa", counters: [String: CountSeries] = [:],
    memory: MemoryRecord = MemoryRecord()
  ) -> RunMeasurement {
    RunMeasurement(
      clock: ClockRecord(source: "tsc", pairCostNanoseconds: pairCost, resolutionNanoseconds: 10),
      frameNanoseconds: frames, phases: phases, allocations: allocations, counters: counters, memory: memory,
      checksum: checksum)
  }
}
