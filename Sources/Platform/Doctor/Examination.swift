import TextFormat

package struct Examination: Sendable {
  package var files: SystemFiles
  package var machine: Machine
  package var live: LiveFigures
  /// `release` or `debug`.
  package var buildConfiguration: String
  package var path: String

  package init(files: SystemFiles, machine: Machine, live: LiveFigures, buildConfiguration: String, path: String) {
    (self.files, self.machine, self.live, self.buildConfiguration, self.path) = (
      files, machine, live, buildConfiguration, path
    )
  }

  /// The findings: measurements first, then their possible causes, then tools.
  package var findings: [Finding] {
    let measured = [noise, stolen, sharedUnits, overhead, clock]
    let causes = [
      build, allocator, load, pressure, busyProcesses, quota, swap, cores, simultaneousThreads, governor, turbo,
      virtualMachine, clockSource, addressRandomization, hugePages, counters,
    ]
    return (measured + causes).compactMap(\.self) + tools
  }

  /// The largest acceptable cost of a timed phase in an empty scenario, in nanoseconds.
  package static let largestPhaseCost = 40.0

  private var noise: Finding {
    let why = "Whatever slows down a fixed piece of work slows down frames just as much and as often."
    guard let kernel = live.kernel else {
      return Finding(
        "noise", .severe, "The clock does not move: nothing can be measured.", why: why,
        remedy: "Run on a machine with a working CLOCK_MONOTONIC_RAW.")
    }
    let spread = kernel.spread
    let what =
      "For \(Format.count(live.seconds)) s a fixed piece of work took"
      + " \(TimeUnit.text(kernel.fastest)) at best, half of the time up to"
      + " \(Format.percent(kernel.typicalExcess)) more, 1 time in 100 at least \(Format.percent(spread)) more,"
      + " \(TimeUnit.text(kernel.slowest)) at worst."
    // Only permanent disturbances are severe, because a frame's minimum over twenty runs removes occasional ones.
    let severity: Finding.Severity =
      kernel.typicalExcess > 0.05 ? .severe : spread > 0.2 ? .warning : spread > 0.02 ? .note : .good
    let remedies: [Finding.Severity: String] = [
      .note: "Trust the frame-aligned figures; the raw p99 includes this noise.",
      .warning: "Trust the frame-aligned figures, not the raw ones; see below for possible causes.",
      .severe: "Stop other work, see below, and run the doctor again before you measure.",
    ]
    return Finding(
      "noise", severity, what, why: why, remedy: remedies[severity], value: (spread * 10_000).rounded() / 10_000,
      unit: "fraction")
  }

  private var stolen: Finding? {
    guard let share = live.stolenShare, share >= 0.005 else { return nil }
    return Finding(
      "stolenTime", share > 0.05 ? .severe : .warning,
      "The hypervisor gave \(Format.percent(share)) of the processor's time to other machines meanwhile.",
      why: "A frame that another machine interrupts looks slow, and nothing on this machine shows why.",
      remedy: "Measure at another time, or on a machine with dedicated cores.",
      value: (share * 10_000).rounded() / 10_000, unit: "fraction")
  }

  private var sharedUnits: Finding? {
    guard live.slowShare >= 0.02 else { return nil }
    return Finding(
      "sharedUnits", live.slowShare > 0.1 ? .severe : .warning,
      "Work that keeps all units of a core busy took at least \(Format.count(CoreSharing.leastSlowdown)) times as long"
        + " \(Format.percent(live.slowShare)) of the time: another thread used the same core.",
      why:
        "A core of a virtual machine may be a thread of a core, whose other thread works for others; nothing shows it"
        + " but the time.",
      remedy: "Compare builds, which take turns, and not runs; for absolute times use a machine with whole cores.",
      value: (live.slowShare * 10_000).rounded() / 10_000, unit: "fraction")
  }

  private var overhead: Finding {
    let why = "It is spent in addition to the measured work; the part that the clock sees is subtracted."
    guard let overhead = live.overhead else {
      return Finding(
        "overhead", .warning, "The cost of an empty scenario could not be measured.", why: why,
        remedy: "Report it, with what `springbench run` prints.")
    }
    let cost = overhead / Double(HarnessOverhead.phaseCount)
    let isSmall = cost < Self.largestPhaseCost
    return Finding(
      "overhead", isSmall ? .good : .warning,
      "An empty scenario of \(HarnessOverhead.phaseCount) phases costs"
        + " \(Format.count(overhead.rounded())) ns a frame:" + " \(Format.count(cost)) ns per timed phase.", why: why,
      remedy: "Expected: less than \(Int(Self.largestPhaseCost)) ns: measure a release build on an idle machine.",
      value: (cost * 10).rounded() / 10, unit: "ns")
  }

  private var clock: Finding {
    let cost = Format.count(live.clock.pairCostNanoseconds)
    let step = Format.count(live.clock.resolutionNanoseconds)
    let figures = "a pair of reads costs \(cost) ns, which is subtracted; its step is \(step) ns"
    let isCounter = live.clock.source.hasPrefix("tsc")
    return Finding(
      "clock", isCounter ? .good : .warning,
      isCounter
        ? "Frames are timed by the processor's time stamp counter, which ticks at a constant rate: \(figures)."
        : "The time stamp counter cannot be trusted, so frames are timed by \(live.clock.source): \(figures).",
      why: "Times of less than a few clock steps cannot be told from zero.",
      remedy: "Measure phases with many items, or with --instructions.",
      value: (live.clock.pairCostNanoseconds * 10).rounded() / 10, unit: "ns")
  }

  private var build: Finding {
    Finding(
      "build", buildConfiguration == "release" ? .good : .severe, "This is a \(buildConfiguration) build.",
      why: "A debug build is many times slower, and not by the same factor everywhere.",
      remedy: "swift build -c release")
  }

  private var allocator: Finding {
    let why = "Allocations per frame are exact if they are counted, and jemalloc reports the live heap."
    guard live.countsAllocations else {
      return Finding(
        "allocator", .warning, "Allocations are not counted; the allocator is \(live.allocator).", why: why,
        remedy:
          "Install libjemalloc-dev, build without SPRINGBENCH_SYSTEM_ALLOCATOR, and do not preload another allocator.")
    }
    guard live.allocator.hasPrefix("jemalloc") else {
      return Finding(
        "allocator", .note, "Allocations are counted, but jemalloc is not linked: the live heap is not measured.",
        why: why, remedy: "Install libjemalloc-dev and build again.")
    }
    return Finding("allocator", .good, "Allocations are counted, and served by \(live.allocator).", why: why)
  }

  private var tools: [Finding] {
    [
      ("git", "git", "records the commit in every document, and is needed to compare revisions"),
      ("valgrind", "valgrind", "counts instructions per frame, without noise"),
      ("perf", "linux-perf", "shows in which functions a frame spends its time"),
    ].map { program, package, use in
      let isInstalled = !files.programs(program, path: path).isEmpty
      return Finding(
        program, isInstalled ? .good : .note, "\(program) is \(isInstalled ? "" : "not ")installed.", why: "It \(use).",
        remedy: "sudo apt-get install \(package)")
    }
  }

  private var load: Finding? {
    guard let load = machine.loadAverage else { return nil }
    // The load is that of the whole machine, even in a container.
    let coreCount = machine.wholeCoreCount ?? machine.coreCount
    let share = load / Double(coreCount)
    return Finding(
      "load", share <= 0.25 ? .good : share <= 1 ? .warning : .severe,
      "Over the last minute \(Format.count(load)) threads wanted to run on" + " \(Format.plural(coreCount, "core")).",
      why: "Other work interrupts the frames, evicts their data from caches and slows down memory.",
      remedy: "Wait until it has finished, or stop it.", value: load, unit: "threads")
  }

  /// A finding about the fraction of the time in which some thread waited for a core. The kernel's line is like `some
  /// avg10=82.72 avg60=66.16 …`.
  private var pressure: Finding? {
    guard let line = files.read("/proc/pressure/cpu")?.split(separator: "\n").first,
      let field = line.split(separator: " ").first(where: { $0.hasPrefix("avg10=") }),
      let percent = Double(field.dropFirst("avg10=".count)), percent >= 5
    else { return nil }
    return Finding(
      "pressure", percent > 50 ? .severe : .warning,
      "In the last ten seconds some thread had to wait for a core \(Format.percent(percent / 100)) of the time.",
      why: "A frame that waits for its core takes longer, although it has no more to do.",
      remedy: "Stop other work, or give this machine more cores.", value: percent / 100, unit: "fraction")
  }

  private var busyProcesses: Finding? {
    let busy = live.busyProcesses
    guard !busy.isEmpty else {
      return Finding("processes", .good, "No other process is busy.", why: "Busy processes interrupt the frames.")
    }
    let shown = busy.map { "\(oneLine($0.name)) (\($0.id), \(Format.percent($0.share)))" }
    let total = busy.reduce(0) { $0 + $1.share }
    return Finding(
      "processes", .warning, "Other busy processes: \(Format.list(shown, atMost: 3)), in percent of a core.",
      why: "They interrupt the frames, and share caches and memory with them.", remedy: "Stop them while you measure.",
      value: (total * 100).rounded() / 100, unit: "cores")
  }

  private var quota: Finding? {
    guard let quota = CgroupLimits.current(files: files).cores else { return nil }
    let allowed = machine.allowedCores?.count ?? machine.coreCount
    guard quota < Double(allowed) else { return nil }
    return Finding(
      "quota", quota < 2 ? .severe : .warning, "The control group may use \(Format.count(quota)) of \(allowed) cores.",
      why: "When a period's time is used up, every thread stops until the next: frames stall for milliseconds.",
      remedy: "Start the container without a CPU limit (--cpus), or pin it to whole cores (--cpuset-cpus).",
      value: quota, unit: "cores")
  }

  private var swap: Finding? {
    let lines = files.read("/proc/swaps")?.split(separator: "\n").dropFirst() ?? []
    let used = lines.compactMap { line -> Int? in
      let fields = line.split(whereSeparator: \.isWhitespace)
      return fields.count > 3 ? Int(fields[3]) : nil
    }
    let why = "Memory that was swapped out takes milliseconds to come back"
    guard !used.isEmpty else { return Finding("swap", .good, "There is no swap.", why: why + ".") }
    let bytes = used.reduce(0, +) * 1_024
    return Finding(
      "swap", bytes > 0 ? .warning : .note,
      bytes > 0 ? "\(ByteUnit.text(Double(bytes))) are in swap." : "There is swap, and it is empty.",
      why: why + ", in the middle of a frame.", remedy: "sudo swapoff -a, while you measure.", value: Double(bytes),
      unit: "bytes")
  }

  private var cores: Finding {
    let count = machine.allowedCores?.count
    func finding(_ severity: Finding.Severity, _ what: String, remedy: String? = nil) -> Finding {
      Finding(
        "cores", severity, what, why: "A run is pinned to one core, and everything else uses the others.",
        remedy: remedy, value: count.map(Double.init), unit: count.map { _ in "cores" })
    }
    guard let count else {
      let remedy = "Expect more noise: runs move from core to core."
      return finding(.warning, "The system does not say which cores may be used.", remedy: remedy)
    }
    guard let core = machine.measuringCore else {
      let remedy = "Give this machine or container a second core."
      return finding(.warning, "There is only one core, so runs are not pinned.", remedy: remedy)
    }
    guard !live.isPinned else {
      return finding(.good, "There are \(count) cores, and runs are pinned to core \(core).")
    }
    return finding(
      .warning, "There are \(count) cores, but the system refuses to pin a thread to one.",
      remedy: "Allow sched_setaffinity in the container.")
  }

  private var simultaneousThreads: Finding? {
    // The list looks like `1,5` or `1-2`. A core that shares its execution units with no other is listed alone.
    guard files.value("\(Machine.coreFolder)/smt/active") == "1", let core = machine.measuringCore,
      let siblings = files.value("\(Machine.coreFolder)/cpu\(core)/topology/thread_siblings_list"),
      siblings != "\(core)"
    else { return sharedCore }
    return Finding(
      "smt", .warning, "Two threads share a core; the measuring core's threads are \(siblings).",
      why: "Work on the other thread of a core takes up to half of its speed.",
      remedy: "echo off | sudo tee \(Machine.coreFolder)/smt/control")
  }

  private var sharedCore: Finding? {
    guard let sharing = live.sharing, sharing.slowdown >= CoreSharing.leastSlowdown, let core = machine.measuringCore
    else { return nil }
    return Finding(
      "smt", .warning,
      "Work on core \(sharing.core) makes work on core \(core), where frames are measured, take"
        + " \(Format.count(sharing.slowdown)) times as long: they are threads of one core, although the system does not"
        + " say so.", why: "Whatever runs on the other thread makes frames slower, even if a core seems to be idle.",
      remedy: "Let nothing else run while you measure, or ask for whole cores.",
      value: (sharing.slowdown * 100).rounded() / 100, unit: "times")
  }

  private var governor: Finding {
    let why = "A core that changes its frequency runs the same frame at different speeds."
    guard let governors = Machine.governors(files) else {
      return Finding(
        "governor", .note, "The kernel does not show how the cores are clocked.", why: why,
        remedy: machine.isVirtual == true ? "Ask the operator of the host, or go by noise above." : nil)
    }
    let others = governors.filter { $0 != "performance" }.joined(separator: ", ")
    return Finding(
      "governor", others.isEmpty ? .good : .warning,
      "The frequency governor is \(others.isEmpty ? "performance" : others).", why: why,
      remedy: "sudo cpupower frequency-set -g performance")
  }

  private var turbo: Finding? {
    let why = "Turbo depends on the chip's temperature and on how many cores are busy, and so on everyone else."
    let switches = [
      ("\(Machine.coreFolder)/intel_pstate/no_turbo", on: "0", off: "1"),
      ("\(Machine.coreFolder)/cpufreq/boost", on: "1", off: "0"),
    ]
    for (path, on, off) in switches {
      guard let value = files.value(path) else { continue }
      return Finding(
        "turbo", value == on ? .warning : .good, "Turbo is \(value == on ? "on" : "off").", why: why,
        remedy: "echo \(off) | sudo tee \(path)")
    }
    return nil
  }

  private var virtualMachine: Finding? {
    guard let isVirtual = machine.isVirtual else { return nil }
    let why = "Its neighbors share caches, memory and turbo with it, and are invisible from here."
    guard isVirtual else { return Finding("virtualMachine", .good, "This is not a virtual machine.", why: why) }
    let name = ["sys_vendor", "product_name"].compactMap { files.value("/sys/class/dmi/id/\($0)") }.joined(
      separator: " ")
    return Finding(
      "virtualMachine", .note, "This is a virtual machine\(name.isEmpty ? "" : " (\(name))").", why: why,
      remedy: "Compare within one run, by frame-aligned figures; for absolute ones use a physical machine.")
  }

  private var clockSource: Finding? {
    guard let source = files.value("/sys/devices/system/clocksource/clocksource0/current_clocksource") else {
      return nil
    }
    let why = "The kernel's clock is used where the processor's counter is not, and checks its rate."
    let isFast = ["tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter"].contains(source)
    return Finding(
      "clockSource", isFast ? .good : .warning, "The kernel's clock source is \(source).", why: why,
      remedy: "Boot with tsc=reliable if the processor's counter is sound; "
        + "/sys/devices/system/clocksource/clocksource0 lists the others.")
  }

  private var addressRandomization: Finding? {
    guard let value = files.value("/proc/sys/kernel/randomize_va_space") else { return nil }
    return Finding(
      "aslr", value == "0" ? .good : .note, "Address space layout is \(value == "0" ? "not " : "")randomized.",
      why: "Addresses decide which code and data share a cache line.",
      remedy: "None is needed: every run is a new process, so it averages out. To see its effect:"
        + " setarch -R springbench run")
  }

  private var hugePages: Finding? {
    guard let value = files.value("/sys/kernel/mm/transparent_hugepage/enabled") else { return nil }
    let why = "Whether the kernel finds a huge page changes the cost of memory from run to run."
    let isAlways = value.contains("[always]")
    let mode = value.split(separator: " ").first { $0.hasPrefix("[") }.map { $0.dropFirst().dropLast() }
    return Finding(
      "transparentHugePages", isAlways ? .note : .good,
      "Transparent huge pages: \(mode.map(String.init) ?? oneLine(value)).", why: why,
      remedy: "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled")
  }

  private var counters: Finding {
    let why = "They count instructions and cache misses at full speed, which helps when time is too noisy."
    guard let obstacle = live.counterObstacle else {
      return Finding("hardwareCounters", .good, "The processor's counters can be read.", why: why)
    }
    return Finding(
      "hardwareCounters", .note, "The processor's counters cannot be read: \(obstacle).", why: why,
      remedy: "--instructions counts with valgrind instead.")
  }
}
