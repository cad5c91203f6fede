import FrameBench

/// What is measured: its name, and everything that decides how it is shown, judged and kept.
package struct Metric: Sendable, Hashable {
  /// As rows, budgets and documents name it.
  package let name: String
  package let unit: Unit
  package let direction: Counter.Direction
  package let nature: Nature
  /// For people, in the plural if it counts something; for counters of scenarios the name itself.
  package let title: String

  /// What values are counted in; the raw values stand in rows.
  package enum Unit: String, Sendable, Hashable {
    case nanoseconds = "ns"
    case bytes, count, points, items
    case hitchRatio = "ms/s"
    case itemsPerSecond = "items/s"
    case bytesPerSecond = "bytes/s"
    /// Text, which is only compared for equality.
    case hexadecimal = "hex"
  }

  /// How far two measurements of the same code agree.
  package enum Nature: Sendable, Hashable {
    /// Exactly: any change comes from the code.
    case exact
    /// Times, which differ with machine, moment and layout; a slower device multiplies them.
    case timed
    /// Granted by the system, such as memory.
    case sampled
  }

  init(
    _ name: String, _ unit: Unit, _ nature: Nature = .exact, _ direction: Counter.Direction = .lowerIsBetter,
    title: String? = nil
  ) {
    self.name = name
    self.unit = unit
    self.nature = nature
    self.direction = direction
    self.title = title ?? name
  }

  /// A scenario's own counter.
  package init(counter name: String, _ kind: CounterKind) {
    let unit: Unit =
      switch kind.unit {
      case .count: .count
      case .bytes: .bytes
      case .nanoseconds: .nanoseconds
      }
    self.init(name, unit, .exact, kind.direction, title: Self.titles[name])
  }

  package var isTimed: Bool { nature == .timed }
  /// Of threads that run beside the frame: the amount is exact if the frame waits for them, but the scheduler
  /// decides in which frame.
  package var isOfOtherThreads: Bool {
    self == .otherThreadAllocationCount || self == .otherThreadAllocatedBytes
  }
}

extension Metric {
  package static let frameTime = Metric("frameNanoseconds", .nanoseconds, .timed, title: "frame time")
  package static let rawFrameTime = Metric("pooledFrameNanoseconds", .nanoseconds, .timed)
  package static let overrun = Metric("overrunNanoseconds", .nanoseconds, .timed)
  package static let missedFrames = Metric("missedFrames", .count, .timed)
  package static let hitchTimeRatio = Metric("hitchTimeRatio", .hitchRatio, .timed)
  package static let allocationCount = Metric("allocationCount", .count, title: "allocations")
  package static let allocatedBytes = Metric("allocatedBytes", .bytes, title: "bytes allocated")
  package static let otherThreadAllocationCount = Metric(
    "otherThreadAllocationCount", .count, title: "allocations on other threads")
  package static let otherThreadAllocatedBytes = Metric(
    "otherThreadAllocatedBytes", .bytes, title: "bytes allocated on other threads")
  package static let instructionCount = Metric("instructionCount", .count, title: "instructions")
  package static let hardwareInstructionCount = Metric(
    "hardwareInstructionCount", .count, .sampled, title: "hardware instructions")
  package static let peakResidentBytes = Metric("peakResidentBytes", .bytes, .sampled, title: "peak memory")
  package static let liveHeapBytes = Metric("liveHeapBytes", .bytes, .sampled, title: "live heap")
  package static let deviationPoints = Metric("deviationPoints", .points, title: "deviation")
  package static let deviationItems = Metric("deviationItems", .count)
  package static let capacityItems = Metric("capacityItems", .items, .timed, .higherIsBetter)
  package static let itemsPerSecond = Metric(
    "itemsPerSecond", .itemsPerSecond, .timed, .higherIsBetter, title: "items a second")
  package static let bytesPerSecond = Metric(
    "bytesPerSecond", .bytesPerSecond, .timed, .higherIsBetter, title: "bytes a second")
  package static let checksum = Metric("checksum", .hexadecimal, .exact, .neither)

  /// The metrics that the harness itself measures; counters of scenarios come in addition.
  package static let all = [
    frameTime, rawFrameTime, overrun, missedFrames, hitchTimeRatio, allocationCount, allocatedBytes,
    otherThreadAllocationCount, otherThreadAllocatedBytes, instructionCount, hardwareInstructionCount,
    peakResidentBytes, liveHeapBytes,
    deviationPoints, deviationItems, capacityItems, itemsPerSecond, bytesPerSecond, checksum,
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  private static let titles = ["activeItems": "active items", "springEvaluations": "springs evaluated"]
  /// For documents from before counters declared anything.
  private static let undeclared = ["visibleItems": CounterKind(direction: .neither)]

  /// One of the harness; nil for a counter.
  package static func named(_ name: String) -> Metric? { byName[name] }

  /// - Parameter declared: What a document says about its counters.
  package static func named(_ name: String, declared: [String: CounterKind]?) -> Metric {
    byName[name]
      ?? Metric(counter: name, declared?[name] ?? undeclared[name] ?? CounterKind())
  }

  /// What a change of it is.
  package func isWorse(_ value: Double, than before: Double) -> Bool {
    switch direction {
    case .lowerIsBetter: value > before
    case .higherIsBetter: value < before
    case .neither: false
    }
  }

  package func isBetter(_ value: Double, than before: Double) -> Bool { isWorse(before, than: value) }
}
