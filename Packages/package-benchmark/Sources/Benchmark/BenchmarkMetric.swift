import FrameBench

/// A metric that a suite can ask for. Custom metrics with the same name are the same metric.
public enum BenchmarkMetric: Codable, Sendable {
  case cpuUser, cpuSystem, cpuTotal, wallClock, throughput
  case peakMemoryResident, peakMemoryResidentDelta, peakMemoryVirtual
  case mallocCountSmall, mallocCountLarge, mallocCountTotal, freeCountTotal, mallocBytesCount, mallocFreeDelta
  case allocatedResidentMemory, memoryLeaked, memoryLeakedBytes
  case syscalls, contextSwitches, threads, threadsRunning
  case readSyscalls, writeSyscalls, readBytesLogical, writeBytesLogical, readBytesPhysical, writeBytesPhysical
  case instructions
  case objectAllocCount, retainCount, releaseCount, retainReleaseDelta
  case custom(_ name: String, polarity: Polarity = .prefersSmaller, useScalingFactor: Bool = true)

  /// Which of two values of a custom metric is better.
  public enum Polarity: Codable, Sendable {
    case prefersLarger
    case prefersSmaller
  }
}

extension BenchmarkMetric: Hashable {
  public static func == (left: BenchmarkMetric, right: BenchmarkMetric) -> Bool { left.name == right.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension BenchmarkMetric {
  /// The name of the metric in suites and in threshold files.
  var name: String {
    if case .custom(let name, _, _) = self { return name }
    return "\(self)"
  }

  /// Whether springbench measures the metric. Instructions are counted only on request. Custom metrics become counters.
  var isMeasured: Bool {
    switch self {
    case .wallClock, .throughput, .mallocCountTotal, .mallocBytesCount, .peakMemoryResident, .contextSwitches, .cpuUser,
      .cpuSystem, .cpuTotal, .readSyscalls, .writeSyscalls, .instructions, .custom:
      true
    case .peakMemoryResidentDelta, .peakMemoryVirtual, .mallocCountSmall, .mallocCountLarge, .freeCountTotal,
      .mallocFreeDelta, .allocatedResidentMemory, .memoryLeaked, .memoryLeakedBytes, .syscalls, .threads,
      .threadsRunning, .readBytesLogical, .writeBytesLogical, .readBytesPhysical, .writeBytesPhysical,
      .objectAllocCount, .retainCount, .releaseCount, .retainReleaseDelta:
      false
    }
  }

  /// Makes the counter of a custom metric. Returns nil for other metrics.
  func makeCounter() -> (name: String, counter: Counter)? {
    guard case .custom(let name, let polarity, _) = self else { return nil }
    let direction = polarity == .prefersLarger ? Counter.Direction.higherIsBetter : .lowerIsBetter
    return (name, Counter(StaticString(lasting: name), direction: direction))
  }
}

/// Named sets of metrics, as in package-benchmark.
extension BenchmarkMetric {
  public static var microbenchmark: [BenchmarkMetric] { [.wallClock, .throughput] }
  public static var `default`: [BenchmarkMetric] {
    [
      .wallClock, .cpuTotal, .mallocCountTotal, .freeCountTotal, .mallocBytesCount, .mallocFreeDelta,
      .memoryLeakedBytes, .throughput, .instructions, .peakMemoryResident,
    ]
  }
  public static var extended: [BenchmarkMetric] { `default` + [.cpuUser, .syscalls] }
  public static var memory: [BenchmarkMetric] {
    [
      .peakMemoryResident, .peakMemoryResidentDelta, .peakMemoryVirtual, .mallocCountSmall, .mallocCountLarge,
      .mallocCountTotal, .mallocBytesCount, .freeCountTotal, .mallocFreeDelta, .memoryLeakedBytes,
    ]
  }
  public static var arc: [BenchmarkMetric] { [.objectAllocCount, .retainCount, .releaseCount, .retainReleaseDelta] }
  public static var system: [BenchmarkMetric] {
    [.wallClock, .syscalls, .contextSwitches, .threads, .threadsRunning, .cpuSystem]
  }
  public static var disk: [BenchmarkMetric] {
    [.readSyscalls, .writeSyscalls, .readBytesLogical, .writeBytesLogical, .readBytesPhysical, .writeBytesPhysical]
  }
  public static var all: [BenchmarkMetric] {
    extended + memory.filter { !extended.contains($0) } + arc + system.filter { !extended.contains($0) } + disk + [
      .memoryLeaked, .allocatedResidentMemory,
    ]
  }
}

extension [BenchmarkMetric] {
  public static var microbenchmark: [BenchmarkMetric] { BenchmarkMetric.microbenchmark }
  public static var `default`: [BenchmarkMetric] { BenchmarkMetric.default }
  public static var extended: [BenchmarkMetric] { BenchmarkMetric.extended }
  public static var memory: [BenchmarkMetric] { BenchmarkMetric.memory }
  public static var arc: [BenchmarkMetric] { BenchmarkMetric.arc }
  public static var system: [BenchmarkMetric] { BenchmarkMetric.system }
  public static var disk: [BenchmarkMetric] { BenchmarkMetric.disk }
  public static var all: [BenchmarkMetric] { BenchmarkMetric.all }
}

extension StaticString {
  /// Makes the name of a counter. Suites have strings, and FrameBench requires literals. FrameBench finds counters by
  /// the address of their name, so this memory is never freed.
  fileprivate init(lasting name: String) {
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.utf8.count + 1)
    _ = text.initialize(from: Array(name.utf8) + [0])
    self = unsafeBitCast(Parts(start: UInt(bitPattern: text.baseAddress), count: name.utf8.count), to: Self.self)
  }

  /// The memory layout of a `StaticString` that points to text. It cannot change, because the type is frozen.
  private struct Parts {
    var start: UInt
    var count: Int
    var flags: Int8 = 0
  }
}
