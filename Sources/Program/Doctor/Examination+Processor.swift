extension Examination {
  private static let cpuFolder = "/sys/devices/system/cpu"

  /// What the processor does by itself.
  var processorFindings: [Finding] {
    [cores, simultaneousThreads, governor, turbo, virtualMachine, clockSource].compactMap { $0 }
  }

  private var cores: Finding {
    let why = "A run is pinned to one core, and everything else uses the others."
    guard let allowed = machine.allowedCores else {
      return Finding(
        "cores", .warning, "The system does not say which cores may be used.", why: why,
        remedy: "Expect more noise: runs move from core to core.")
    }
    guard let core = machine.measuringCore else {
      return Finding(
        "cores", .warning, "There is only one core, so runs are not pinned.", why: why,
        remedy: "Give this machine or container a second core.", value: 1, unit: "cores")
    }
    guard live.isPinned else {
      return Finding(
        "cores", .warning, "There are \(allowed.count) cores, but the system refuses to pin a thread to one.",
        why: why, remedy: "Allow sched_setaffinity in the container.", value: Double(allowed.count),
        unit: "cores")
    }
    return Finding(
      "cores", .good, "There are \(allowed.count) cores, and runs are pinned to core \(core).", why: why,
      value: Double(allowed.count), unit: "cores")
  }

  private var simultaneousThreads: Finding? {
    guard files.value("\(Self.cpuFolder)/smt/active") == "1" else { return nil }
    let siblings = machine.measuringCore.flatMap { core -> String? in
      guard let list = files.value("\(Self.cpuFolder)/cpu\(core)/topology/thread_siblings_list") else {
        return nil
      }
      // `1,5` or `1-2`; a core that is alone is listed by itself.
      return list == "\(core)" ? nil : list
    }
    return Finding(
      "smt", .warning,
      siblings.map { "Two threads share a core; the measuring core's threads are \($0)." }
        ?? "Two threads share a core.",
      why: "Work on the other thread of a core takes up to half of its speed.",
      remedy: "echo off | sudo tee \(Self.cpuFolder)/smt/control")
  }

  private var governor: Finding {
    let why = "A core that changes its frequency runs the same frame at different speeds."
    let folders = files.names(in: Self.cpuFolder).filter {
      $0.hasPrefix("cpu") && $0.dropFirst(3).allSatisfy(\.isNumber) && $0.count > 3
    }
    let governors = Set(
      folders.compactMap { files.value("\(Self.cpuFolder)/\($0)/cpufreq/scaling_governor") })
    guard !governors.isEmpty else {
      return Finding(
        "governor", .note, "The kernel does not show how the cores are clocked.",
        why: why,
        remedy: machine.isVirtual == true ? "Ask the operator of the host, or go by noise above." : nil)
    }
    guard governors != ["performance"] else {
      return Finding("governor", .good, "The frequency governor is performance.", why: why)
    }
    let names = governors.subtracting(["performance"]).sorted().joined(separator: ", ")
    return Finding(
      "governor", .warning, "The frequency governor is \(names).", why: why,
      remedy: "sudo cpupower frequency-set -g performance")
  }

  private var turbo: Finding? {
    let why =
      "Turbo depends on the chip's temperature and on how many cores are busy, and so on everyone else."
    let switches = [
      ("\(Self.cpuFolder)/intel_pstate/no_turbo", on: "0", off: "1"),
      ("\(Self.cpuFolder)/cpufreq/boost", on: "1", off: "0"),
    ]
    for (path, on, off) in switches {
      guard let value = files.value(path) else { continue }
      return value == on
        ? Finding(
          "turbo", .warning, "Turbo is on.", why: why, remedy: "echo \(off) | sudo tee \(path)")
        : Finding("turbo", .good, "Turbo is off.", why: why)
    }
    return nil
  }

  private var virtualMachine: Finding? {
    guard let isVirtual = machine.isVirtual else { return nil }
    let why = "Its neighbours share caches, memory and turbo with it, and are invisible from here."
    guard isVirtual else {
      return Finding("virtualMachine", .good, "This is not a virtual machine.", why: why)
    }
    let name = [files.value("/sys/class/dmi/id/sys_vendor"), files.value("/sys/class/dmi/id/product_name")]
      .compactMap(\.self).joined(separator: " ")
    return Finding(
      "virtualMachine", .note, "This is a virtual machine\(name.isEmpty ? "" : " (\(name))").", why: why,
      remedy: "Compare within one run, by frame-aligned figures; for absolute ones use a physical machine."
    )
  }

  private var clockSource: Finding? {
    guard let source = files.value("/sys/devices/system/clocksource/clocksource0/current_clocksource") else {
      return nil
    }
    let why = "The kernel's clock is used where the processor's counter is not, and checks its rate."
    let isFast = ["tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter"].contains(source)
    return Finding(
      "clockSource", isFast ? .good : .warning, "The kernel's clock source is \(source).", why: why,
      remedy: isFast
        ? nil
        : "Boot with tsc=reliable if the processor's counter is sound; "
          + "/sys/devices/system/clocksource/clocksource0 lists the others.")
  }
}
