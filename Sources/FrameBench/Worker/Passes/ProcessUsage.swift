import CProcessControl
import FoundationEssentials
import Glibc

/// The kernel's counts for this process so far, all threads together.
package struct ProcessUsage {
  private var usage = rusage()
  /// The contents of `/proc/self/io`, which counts system calls. Empty if the file cannot be read.
  private let calls: String
  /// CPU time of the process minus that of the calling thread, nanoseconds.
  private let otherThreads: Int
  /// CPU time of the process's children and their own children, nanoseconds.
  private let children: Int

  /// - Parameter isEnd: Whether this reading is taken at the end of a run. Reading files takes longer than reading
  ///   clocks. So files are read before the clocks at the start of a run, and after the clocks at its end.
  init(isEnd: Bool = false) {
    let before = isEnd ? 0 : Int(process_control_child_nanoseconds())
    let callsBefore = isEnd ? "" : Self.textOfCalls()
    let own = timespec.now(CLOCK_THREAD_CPUTIME_ID).nanoseconds
    otherThreads = timespec.now(CLOCK_PROCESS_CPUTIME_ID).nanoseconds - own
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    calls = isEnd ? Self.textOfCalls() : callsBefore
    children = isEnd ? Int(process_control_child_nanoseconds()) : before
  }

  /// Returns the kernel's counts and the CPU times since an earlier reading. All other members remain nil.
  func since(_ earlier: ProcessUsage) -> MemoryRecord {
    func difference(_ value: (rusage) -> Int) -> Int { value(usage) - value(earlier.usage) }
    func calls(_ name: String) -> Int? {
      Self.number(name, in: self.calls).flatMap { now in Self.number(name, in: earlier.calls).map { now - $0 } }
    }
    var record = MemoryRecord()
    // Both counts include two kinds: page faults with and without a read from disk, and voluntary and involuntary
    // switches.
    record.pageFaultCount = difference { $0.ru_minflt + $0.ru_majflt }
    record.contextSwitchCount = difference { $0.ru_nvcsw + $0.ru_nivcsw }
    record.cpuUserNanoseconds = difference { $0.ru_utime.nanoseconds }
    record.cpuSystemNanoseconds = difference { $0.ru_stime.nanoseconds }
    // The clocks are not read at the same moment, so the difference may be negative.
    record.otherThreadCPUNanoseconds = max(0, otherThreads + children - earlier.otherThreads - earlier.children)
    // The earlier reading does not include its own system call, so the difference is one too large.
    record.readCallCount = calls("syscr").map { $0 - 1 }
    record.writeCallCount = calls("syscw")
    return record
  }

  /// Returns the CPU time of this process and of the children that it waited for, nanoseconds.
  package static func processNanoseconds() -> Int {
    [Int32(RUSAGE_SELF.rawValue), Int32(RUSAGE_CHILDREN.rawValue)].reduce(0) { sum, who in
      var usage = rusage()
      getrusage(who, &usage)
      return sum + usage.ru_utime.nanoseconds + usage.ru_stime.nanoseconds
    }
  }

  private static func textOfCalls() -> String {
    let file = open("/proc/self/io", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    return String(unsafeUninitializedCapacity: 512) { max(0, read(file, $0.baseAddress, $0.count)) }
  }

  /// Returns the largest resident set so far, bytes. `getrusage` is not suitable, because its maximum survives `exec`
  /// and may be the parent's.
  static func peakBytes() -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    return number("VmHWM", in: status).map { $0 * 1_024 }
  }

  /// Returns the number in the line with this name, such as `syscr: 12` or `VmHWM: 5804 kB`.
  static func number(_ name: String, in text: String) -> Int? {
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }
}
