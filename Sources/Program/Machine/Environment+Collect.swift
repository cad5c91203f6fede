import FrameBench
import Measurements

extension Environment {
  /// What a document says about this machine and the build that was measured.
  static func collect(
    machine: Machine, name: String, git: GitState?, build: WorkerBuild, clock: ClockRecord
  ) -> Environment {
    Environment(
      machine: name, cpuModel: machine.cpuModel, coreCount: machine.coreCount,
      memoryBytes: machine.memoryBytes, kernel: machine.kernel, operatingSystem: machine.operatingSystem,
      isVirtualMachine: machine.isVirtual, commit: git?.commit, isDirty: git?.isDirty,
      toolchain: build.toolchain, buildConfiguration: build.configuration, allocator: build.allocator,
      clock: clock,
      loadAverage: machine.loadAverage)
  }

  /// Doubts about anything measured in this environment. That a build is a debug build, reports see for
  /// themselves.
  var warnings: [Warning] {
    var warnings: [Warning] = []
    if !clock.source.hasPrefix("tsc") {
      warnings.append(
        Warning(
          "The processor has no counter that is reliable as a clock; phases under "
            + "\(Int(clock.resolutionNanoseconds.rounded(.up))) ns cannot be distinguished."))
    }
    if let loadAverage, loadAverage > 0.5 * Double(coreCount) {
      warnings.append(
        Warning(
          "The machine was busy when the run began (load \(loadAverage), \(coreCount) cores). "
            + "Stop other work and run again."))
    }
    return warnings
  }
}

extension CalibrationRecord {
  /// If the machine changed its speed, the run measured two different machines.
  var warnings: [Warning] {
    guard let drift, abs(drift) > 0.03 else { return [] }
    let percent = Int((abs(drift) * 100).rounded())
    return [
      Warning(
        "A fixed piece of work ran \(percent)% \(drift > 0 ? "slower" : "faster") at the end of the run than"
          + " at its start: the processor changed its speed. springbench doctor lists possible causes.")
    ]
  }
}
