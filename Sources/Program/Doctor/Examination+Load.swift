import FrameBench
import TextFormat

extension Examination {
  /// What else wants the processor and the memory.
  var loadFindings: [Finding] {
    [load, pressure, busyProcesses, quota, swap].compactMap { $0 }
  }

  private var load: Finding? {
    guard let load = machine.loadAverage else { return nil }
    let share = load / Double(machine.coreCount)
    let isIdle = share <= 0.25
    return Finding(
      "load", isIdle ? .good : share <= 1 ? .warning : .severe,
      "Over the last minute \(Self.decimal(load, places: 2)) threads wanted to run on \(cores).",
      why: "Other work interrupts the frames, evicts their data from caches and slows down memory.",
      remedy: isIdle ? nil : "Wait until it has finished, or stop it.", value: load, unit: "threads")
  }

  private var cores: String { machine.coreCount == 1 ? "1 core" : "\(machine.coreCount) cores" }

  /// `some avg10=82.72 avg60=66.16 …`: the share of the time in which some thread waited for a core.
  private var pressure: Finding? {
    guard let line = files.read("/proc/pressure/cpu")?.split(separator: "\n").first,
      let field = line.split(separator: " ").first(where: { $0.hasPrefix("avg10=") }),
      let percent = Double(field.dropFirst("avg10=".count)), percent >= 5
    else { return nil }
    return Finding(
      "pressure", percent > 50 ? .severe : .warning,
      "In the last ten seconds some thread had to wait for a core \(Self.percent(percent / 100)) of the time.",
      why: "A frame that waits for its core is late through no fault of its own.",
      remedy: "Stop other work, or give this machine more cores.", value: percent / 100, unit: "fraction")
  }

  private var busyProcesses: Finding? {
    let busy = live.busyProcesses
    guard !busy.isEmpty else {
      return Finding(
        "processes", .good, "No other process is busy.", why: "Busy processes interrupt the frames.")
    }
    let shown = busy.prefix(3).map { "\(oneLine($0.name)) (\($0.id), \(Self.percent($0.share)))" }
    let more = busy.count > 3 ? " and \(busy.count - 3) more" : ""
    let total = busy.reduce(0) { $0 + $1.share }
    return Finding(
      "processes", .warning,
      "Other busy processes: \(shown.joined(separator: ", "))\(more), in percent of a core.",
      why: "They interrupt the frames, and share caches and memory with them.",
      remedy: "Stop them while you measure.", value: (total * 100).rounded() / 100, unit: "cores")
  }

  private var quota: Finding? {
    guard let quota = CgroupLimits.current(files: files).cores else { return nil }
    let allowed = machine.allowedCores?.count ?? machine.coreCount
    guard quota < Double(allowed) else { return nil }
    return Finding(
      "quota", quota < 2 ? .severe : .warning,
      "The control group may use \(Self.decimal(quota, places: 2)) of \(allowed) cores.",
      why:
        "When a period's time is used up, every thread stops until the next: frames stall for milliseconds.",
      remedy:
        "Start the container without a CPU limit (--cpus), or pin it to whole cores (--cpuset-cpus).",
      value: quota, unit: "cores")
  }

  private var swap: Finding? {
    let lines = files.read("/proc/swaps")?.split(separator: "\n").dropFirst() ?? []
    let used = lines.compactMap { line -> Int? in
      let fields = line.split(whereSeparator: \.isWhitespace)
      return fields.count > 3 ? Int(fields[3]) : nil
    }
    guard !used.isEmpty else {
      return Finding(
        "swap", .good, "There is no swap.",
        why: "Memory that was swapped out takes milliseconds to come back.")
    }
    let kibibytes = used.reduce(0, +)
    return Finding(
      "swap", kibibytes > 0 ? .warning : .note,
      kibibytes > 0
        ? "\(PreflightChecks.text(kibibytes * 1_024)) are in swap." : "There is swap, and it is empty.",
      why: "Memory that was swapped out takes milliseconds to come back, in the middle of a frame.",
      remedy: "sudo swapoff -a, while you measure.", value: Double(kibibytes * 1_024), unit: "bytes")
  }
}
