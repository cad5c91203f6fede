import Foundation

/// Processor times so far, from `/proc`; the difference of two shows what used the processor in between.
struct ProcessorTimes: Equatable, Sendable {
  struct Process: Equatable, Sendable {
    var name: String
    /// In user and kernel mode, clock ticks.
    var ticks: Int
    /// When it began, clock ticks since the system did: an id is given again, and names change.
    var start: Int
  }

  /// By process id.
  var processes: [Int: Process]
  /// Of all cores together, clock ticks: all that passed, and what the hypervisor gave to others.
  var allTicks: Int?
  var stolenTicks: Int?

  init(files: SystemFiles) {
    processes = [:]
    for name in files.names(in: "/proc") {
      guard let id = Int(name), let text = files.read("/proc/\(id)/stat"),
        let process = Self.process(stat: text)
      else { continue }
      processes[id] = process
    }
    let line = files.read("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("cpu ") }
    let columns = line?.split(separator: " ").dropFirst().compactMap { Int($0) } ?? []
    // user nice system idle iowait irq softirq steal; the guests that follow are part of user and nice.
    guard columns.count >= 8 else { return }
    allTicks = columns.prefix(8).reduce(0, +)
    stolenTicks = columns[7]
  }

  /// The name stands in parentheses and may itself hold some.
  static func process(stat: String) -> Process? {
    guard let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")"), open < close else {
      return nil
    }
    let fields = stat[stat.index(after: close)...].split(separator: " ")
    guard fields.count > 19, let user = Int(fields[11]), let system = Int(fields[12]),
      let start = Int(fields[19])
    else { return nil }
    return Process(
      name: String(stat[stat.index(after: open)..<close]), ticks: user + system, start: start)
  }
}

/// Another process that is busy.
struct BusyProcess: Equatable, Sendable {
  var id: Int
  var name: String
  /// Of one core; above 1 where it uses several.
  var share: Double

  /// Those that used at least a tenth of a core between two moments, the busiest first.
  static func between(
    _ before: ProcessorTimes, _ after: ProcessorTimes, seconds: Double, ticksPerSecond: Double,
    except own: Int
  ) -> [BusyProcess] {
    guard seconds > 0 else { return [] }
    let busy = after.processes.compactMap { id, process -> BusyProcess? in
      guard id != own else { return nil }
      // One that has begun since has used all of its time since.
      let earlier = before.processes[id].flatMap { $0.start == process.start ? $0.ticks : nil } ?? 0
      let share = Double(process.ticks - earlier) / ticksPerSecond / seconds
      return share >= 0.1 ? BusyProcess(id: id, name: process.name, share: share) : nil
    }
    return busy.sorted { ($1.share, $0.id) < ($0.share, $1.id) }
  }
}
