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
  /// Faults that read from a disk, and those that do not.
  let pageFaultCount: Int
  /// Voluntary and involuntary switches.
  let contextSwitchCount: Int

  init() {
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    pageFaultCount = usage.ru_minflt + usage.ru_majflt
    contextSwitchCount = usage.ru_nvcsw + usage.ru_nivcsw
  }
}
