import Foundation

/// What the control groups of a container allow this process; of versions 1 and 2.
struct CgroupLimits: Equatable {
  /// Bytes; nil: no limit.
  var memoryBytes: Int?
  /// Cores' worth of time, a fraction; nil: no limit.
  var cores: Double?

  /// - Parameters:
  ///   - membership: Text of `/proc/self/cgroup`.
  ///   - read: The text of a file below `/sys/fs/cgroup`; nil where there is none.
  init(membership: String, read: (String) -> String?) {
    for line in membership.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let controllers = parts[1].split(separator: ",")
      let path = String(parts[2])
      if controllers.isEmpty {
        lowerMemory(Self.folders("", path).map { read("\($0)/memory.max") })
        lowerCores(Self.folders("", path).map { read("\($0)/cpu.max") })
      }
      if controllers.contains("memory") {
        lowerMemory(Self.folders("/memory", path).map { read("\($0)/memory.limit_in_bytes") })
      }
      if controllers.contains("cpu") {
        let folders = Self.folders("/" + parts[1], path) + Self.folders("/cpu", path)
        lowerCores(
          folders.map { folder in
            guard let quota = read("\(folder)/cpu.cfs_quota_us"),
              let period = read("\(folder)/cpu.cfs_period_us")
            else { return nil }
            return "\(quota.trimmed) \(period.trimmed)"
          })
      }
    }
  }

  static func current(files: SystemFiles = SystemFiles()) -> CgroupLimits {
    CgroupLimits(membership: files.read("/proc/self/cgroup") ?? "") { files.read("/sys/fs/cgroup" + $0) }
  }

  /// The folder of the group and those above it: every one of them limits. A container often sees its
  /// own group as the root, so the root is always among them.
  private static func folders(_ base: String, _ path: String) -> [String] {
    var components = path.split(separator: "/")
    var folders = [base]
    while !components.isEmpty {
      folders.append(base + "/" + components.joined(separator: "/"))
      components.removeLast()
    }
    return folders
  }

  private mutating func lowerMemory(_ texts: [String?]) {
    // Version 1 says "no limit" by a number near 2⁶³, version 2 by `max`.
    let limits = texts.compactMap { $0.flatMap { Int($0.trimmed) } }.filter { $0 > 0 && $0 < 1 << 60 }
    memoryBytes = (limits + [memoryBytes].compactMap(\.self)).min()
  }

  private mutating func lowerCores(_ texts: [String?]) {
    let limits = texts.compactMap { text -> Double? in
      let parts = (text ?? "").split(whereSeparator: \.isWhitespace)
      guard parts.count == 2, let quota = Double(parts[0]), let period = Double(parts[1]), quota > 0,
        period > 0
      else { return nil }
      return quota / period
    }
    cores = (limits + [cores].compactMap(\.self)).min()
  }
}

extension StringProtocol {
  var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
