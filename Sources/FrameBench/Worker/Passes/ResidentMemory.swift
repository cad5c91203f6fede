import FoundationEssentials
import Glibc

/// Physical memory of this process.
enum ResidentMemory {
  /// The largest resident set so far, bytes; nil if the system does not tell.
  ///
  /// From `VmHWM` of `/proc/self/status` and not from `getrusage`, whose maximum survives `exec`: a worker
  /// would inherit the size of the process that started it.
  static func peakBytes() -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    return peakBytes(inStatus: status)
  }

  static func peakBytes(inStatus status: String) -> Int? {
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    return kibibytes * 1_024
  }
}

/// The kernel's counts for this process so far, all threads together.
struct ProcessUsage {
  private var usage = rusage()
  /// The counts of `/proc/self/io` by name; empty if it cannot be read.
  private let calls: [Substring: Int]

  init() {
    // First, so that the time of reading the other does not count.
    calls = Self.counts(of: Self.text(ofFile: "/proc/self/io"))
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
  }

  /// Differences to an earlier time; the memory itself is left out.
  func since(_ earlier: ProcessUsage) -> MemoryRecord {
    func difference(_ value: (rusage) -> Int) -> Int { value(usage) - value(earlier.usage) }
    func nanoseconds(_ time: KeyPath<rusage, timeval>) -> Int {
      difference { $0[keyPath: time].tv_sec * 1_000_000_000 + $0[keyPath: time].tv_usec * 1_000 }
    }
    func calls(_ name: Substring) -> Int? { self.calls[name].flatMap { now in earlier.calls[name].map { now - $0 } } }
    var record = MemoryRecord()
    // Faults that read from a disk, and those that do not; voluntary and involuntary switches.
    record.pageFaultCount = difference { $0.ru_minflt + $0.ru_majflt }
    record.contextSwitchCount = difference { $0.ru_nvcsw + $0.ru_nivcsw }
    record.cpuUserNanoseconds = nanoseconds(\.ru_utime)
    record.cpuSystemNanoseconds = nanoseconds(\.ru_stime)
    // The kernel had not yet counted the call that read the earlier ones.
    record.readCallCount = calls("syscr").map { $0 - 1 }
    record.writeCallCount = calls("syscw")
    return record
  }

  /// Reads by one system call; empty if it fails.
  private static func text(ofFile path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    return String(unsafeUninitializedCapacity: 512) { max(0, read(file, $0.baseAddress, $0.count)) }
  }

  /// `syscr: 12` in each line.
  private static func counts(of text: String) -> [Substring: Int] {
    let fields = text.split(separator: "\n").map { $0.split(separator: ":") }
    return Dictionary(
      fields.compactMap { parts in parts.last.flatMap { Int($0.trimmingPrefix(" ")) }.map { (parts[0], $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}
