import Foundation
import FrameBench
import Measurements

/// The processor times so far, from `/proc`. The difference between two values shows what used the processor meanwhile.
package struct ProcessorTimes: Sendable {
  package struct Process: Equatable, Sendable {
    package var name: String
    /// The time in user and kernel mode, in clock ticks.
    package var ticks: Int
    /// The start, in clock ticks since boot. It distinguishes processes, because ids are reused and names change.
    package var start: Int
  }

  package var processes: [Int: Process]
  /// The clock ticks of all cores together: all that have passed, and those that the hypervisor gave to other machines.
  package var ticks: (all: Int, stolen: Int)?

  package init(files: SystemFiles) {
    let ids = files.names(in: "/proc").compactMap { Int($0) }
    let found = ids.map { ($0, files.read("/proc/\($0)/stat").flatMap(Self.process)) }
    processes = Dictionary(uniqueKeysWithValues: found).compactMapValues(\.self)
    let columns = Self.columns(files)
    if columns.count >= 8 { ticks = (columns.prefix(8).reduce(0, +), columns[7]) }
  }

  /// Returns the columns of all cores in `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal. The
  /// columns after these show the time of guests, which is already part of user and nice.
  private static func columns(_ files: SystemFiles) -> [Int] {
    let line = files.read("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("cpu ") }
    return line?.split(separator: " ").dropFirst().compactMap { Int($0) } ?? []
  }

  /// Returns the clock ticks in which the cores worked, summed over all cores. Nil if the kernel does not show them.
  package static func busyTicks(_ files: SystemFiles) -> Int? {
    let columns = columns(files)
    return columns.count >= 8 ? columns.prefix(3).reduce(0, +) + columns[5] + columns[6] : nil
  }

  /// Parses the text of `/proc/<id>/stat`. The name is in parentheses, and may itself contain parentheses.
  package static func process(stat: String) -> Process? {
    guard let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")"), open < close else { return nil }
    let fields = stat[stat.index(after: close)...].split(separator: " ")
    guard fields.count > 19, let user = Int(fields[11]), let system = Int(fields[12]), let start = Int(fields[19])
    else { return nil }
    return Process(name: String(stat[stat.index(after: open)..<close]), ticks: user + system, start: start)
  }
}

package struct BusyProcess: Equatable, Sendable {
  package var id: Int
  package var name: String
  /// The CPU time of the process divided by the wall time. It is above 1 if the process used several cores.
  package var share: Double

  /// Returns the processes that used at least a tenth of a core between two moments, the busiest first.
  package static func between(
    _ before: ProcessorTimes, _ after: ProcessorTimes, seconds: Double, ticksPerSecond: Double, except own: Int
  ) -> [BusyProcess] {
    guard seconds > 0 else { return [] }
    let busy = after.processes.compactMap { id, process -> BusyProcess? in
      guard id != own else { return nil }
      // A process that started after `before` has used all of its ticks since then.
      let earlier = before.processes[id].flatMap { $0.start == process.start ? $0.ticks : nil } ?? 0
      let share = Double(process.ticks - earlier) / ticksPerSecond / seconds
      return share >= 0.1 ? BusyProcess(id: id, name: process.name, share: share) : nil
    }
    return busy.sorted { ($1.share, $0.id) < ($0.share, $1.id) }
  }
}

/// The processor time that other processes use during a run. The load average is no substitute, because it includes the
/// build just before the run.
package struct OtherWork {
  private let files: SystemFiles
  private let start = ContinuousClock.now
  private let before: Double?

  package init(files: SystemFiles) {
    self.files = files
    before = Self.seconds(files)
  }

  /// Returns the CPU seconds used on all cores so far, without those of this process and its ended children.
  private static func seconds(_ files: SystemFiles) -> Double? {
    guard let all = ProcessorTimes.busyTicks(files) else { return nil }
    return Double(all) / Double(sysconf(Int32(_SC_CLK_TCK))) - Double(ProcessUsage.processNanoseconds()) / 1e9
  }

  /// Returns a warning if other processes used more than a fifth of a core. A system at rest uses a few percent.
  package func warning(on machine: Machine) -> Warning? {
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    guard let before, let after = Self.seconds(files), elapsed > 0 else { return nil }
    let cores = (after - before) / elapsed
    return cores > 0.2 ? .busy(cores: cores, of: machine.wholeCoreCount ?? machine.coreCount) : nil
  }
}
