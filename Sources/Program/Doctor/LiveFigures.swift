import CAllocationCounter
import Foundation
import FrameBench
import Measurements

/// Figures that the doctor measures itself.
struct LiveFigures: Sendable {
  var clock: ClockRecord
  /// Nil if the empty scenario could not be run.
  var overhead: HarnessOverhead?
  /// The fixed kernel, repeated; nil if the clock did not move.
  var kernel: KernelTimes?
  /// Duration of the kernel, seconds.
  var seconds: Double
  /// Whether the measuring thread could be kept to its core.
  var isPinned: Bool
  /// Processes that were busy meanwhile.
  var busyProcesses: [BusyProcess]
  /// Share of all cores' time that the hypervisor gave to others meanwhile; nil if the kernel does not
  /// tell.
  var stolenShare: Double?
  var allocator: String
  var countsAllocations: Bool

  static func take(files: SystemFiles, core: Int?, seconds: Double) async -> LiveFigures {
    let before = ProcessorTimes(files: files)
    let start = ContinuousClock.now
    let measured = await DedicatedThread.run(core: core) { isPinned in
      let clock = FrameClock.calibrated().record
      // The minimum of a few: the cost without the noise.
      let overheads = (0..<5).compactMap { _ in HarnessOverhead.measure() }
      let overhead = overheads.min { $0.timedFrameNanoseconds < $1.timedFrameNanoseconds }
      return (clock, overhead, CalibrationKernel.measure(seconds: seconds), isPinned)
    }
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let after = ProcessorTimes(files: files)
    return LiveFigures(
      clock: measured.0, overhead: measured.1, kernel: measured.2, seconds: seconds, isPinned: measured.3,
      busyProcesses: BusyProcess.between(
        before, after, seconds: elapsed, ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))),
        except: Int(getpid())),
      stolenShare: stolenShare(before, after),
      allocator: String(cString: allocation_counter_allocator_name()),
      countsAllocations: allocation_counter_is_active())
  }

  static func stolenShare(_ before: ProcessorTimes, _ after: ProcessorTimes) -> Double? {
    guard let all = before.allTicks, let allLater = after.allTicks, let stolen = before.stolenTicks,
      let stolenLater = after.stolenTicks, allLater > all
    else { return nil }
    return Double(stolenLater - stolen) / Double(allLater - all)
  }
}

/// Processor times so far, from `/proc`; the difference of two shows the processor's users in between.
struct ProcessorTimes: Equatable, Sendable {
  struct Process: Equatable, Sendable {
    var name: String
    /// In user and kernel mode, clock ticks.
    var ticks: Int
    /// Start of the process, clock ticks since boot: ids are reused, and names change.
    var start: Int
  }

  /// By process id.
  var processes: [Int: Process]
  /// Clock ticks of all cores together: all that passed, and those that the hypervisor gave to others.
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
    let columns = Self.columns(files)
    guard columns.count >= 8 else { return }
    allTicks = columns.prefix(8).reduce(0, +)
    stolenTicks = columns[7]
  }

  /// user nice system idle iowait irq softirq steal; the guests that follow are part of user and nice.
  private static func columns(_ files: SystemFiles) -> [Int] {
    let line = files.read("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("cpu ") }
    return line?.split(separator: " ").dropFirst().compactMap { Int($0) } ?? []
  }

  /// Clock ticks in which any core worked; nil if the kernel does not tell.
  static func busyTicks(_ files: SystemFiles) -> Int? {
    let columns = columns(files)
    return columns.count >= 8 ? columns.prefix(3).reduce(0, +) + columns[5] + columns[6] : nil
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

struct BusyProcess: Equatable, Sendable {
  var id: Int
  var name: String
  /// Share of one core; above 1 if it uses several.
  var share: Double

  /// Processes that used at least a tenth of a core between two moments, the busiest first.
  static func between(
    _ before: ProcessorTimes, _ after: ProcessorTimes, seconds: Double, ticksPerSecond: Double,
    except own: Int
  ) -> [BusyProcess] {
    guard seconds > 0 else { return [] }
    let busy = after.processes.compactMap { id, process -> BusyProcess? in
      guard id != own else { return nil }
      // A process started since then has used all of its time since.
      let earlier = before.processes[id].flatMap { $0.start == process.start ? $0.ticks : nil } ?? 0
      let share = Double(process.ticks - earlier) / ticksPerSecond / seconds
      return share >= 0.1 ? BusyProcess(id: id, name: process.name, share: share) : nil
    }
    return busy.sorted { ($1.share, $0.id) < ($0.share, $1.id) }
  }
}
