import FrameBench
import TextFormat

/// The machine and the build that a document was measured on. Timings from different environments are not
/// comparable. Unknown values are nil.
public struct Environment: Codable, Sendable, Hashable {
  /// Short name of the machine, which can also name a folder: `amd-epyc-4c`.
  public var machine: String
  /// The name of this machine, if `machine` names a class of machines. Absent: the machine does not belong to a class.
  public var member: String?
  /// The processor, as the system names it. Absent: it is unknown.
  public var cpuModel: String?
  /// Number of cores that this process may use.
  public var coreCount: Int
  /// Number of cores of the machine, including those that this process may not use. Absent: it is unknown.
  public var machineCoreCount: Int?
  /// CPU time that the control group may use, in cores. Absent: there is no limit.
  public var coreQuota: Double?
  /// The frequency governors of the cores, as the kernel names them. Absent: they are unknown.
  public var governor: String?
  /// Settings of the allocator and the dynamic loader, by the name of the environment variable or file that contains
  /// each. Absent: there are none.
  public var settings: [String: String]?
  /// Total memory of the machine in bytes, regardless of the limits of the process. Absent: it is unknown.
  public var memoryBytes: Int?
  /// Name and release of the kernel: `Linux 6.1.0`; `unknown` if the system does not report them.
  public var kernel: String
  /// Name and version of the operating system. Absent: they are unknown.
  public var operatingSystem: String?
  /// Whether the machine is virtual. Absent: it is unknown.
  public var isVirtualMachine: Bool?
  /// Full hash of the commit. Absent: the run was not in a git checkout, or of a given program whose commit is unknown.
  public var commit: String?
  /// Whether the work tree differed from the commit. Absent: there is no `commit`.
  public var isDirty: Bool?
  /// Version of the compiler that built the program.
  public var toolchain: String
  /// `release` or `debug`.
  public var buildConfiguration: String
  /// The allocator: `jemalloc 5.3.0` if jemalloc serves the process, otherwise `system`.
  public var allocator: String
  /// The clock that timed the frames. Each run measures how long reading it takes. These are the values of the run with
  /// the median cost.
  public var clock: ClockRecord
  /// Load average over one minute when the run began. Absent: it is unknown.
  public var loadAverage: Double?
}

extension Environment {
  /// Makes an environment from the facts that are always known.
  package init(machine: String, coreCount: Int, kernel: String, build: WorkerBuild, clock: ClockRecord) {
    self.init(
      machine: machine, coreCount: coreCount, kernel: kernel, toolchain: build.toolchain,
      buildConfiguration: build.configuration, allocator: build.allocator, clock: clock)
  }

  /// The conditions on which timings depend, apart from the code. Timings are compared only if these facts are equal.
  /// The budget share is not among them, because it affects no timing.
  /// - Parameter options: The options of the run, or those of one benchmark (`RunOptions.of`). Nil if they are unknown,
  ///   or known to be equal.
  package func timingFacts(_ options: RunOptions? = nil) -> [Fact] {
    [
      Fact("machine", machine), Fact("CPU", cpuModel ?? "unknown"), Fact("cores", coreText),
      Fact("governor", governor ?? "unknown"),
    ] + buildFacts + [
      Fact("settings", settingText), Fact("clock", clock.source),
      Fact("measuring", options?.measuringText ?? "unknown"),
    ]
  }

  /// The cores that a process may use, in words: `4`, `1 of 4`, `2 of 4, 1.5 at a time`.
  package var coreText: String {
    let some = machineCoreCount.map { $0 == coreCount ? "\(coreCount)" : "\(coreCount) of \($0)" } ?? "\(coreCount)"
    return some + (coreQuota.map { ", \(Format.count($0)) at a time" } ?? "")
  }

  /// The settings as text: `MALLOC_CONF=retain:false`.
  package var settingText: String {
    let all = (settings ?? [:]).sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
    return all.isEmpty ? "none" : all.joined(separator: " ")
  }

  /// The facts that, together with the sources, determine the built program.
  var buildFacts: [Fact] { .ofBuild(toolchain, buildConfiguration, allocator) }
}

/// A condition on which figures depend, in words.
package struct Fact: Sendable, Hashable {
  /// The name in messages: `refresh rate`.
  package var name: String
  /// The value with its unit, if it has one: `60 Hz`.
  package var value: String

  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

extension WorkerBuild { package var facts: [Fact] { .ofBuild(toolchain, configuration, allocator) } }

extension [Fact] {
  fileprivate static func ofBuild(_ toolchain: String, _ configuration: String, _ allocator: String) -> [Fact] {
    [Fact("toolchain", toolchain), Fact("build", configuration), Fact("allocator", allocator)]
  }

  /// The facts whose values differ from the values in another list. Traps unless both lists have the same names.
  package func differences(from other: [Fact]) -> [(name: String, own: String, other: String)] {
    precondition(map(\.name) == other.map(\.name), "facts of two kinds: \(self) and \(other)")
    return zip(self, other).filter { $0 != $1 }.map { ($0.name, $0.value, $1.value) }
  }

  /// The changes in words: `toolchain: Swift 6.3.1 → Swift 6.3.2`.
  package func changes(to later: [Fact]) -> [String] {
    differences(from: later).map { "\($0.name): \($0.own) → \($0.other)" }
  }
}

extension RunOptions {
  /// The options that determine the work of a frame. Runs with different values did different work.
  package var factsOfWork: [Fact] {
    [
      Fact("frames", "\(frameCount)"), Fact("warm-up frames", "\(warmUpFrameCount)"),
      Fact("refresh rate", "\(refreshRateHertz) Hz"), Fact("seed", "\(seed)"),
      Fact("trace", tracePath ?? "the scenario's own"),
    ]
  }

  var measuringText: String {
    "\(runCount) runs of \(frameCount) frames after \(warmUpFrameCount) at \(refreshRateHertz) Hz, seed \(seed)"
      + (tracePath.map { ", \($0)" } ?? "") + (layoutCount.map { ", \($0) link orders" } ?? "")
      + (passSecondsLimit.map { ", at most \($0) s a pass" } ?? "")
  }
}
