import TextFormat

extension Examination {
  /// How the kernel is set.
  var kernelFindings: [Finding] {
    [addressRandomization, hugePages, counters].compactMap { $0 }
  }

  private var addressRandomization: Finding? {
    guard let value = files.value("/proc/sys/kernel/randomize_va_space") else { return nil }
    let why = "Addresses decide which code and data share a cache line."
    guard value != "0" else {
      return Finding("aslr", .good, "Address space layout is not randomised.", why: why)
    }
    return Finding(
      "aslr", .note, "Address space layout is randomised.", why: why,
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
      remedy: isAlways
        ? "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled" : nil)
  }

  private var counters: Finding {
    let why = "They count instructions and cache misses at full speed, which helps when time is too noisy."
    let instead = "--instructions counts with valgrind instead."
    let devices = files.names(in: "/sys/bus/event_source/devices")
    guard devices.contains(where: { $0 == "cpu" || $0.hasPrefix("cpu_") || $0.hasPrefix("armv") }) else {
      return Finding(
        "hardwareCounters", .note, "The processor's counters are not available here.", why: why,
        remedy: instead)
    }
    let level = files.value("/proc/sys/kernel/perf_event_paranoid").flatMap { Int($0) }
    guard let level, level > 2 else {
      return Finding(
        "hardwareCounters", .good,
        "The processor's counters can be read (perf_event_paranoid \(level.map(String.init) ?? "unknown")).",
        why: why)
    }
    return Finding(
      "hardwareCounters", .note, "The processor's counters are denied (perf_event_paranoid is \(level)).",
      why: why, remedy: "sudo sysctl kernel.perf_event_paranoid=2. Or: \(instead)")
  }
}
