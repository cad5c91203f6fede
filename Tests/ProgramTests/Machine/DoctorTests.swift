import Foundation
import Testing

@testable import FrameBench
@testable import Measurements
@testable import Platform
@testable import Program

/// Tests findings about machines that are simulated with files.
@Suite struct DoctorTests {
  private func files(_ contents: [String: String], in folder: TemporaryFolder) throws -> SystemFiles {
    for (path, text) in contents {
      let url = URL(fileURLWithPath: folder.path + path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    return SystemFiles(root: folder.path)
  }

  private static let quiet = LiveFigures(
    clock: ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 10), overhead: 120,
    kernel: KernelTimes(samples: [10_000, 10_010, 10_020]), seconds: 2, isPinned: true, busyProcesses: [],
    stolenShare: 0, allocator: "jemalloc 5.3.0", countsAllocations: true)

  /// Returns the findings about a machine, keyed by the name of the check.
  private func findings(
    _ contents: [String: String] = [:], live: LiveFigures = quiet, build: String = "release",
    machine change: (inout Machine) -> Void = { _ in }
  ) throws -> [String: Finding] {
    let folder = try TemporaryFolder()
    var machine = Machine(coreCount: 4, kernel: "Linux 6")
    machine.allowedCores = [0, 1, 2, 3]
    machine.loadAverage = 0.1
    change(&machine)
    let examination = Examination(
      files: try files(contents, in: folder), machine: machine, live: live, buildConfiguration: build,
      path: "/usr/bin:/opt/bin")
    let found = withExtendedLifetime(folder) { examination.findings }
    #expect(Set(found.map(\.check)).count == found.count)
    for finding in found where finding.severity > .note { #expect(finding.remedy != nil, "\(finding)") }
    return Dictionary(uniqueKeysWithValues: found.map { ($0.check, $0) })
  }

  private static let cpu = "/sys/devices/system/cpu"

  @Test func aMachineThatTellsNothingIsNotAccused() throws {
    let found = try findings()
    #expect(found.values.allSatisfy { $0.severity <= .note })
    #expect(found["turbo"] == nil)
    #expect(found["smt"] == nil)
    #expect(found["virtualMachine"] == nil)
    #expect(found["governor"]?.severity == .note)
  }

  @Test func coresThatSlowEachOtherDownAreNamedWhereTheSystemDoesNotTell() throws {
    var live = Self.quiet
    live.sharing = CoreSharing(core: 2, slowdown: 1.7)
    let found = try findings(live: live)
    #expect(found["smt"]?.what.contains("core 2 makes work on core 3") == true && found["smt"]?.value == 1.7)
    #expect(found["smt"]?.severity == .warning)
    live.sharing?.slowdown = 1.05
    #expect(try findings(live: live)["smt"] == nil && found["sharedUnits"] == nil)
    live.slowShare = 0.25
    #expect(
      try findings(live: live)["sharedUnits"]?.what.contains("at least 1.2 times as long 25% of the time") == true)
  }

  @Test func howMuchACoreIsSlowedDownIsMeasuredBesideEachOther() async throws {
    let cores = try #require(Machine.current().allowedCores)
    let own = try #require(cores.last)
    let found = await CoreSharing.measure(on: own, beside: cores)
    // How large the slowdown is depends on the machine that runs the tests.
    if cores.count > 1 {
      let sharing = try #require(found)
      #expect(cores.contains(sharing.core) && sharing.core != own && sharing.slowdown > 0)
    } else {
      #expect(found == nil)
    }
  }

  @Test func aGovernorThatIsNotPerformanceIsNamedWithItsRemedy() throws {
    let mixed = try findings([
      "\(Self.cpu)/cpu0/cpufreq/scaling_governor": "performance\n",
      "\(Self.cpu)/cpu11/cpufreq/scaling_governor": "powersave\n",
    ])
    #expect(mixed["governor"]?.severity == .warning)
    #expect(mixed["governor"]?.what == "The frequency governor is powersave.")
    #expect(mixed["governor"]?.remedy?.contains("cpupower") == true)
    let fixed = try findings(["\(Self.cpu)/cpu0/cpufreq/scaling_governor": "performance\n"])
    #expect(fixed["governor"]?.severity == .good)
  }

  @Test(arguments: [("/intel_pstate/no_turbo", "0\n", "echo 1 |"), ("/cpufreq/boost", "1\n", "echo 0 |")])
  func turboThatIsOnIsFoundFromEitherDriver(_ path: String, _ value: String, _ remedy: String) throws {
    let turbo = try #require(try findings([Self.cpu + path: value])["turbo"])
    #expect(turbo.severity == .warning)
    #expect(turbo.remedy?.hasPrefix(remedy) == true)
  }

  @Test(arguments: [("/intel_pstate/no_turbo", "1\n"), ("/cpufreq/boost", "0\n")]) func turboThatIsOffIsFine(
    _ path: String, _ value: String
  ) throws { #expect(try findings([Self.cpu + path: value])["turbo"]?.severity == .good) }

  @Test func threadsThatShareTheMeasuringCoreAreNamed() throws {
    let found = try findings([
      "\(Self.cpu)/smt/active": "1\n", "\(Self.cpu)/cpu3/topology/thread_siblings_list": "1,3\n",
    ])
    #expect(found["smt"]?.what.contains("1,3") == true)
    #expect(try findings(["\(Self.cpu)/smt/active": "0\n"])["smt"] == nil)
    let alone = ["\(Self.cpu)/smt/active": "1\n", "\(Self.cpu)/cpu3/topology/thread_siblings_list": "3\n"]
    #expect(try findings(alone)["smt"] == nil)
  }

  @Test func aVirtualMachineIsNotedWithItsMaker() throws {
    let files = ["/sys/class/dmi/id/sys_vendor": "QEMU\n", "/sys/class/dmi/id/product_name": "Standard PC\n"]
    let found = try findings(files) { $0.isVirtual = true }
    #expect(found["virtualMachine"]?.what == "This is a virtual machine (QEMU Standard PC).")
    #expect(try findings { $0.isVirtual = false }["virtualMachine"]?.severity == .good)
  }

  @Test func aQuotaBelowTheCoresIsFoundInBothVersionsOfControlGroups() throws {
    let second = try findings(["/proc/self/cgroup": "0::/box\n", "/sys/fs/cgroup/box/cpu.max": "150000 100000\n"])
    #expect(second["quota"]?.severity == .severe)
    #expect(second["quota"]?.what == "The control group may use 1.5 of 4 cores.")
    let first = try findings([
      "/proc/self/cgroup": "1:cpu,cpuacct:/\n", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "300000\n",
      "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
    ])
    #expect(first["quota"]?.severity == .warning)
    #expect(try findings(["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/cpu.max": "max 100000\n"])["quota"] == nil)
  }

  @Test(arguments: [(0.9, Finding.Severity.good), (1.5, .warning), (4.5, .severe)]) func loadIsJudgedByTheCores(
    _ load: Double, _ severity: Finding.Severity
  ) throws { #expect(try findings { $0.loadAverage = load }["load"]?.severity == severity) }

  @Test func loadIsThatOfTheWholeMachine() throws {
    let found = try findings { ($0.coreCount, $0.wholeCoreCount, $0.loadAverage) = (2, 64, 10) }
    #expect(found["load"]?.severity == .good && found["load"]?.what.contains("64 cores") == true)
  }

  @Test func pressureOnTheCoresIsFound() throws {
    let text = "some avg10=62.50 avg60=1.00 avg300=0.00 total=1\nfull avg10=0.00\n"
    #expect(try findings(["/proc/pressure/cpu": text])["pressure"]?.value == 0.625)
    #expect(try findings(["/proc/pressure/cpu": "some avg10=0.10 avg60=9\n"])["pressure"] == nil)
    #expect(try findings(["/proc/pressure/cpu": "garbage\n"])["pressure"] == nil)
  }

  @Test func swapMattersOnceItIsUsed() throws {
    let header = "Filename Type Size Used Priority\n"
    #expect(try findings(["/proc/swaps": header])["swap"]?.severity == .good)
    #expect(try findings(["/proc/swaps": header + "/dev/sda2 partition 100 0 -2\n"])["swap"]?.severity == .note)
    let used = try findings(["/proc/swaps": header + "/dev/sda2 partition 4096 2048 -2\n"])
    #expect(used["swap"]?.severity == .warning)
    #expect(used["swap"]?.value == 2_097_152)
  }

  @Test func theKernelsSettingsAreRead() throws {
    let found = try findings([
      "/proc/sys/kernel/randomize_va_space": "2\n",
      "/sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never\n",
      "/sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet\n",
    ])
    #expect(found["aslr"]?.severity == .note)
    #expect(found["transparentHugePages"]?.what == "Transparent huge pages: always.")
    #expect(found["transparentHugePages"]?.severity == .note)
    #expect(found["clockSource"]?.severity == .warning)
    #expect(try findings(["/proc/sys/kernel/randomize_va_space": "0\n"])["aslr"]?.severity == .good)
  }

  @Test func countersThatCannotBeReadAreNotedWithTheReason() throws {
    #expect(try findings()["hardwareCounters"]?.severity == .good)
    var live = Self.quiet
    live.counterObstacle = "this machine has none"
    let finding = try #require(try findings(live: live)["hardwareCounters"])
    #expect(finding.severity == .note && finding.what.contains("cannot be read: this machine has none"))
  }

  @Test func toolsAreLookedForOnThePath() throws {
    let folder = try TemporaryFolder()
    let files = try files(["/opt/bin/perf": "", "/usr/bin/git": ""], in: folder)
    chmod(folder.path + "/opt/bin/perf", 0o755)
    withExtendedLifetime(folder) {
      #expect(files.programs("perf", path: "/usr/bin:/opt/bin") == ["/opt/bin/perf"])
      // The simulated `/usr/bin/git` is not executable.
      #expect(files.programs("git", path: "/usr/bin:/opt/bin").isEmpty)
    }
    #expect(try findings()["valgrind"]?.remedy == "sudo apt-get install valgrind")
  }

  @Test func aDebugBuildAndAForeignAllocatorAreFound() throws {
    #expect(try findings(build: "debug")["build"]?.severity == .severe)
    var live = Self.quiet
    live.countsAllocations = false
    live.allocator = "system"
    #expect(try findings(live: live)["allocator"]?.severity == .warning)
    live.countsAllocations = true
    #expect(try findings(live: live)["allocator"]?.severity == .note)
  }

  @Test func coresThatCannotBePinnedAreFound() throws {
    var live = Self.quiet
    live.isPinned = false
    #expect(try findings(live: live)["cores"]?.what.contains("refuses") == true)
    #expect(try findings { $0.allowedCores = [2] }["cores"]?.severity == .warning)
    #expect(try findings { $0.allowedCores = nil }["cores"]?.severity == .warning)
    #expect(try findings()["cores"]?.what == "There are 4 cores, and runs are pinned to core 3.")
  }

  @Test(arguments: [
    ([1_000.0, 1_000, 1_010], Finding.Severity.good), ([1_000, 1_000, 1_100], .note),
    ([1_000, 1_000, 1_900], .warning), ([1_000, 1_100, 1_100], .severe), ([], .severe),
  ]) func noiseIsJudgedByWhatHappensOftenMoreThanByWhatHappensOnce(_ samples: [Double], _ severity: Finding.Severity)
    throws
  {
    var live = Self.quiet
    live.kernel = KernelTimes(samples: samples)
    #expect(try findings(live: live)["noise"]?.severity == severity)
  }

  @Test func anExpensiveHarnessIsAWarning() throws {
    #expect(try findings()["overhead"]?.value == 30)
    #expect(try findings()["overhead"]?.severity == .good)
    var live = Self.quiet
    live.overhead = 161
    #expect(try findings(live: live)["overhead"]?.severity == .warning)
    live.overhead = nil
    #expect(try findings(live: live)["overhead"]?.severity == .warning)
  }

  @Test func timeThatTheHypervisorTookIsFound() throws {
    var live = Self.quiet
    live.stolenShare = 0.02
    #expect(try findings(live: live)["stolenTime"]?.severity == .warning)
    live.stolenShare = 0.2
    #expect(try findings(live: live)["stolenTime"]?.severity == .severe)
    live.stolenShare = nil
    #expect(try findings(live: live)["stolenTime"] == nil)
  }

  @Test func everyFindingHasAllKeysInJSON() throws {
    let text = try DoctorCommand.json(Array(try findings().values))
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    for row in rows { #expect(Set(row.keys) == ["check", "severity", "what", "why", "remedy", "value", "unit"]) }
  }
}
