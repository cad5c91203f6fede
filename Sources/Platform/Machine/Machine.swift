import CFrameClock
import CProcessControl
import Foundation
import FrameBench
import Measurements

/// Facts from `/proc` and the kernel about this machine. Unknown values are nil.
package struct Machine: Equatable {
  package var cpuModel: String?
  package var isVirtual: Bool?
  /// The numbers of the cores that this process may run on, ascending. Nil if the system does not show them.
  package var allowedCores: [Int]?
  /// The number of cores that this process may use at the same time: the allowed cores, or fewer under a quota.
  package var coreCount: Int
  /// The number of cores of the machine, including those that this process may not use.
  package var wholeCoreCount: Int?
  /// The quota of the control group, in cores. Nil if there is none, or if it is not below the number of allowed cores.
  package var coreQuota: Double?
  /// The governors of the cores' clock rates, such as `performance`. Nil if the kernel does not show them.
  package var governor: String?
  package var memoryBytes: Int?
  /// The memory that is available now without swapping, or the limit of the control group if that is smaller.
  package var availableMemoryBytes: Int?
  package var kernel: String
  package var operatingSystem: String?
  package var loadAverage: Double?

  package static func current(files: SystemFiles = SystemFiles()) -> Machine {
    let limits = CgroupLimits.current(files: files)
    let cpuInfo = files.read("/proc/cpuinfo") ?? ""
    let memoryInfo = files.read("/proc/meminfo") ?? ""
    let allowedCores = WorkerCores.allowed
    let cores = allowedCores?.count ?? ProcessInfo.processInfo.activeProcessorCount
    let online = files.value("\(coreFolder)/online").flatMap { count(ofCores: $0) }
    return Machine(
      cpuModel: value(of: "model name", in: cpuInfo),
      isVirtual: value(of: "flags", in: cpuInfo).map { $0.split(separator: " ").contains("hypervisor") },
      allowedCores: allowedCores, coreCount: max(1, min(cores, limits.cores.map { Int($0.rounded(.up)) } ?? cores)),
      wholeCoreCount: online, coreQuota: limits.cores.flatMap { $0 < Double(cores) ? $0 : nil },
      governor: governors(files).map { $0.joined(separator: ", ") }, memoryBytes: bytes(of: "MemTotal", in: memoryInfo),
      availableMemoryBytes: [bytes(of: "MemAvailable", in: memoryInfo), limits.memoryBytes].compactMap(\.self).min(),
      kernel: ["ostype", "osrelease"].map { files.value("/proc/sys/kernel/\($0)") ?? "unknown" }.joined(separator: " "),
      operatingSystem: (files.read("/etc/os-release") ?? "").firstMatch(of: /(?m)^PRETTY_NAME=["']?(.*?)["']*$/).map {
        String($0.1)
      }, loadAverage: files.read("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) })
  }

  /// The core to measure on: the last one, because the system's own work tends to run on the first ones. Nil if there
  /// is only one core.
  package var measuringCore: Int? {
    guard let allowedCores, allowedCores.count >= 2 else { return nil }
    return allowedCores.last
  }

  package static let coreFolder = "/sys/devices/system/cpu"

  /// Returns the different governors of the cores, sorted by name. Nil if the kernel does not show them.
  package static func governors(_ files: SystemFiles) -> [String]? {
    let cores = files.names(in: coreFolder).filter { $0.wholeMatch(of: /cpu[0-9]+/) != nil }
    let names = Set(cores.compactMap { files.value("\(coreFolder)/\($0)/cpufreq/scaling_governor") })
    return names.isEmpty ? nil : names.sorted()
  }

  /// Returns the number of cores in a list as the kernel writes it, such as `0-3,8`. Nil if the text is not a list.
  package static func count(ofCores list: String) -> Int? {
    let counts = list.split(separator: ",").map { range -> Int? in
      let ends = range.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first >= 0, last >= first, last < 1 << 20 else { return nil }
      return last - first + 1
    }
    return counts.isEmpty || counts.contains(nil) ? nil : counts.compactMap(\.self).reduce(0, +)
  }

  /// Returns the value of the first line `key : value`, as in `/proc/cpuinfo`.
  package static func value(of key: String, in text: String) -> String? {
    let pairs = text.split(separator: "\n").lazy.map { $0.split(separator: ":", maxSplits: 1) }
    return pairs.first { $0.count == 2 && $0[0].trimmed == key }?[1].trimmed
  }

  /// Returns the bytes of a line `key: 123 kB`, as in `/proc/meminfo`.
  package static func bytes(of key: String, in text: String) -> Int? {
    value(of: key, in: text)?.split(separator: " ").first.flatMap { Int($0) }.map { $0 * 1_024 }
  }

  /// Pins the calling thread to a core. Returns false if that is impossible, or if `core` is nil.
  package static func pin(to core: Int?) -> Bool { pin(to: core.map { [$0] } ?? []) }

  /// Pins the calling thread to the cores. Returns false if that is impossible, or if there are none.
  package static func pin(to cores: [Int]) -> Bool {
    process_control_pin(cores.map { Int32(clamping: $0) }, Int32(cores.count))
  }
}

/// The limits that the control groups of a container set for this process, in version 1 or 2.
package struct CgroupLimits: Equatable {
  /// The memory limit in bytes. Nil means no limit.
  package var memoryBytes: Int?
  /// The limit of processor time, as a possibly fractional number of cores. Nil means no limit.
  package var cores: Double?

  /// - Parameters:
  ///   - membership: The text of `/proc/self/cgroup`.
  ///   - read: Returns the text of a file below `/sys/fs/cgroup`.
  package init(membership: String, read: (String) -> String?) {
    var (memory, quotas): ([String?], [String?]) = ([], [])
    for line in membership.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let controllers = parts[1].split(separator: ",")
      let path = String(parts[2])
      func texts(_ base: String, _ file: String) -> [String?] {
        Self.folders(base, path).map { read("\($0)/\(file)")?.trimmed }
      }
      if controllers.isEmpty {
        memory += texts("", "memory.max")
        quotas += texts("", "cpu.max")
      }
      if controllers.contains("memory") { memory += texts("/memory", "memory.limit_in_bytes") }
      for base in ["/\(parts[1])", "/cpu"] where controllers.contains("cpu") {
        let both = zip(texts(base, "cpu.cfs_quota_us"), texts(base, "cpu.cfs_period_us"))
        quotas += both.map { "\($0 ?? "") \($1 ?? "")" }
      }
    }
    // Version 1 expresses "no limit" as a number near 2⁶³, version 2 as `max`.
    memoryBytes = memory.compactMap { $0.flatMap { Int($0) } }.filter { $0 > 0 && $0 < 1 << 60 }.min()
    cores = quotas.compactMap { text -> Double? in
      let parts = (text ?? "").split(whereSeparator: \.isWhitespace).map { Double($0) ?? 0 }
      return parts.count == 2 && parts.allSatisfy { $0 > 0 } ? parts[0] / parts[1] : nil
    }.min()
  }

  package static func current(files: SystemFiles = SystemFiles()) -> CgroupLimits {
    CgroupLimits(membership: files.read("/proc/self/cgroup") ?? "") { files.read("/sys/fs/cgroup" + $0) }
  }

  /// Returns the folders of the group and of the groups above it, whose limits also apply. A container often sees its
  /// own group as the root.
  private static func folders(_ base: String, _ path: String) -> [String] {
    let components = path.split(separator: "/")
    return (0...components.count).map { base + components.prefix($0).map { "/\($0)" }.joined() }
  }
}

extension Environment {
  /// A warning about all measurements in this environment, if its clock is coarse. A debug build needs no warning here,
  /// because reports mention it themselves.
  package var warning: Warning? {
    guard !clock.source.hasPrefix("tsc") else { return nil }
    return Warning(
      "The processor has no counter that is reliable as a clock; phases under "
        + "\(Int(clock.resolutionNanoseconds.rounded(.up))) ns cannot be distinguished.")
  }
}

extension CalibrationRecord {
  /// A warning if the machine changed its speed, because figures from the start and the end of the run then differ.
  package var warning: Warning? {
    guard let drift, abs(drift) > 0.03 else { return nil }
    let percent = Int((abs(drift) * 100).rounded())
    return Warning(
      "A fixed piece of work ran \(percent)% \(drift > 0 ? "slower" : "faster") at the end of the run than"
        + " at its start: the processor changed its speed. springbench doctor lists possible causes.")
  }
}

/// The fixed piece of work that measures the speed of a machine.
package enum CalibrationKernel {
  /// The number of iterations of the kernel's loop. They take some 20 microseconds at 2.6 GHz. This is less than a time
  /// slice, and a thousand times longer than a clock read.
  package static let roundCount = 10_000

  /// Repeats the kernel on this thread for some seconds, at least a hundred times. Nil if the clock did not move.
  package static func measure(seconds: Double) -> KernelTimes? {
    precondition(seconds >= 0 && seconds.isFinite, "calibration for \(seconds) s")
    let clock = FrameClock.calibrated()
    var samples: [Double] = []
    samples.reserveCapacity(Int(min(seconds, 60) * 100_000) + 100)
    var seed: UInt64 = 1
    let end = frame_clock_system_nanoseconds() + UInt64(seconds * 1e9)
    repeat {
      let start = clock.startTicks()
      seed = frame_clock_kernel(UInt64(roundCount), seed)
      samples.append(Double(clock.endTicks() &- start) * clock.nanosecondsPerTick)
    } while samples.count < 100 || frame_clock_system_nanoseconds() < end
    // The result must be used, because the optimizer could otherwise remove the work.
    return KernelTimes(samples: seed == 0 ? [] : samples)
  }
}
