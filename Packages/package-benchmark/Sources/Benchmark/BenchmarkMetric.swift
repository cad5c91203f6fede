import FrameBench

/// What suites ask for. Custom metrics of one name are one metric.
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
  /// The name in suites and in files of thresholds.
  var name: String {
    if case .custom(let name, _, _) = self { return name }
    return "\(self)"
  }

  /// Whether springbench measures it: as a time, a throughput, allocations, a peak of memory, what the system counts for
  /// a whole run, instructions where it is asked to count them, or a counter.
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

  /// The counter of a custom metric; nil for others.
  var counter: Counter? {
    guard case .custom(let name, let polarity, _) = self else { return nil }
    return Counter(
      CounterNames.shared.literal(name), direction: polarity == .prefersLarger ? .higherIsBetter : .lowerIsBetter)
  }
}

/// Sets of metrics.
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

/// Names of counters, which are literals in FrameBench, and strings in suites.
private final class CounterNames: @unchecked Sendable {
  static let shared = CounterNames()
  // Suites record on one thread at a time: the call that is measured.
  private var known: [String: StaticString] = [:]

  /// The parts of a `StaticString` that points to text, a frozen type.
  private struct Parts {
    var start: UInt
    var count: Int
    var flags: Int8 = 0
  }

  func literal(_ name: String) -> StaticString {
    if let literal = known[name] { return literal }
    // Counters are looked up by the address, which stays.
    let text = UnsafeMutablePointer<UInt8>.allocate(capacity: name.utf8.count + 1)
    text.initialize(repeating: 0, count: name.utf8.count + 1)
    for (index, byte) in name.utf8.enumerated() { text[index] = byte }
    let literal = unsafeBitCast(Parts(start: UInt(bitPattern: text), count: name.utf8.count), to: StaticString.self)
    known[name] = literal
    return literal
  }
}
