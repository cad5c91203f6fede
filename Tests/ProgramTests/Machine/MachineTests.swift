import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Measurements
@testable import Platform

@Suite struct MachineTests {
  @Test(arguments: [
    ("AMD EPYC", 4, "amd-epyc-4c"),
    ("Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz", 2, "intel-xeon-platinum-8370c-2c"),
    ("AMD Ryzen 9 7950X 16-Core Processor", 32, "amd-ryzen-9-7950x-32c"),
  ]) func aMachineIsNamedAfterItsProcessor(_ model: String, _ cores: Int, _ name: String) {
    #expect(MachineName.generated(cpuModel: model, coreCount: cores) == name)
  }

  @Test func aMachineWithoutAProcessorNameStillHasAName() {
    #expect(MachineName.generated(cpuModel: nil, coreCount: 8).hasSuffix("-8c"))
    #expect(MachineName.generated(cpuModel: "@@", coreCount: 8).hasSuffix("-8c"))
  }

  @Test func theFlagComesBeforeTheEnvironmentAndBothAreMadeFitForAFolder() throws {
    let environment = ["SPRINGBENCH_MACHINE": "-.CI Runner #7"]
    #expect(try name(flag: "A b", environment) == "a-b")
    #expect(try name(flag: "A/b", environment) == "a")
    #expect(try name(flag: nil, environment) == "ci-runner-7")
    #expect(try name(flag: nil, ["SPRINGBENCH_MACHINE": ""], cpuModel: "AMD EPYC") == "amd-epyc-1c")
  }

  @Test func aCPUSetOrAQuotaMakesNoOtherMachine() throws {
    let context = CommandContext(arguments: [], console: Console(), environment: [:])
    var machine = Machine(coreCount: 1, kernel: "")
    (machine.cpuModel, machine.wholeCoreCount) = ("AMD EPYC", 8)
    #expect(try MachineName.resolve(flag: nil, context, of: machine) == "amd-epyc-8c")
  }

  @Test(
    arguments: [("0-3", 4), ("0", 1), ("0-1,4,6-7", 5), ("", nil), ("none", nil), ("3-1", nil)] as [(String, Int?)])
  func coresAreCountedInTheKernelsLists(_ list: String, _ count: Int?) {
    #expect(Machine.count(ofCores: list) == count)
  }

  @Test func settingsOfTheAllocatorAndTheLoaderAreThoseThatWorkersSee() throws {
    let root = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: root.path + "/etc", withIntermediateDirectories: true)
    try Data("/lib/a.so\n".utf8).write(to: URL(fileURLWithPath: root.path + "/etc/ld.so.preload"))
    try FileManager.default.createSymbolicLink(
      atPath: root.path + "/etc/malloc.conf", withDestinationPath: "retain:false")
    let variables = [
      "MALLOC_CONF": "narenas:1", "MALLOC_ARENA_MAX": "2", "GLIBC_TUNABLES": "a=b\nc", "LD_PRELOAD": "", "HOME": "/x",
    ]
    #expect(
      WorkerProcess.settings(InheritedEnvironment.reduced(variables), files: SystemFiles(root: root.path)) == [
        "MALLOC_CONF": "narenas:1", "MALLOC_ARENA_MAX": "2", "GLIBC_TUNABLES": "a=b c",
        "/etc/ld.so.preload": "/lib/a.so", "/etc/malloc.conf": "retain:false",
      ])
  }

  private func name(flag: String?, _ environment: [String: String] = [:], cpuModel: String? = nil) throws -> String {
    var machine = Machine(coreCount: 1, kernel: "")
    machine.cpuModel = cpuModel
    let context = CommandContext(arguments: [], console: Console(), environment: environment)
    return try MachineName.resolve(flag: flag, context, of: machine)
  }

  @Test(arguments: ["", "..", "/", "- -", "\n", "日本"]) func aNameWithNothingInItIsRefused(_ name: String) {
    #expect(MachineName.slug(name) == nil)
    #expect(throws: UsageError.self) { try self.name(flag: name) }
  }

  @Test func aLongNameIsCut() { #expect(MachineName.slug(String(repeating: "x", count: 500))?.count == 64) }

  @Test func controlGroupsOfVersionTwoLimit() {
    let files = [
      "/a/memory.max": "2000\n", "/a/b/memory.max": "max\n", "/a/cpu.max": "150000 100000\n",
      "/a/b/cpu.max": "max 100000\n",
    ]
    let limits = CgroupLimits(membership: "0::/a/b\n") { files[$0] }
    #expect(limits.memoryBytes == 2_000)
    #expect(limits.cores == 1.5)
  }

  @Test func controlGroupsOfVersionOneLimitAndTheirUnlimitedIsNone() {
    let files = [
      "/memory/x/memory.limit_in_bytes": "4096\n", "/memory/memory.limit_in_bytes": "9223372036854771712\n",
      "/cpu/cpu.cfs_quota_us": "-1\n", "/cpu/cpu.cfs_period_us": "100000\n",
      "/cpu,cpuacct/x/cpu.cfs_quota_us": "200000\n", "/cpu,cpuacct/x/cpu.cfs_period_us": "100000\n",
    ]
    let limits = CgroupLimits(membership: "4:memory:/x\n1:cpu,cpuacct:/x\n0::/\n") { files[$0] }
    #expect(limits.memoryBytes == 4_096)
    #expect(limits.cores == 2)
    let none = CgroupLimits(membership: "4:memory:/y\n") { files[$0] }
    #expect(none.memoryBytes == nil)
    #expect(none.cores == nil)
  }

  @Test func valuesAreReadFromTheKernelsTables() {
    let cpu = "processor\t: 0\nmodel name\t: AMD EPYC\nflags\t\t: fpu hypervisor\n"
    #expect(Machine.value(of: "model name", in: cpu) == "AMD EPYC")
    #expect(Machine.value(of: "name", in: cpu) == nil)
    #expect(Machine.bytes(of: "MemAvailable", in: "MemTotal: 9 kB\nMemAvailable:    3 kB\n") == 3_072)
    #expect(Machine.bytes(of: "MemFree", in: "MemTotal: 9 kB\n") == nil)
  }

  @Test func theLastAllowedCoreMeasuresWhereThereAreTwo() {
    var machine = Machine(coreCount: 2, kernel: "Linux")
    machine.allowedCores = [1, 5]
    #expect(machine.measuringCore == 5)
    machine.allowedCores = [5]
    #expect(machine.measuringCore == nil)
    machine.allowedCores = nil
    #expect(machine.measuringCore == nil)
  }

  @Test func aScenarioThatAsksForMoreCoresThanThereAreIsNamedOnce() {
    let asked: [(String, Int?)] = [("two", 2), ("three", 3), ("all", .max), ("one", nil)]
    let benchmarks = asked.flatMap { name, cores in
      [1, 10].map { size in
        var scenario = ScenarioDescription(name: name, strategies: ["a"], sizes: [1, 10], quickSizes: [1, 10])
        scenario.cores = cores
        return PlannedBenchmark(id: BenchmarkID(scenario: name, strategy: "a", size: size), scenario: scenario)
      }
    }
    let warnings = benchmarks.coreWarnings(coreCount: 2)
    #expect(
      warnings.map(\.message) == ["Scenario three asks for 3 cores, but only 2 are available: its threads share them."])
    #expect(benchmarks.coreWarnings(coreCount: 1).count == 2 && benchmarks.coreWarnings(coreCount: 3).isEmpty)
  }

  @Test func memoryThatCannotBeHadIsRefusedAndJustEnoughIsNot() throws {
    let scenario = ScenarioDescription(name: "big", strategies: ["a"], sizes: [10], quickSizes: [10])
    let id = BenchmarkID(scenario: "big", strategy: "a", size: 10)
    var found = Preflight()
    found.memoryBytes = 1_000
    let checks = PreflightChecks(
      benchmarks: [PlannedBenchmark(id: id, scenario: scenario)], options: RunOptions(), found: [id: found])
    _ = try checks.warnings(availableBytes: 1_000)
    _ = try checks.warnings(availableBytes: nil)
    #expect(throws: UsageError.self) { try checks.warnings(availableBytes: 999) }
  }
}
