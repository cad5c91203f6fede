import Builds
import FrameBench
import Measurements
import Platform

extension Machine {
  /// Returns the description of this machine and of the measured build for a document.
  package func environment(name: String, member: String? = nil, git: Git.Head?, build: WorkerBuild, clock: ClockRecord)
    -> Environment
  {
    var environment = Environment(machine: name, coreCount: coreCount, kernel: kernel, build: build, clock: clock)
    (environment.member, environment.commit, environment.isDirty) = (member, git?.commit, git?.isDirty)
    (environment.cpuModel, environment.memoryBytes, environment.loadAverage) = (cpuModel, memoryBytes, loadAverage)
    (environment.operatingSystem, environment.isVirtualMachine) = (operatingSystem, isVirtual)
    (environment.machineCoreCount, environment.coreQuota) = (wholeCoreCount, coreQuota)
    (environment.governor, environment.settings) = (governor, WorkerProcess.settings().unlessEmpty)
    return environment
  }
}
