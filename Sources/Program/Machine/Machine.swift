import CProcessControl
import Foundation

/// What `/proc` and the kernel say about this machine. Unknown values are nil.
struct Machine: Equatable {
  var cpuModel: String?
  var isVirtual: Bool?
  /// Numbers of the cores that this process may run on, ascending; nil where the system does not tell.
  var allowedCores: [Int]?
  /// Cores that may be used at once: the allowed ones, or fewer where a quota holds.
  var coreCount: Int
  var memoryBytes: Int?
  /// Memory that is available now without swapping, or up to the limit of the control group.
  var availableMemoryBytes: Int?
  var kernel: String
  var operatingSystem: String?
  /// Over one minute.
  var loadAverage: Double?

  static func current(files: SystemFiles = SystemFiles()) -> Machine {
    let limits = CgroupLimits.current(files: files)
    let cpuInfo = files.read("/proc/cpuinfo") ?? ""
    let memoryInfo = files.read("/proc/meminfo") ?? ""
    let allowedCores = self.allowedCores()
    let cores = allowedCores?.count ?? ProcessInfo.processInfo.activeProcessorCount
    return Machine(
      cpuModel: value(of: "model name", in: cpuInfo),
      isVirtual: value(of: "flags", in: cpuInfo).map { $0.split(separator: " ").contains("hypervisor") },
      allowedCores: allowedCores,
      coreCount: max(1, min(cores, limits.cores.map { Int($0.rounded(.up)) } ?? cores)),
      memoryBytes: bytes(of: "MemTotal", in: memoryInfo),
      availableMemoryBytes: [bytes(of: "MemAvailable", in: memoryInfo), limits.memoryBytes]
        .compactMap(\.self).min(),
      kernel: kernelName(), operatingSystem: operatingSystemName(files),
      loadAverage: files.read("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) })
  }

  /// The core to measure on: the last, since the system's own work gathers on the first. Nil where there
  /// is no second one for everything else.
  var measuringCore: Int? {
    guard let allowedCores, allowedCores.count >= 2 else { return nil }
    return allowedCores.last
  }

  /// The value of the first line `key : value`, as in `/proc/cpuinfo`.
  static func value(of key: String, in text: String) -> String? {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].trimmed == key { return parts[1].trimmed }
    }
    return nil
  }

  /// The value of a line `key: 123 kB`, as in `/proc/meminfo`.
  static func bytes(of key: String, in text: String) -> Int? {
    value(of: key, in: text)?.split(separator: " ").first.flatMap { Int($0) }.map { $0 * 1_024 }
  }

  private static func allowedCores() -> [Int]? {
    var numbers = [Int32](repeating: 0, count: process_control_maximum_core_count)
    let count = process_control_allowed_cores(&numbers, Int32(numbers.count))
    return count > 0 ? numbers.prefix(Int(count)).map(Int.init) : nil
  }

  private static func kernelName() -> String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    return "\(text(&names.sysname)) \(text(&names.release))"
  }

  private static func text<Field>(_ field: inout Field) -> String {
    withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static func operatingSystemName(_ files: SystemFiles) -> String? {
    for line in (files.read("/etc/os-release") ?? "").split(separator: "\n")
    where line.hasPrefix("PRETTY_NAME=") {
      return line.dropFirst("PRETTY_NAME=".count).trimmingCharacters(in: ["\"", "'"])
    }
    return nil
  }
}
