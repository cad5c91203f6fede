import FrameBench

/// What timings depend on besides the code.
public struct EnvironmentKey: Sendable, Hashable {
  /// Its short name, as in `Environment.machine`.
  public var machine: String
  /// Nil where it is not known.
  public var cpuModel: String?
  /// Version of the compiler, as in `Environment.toolchain`.
  public var toolchain: String
  /// `release` or `debug`.
  public var buildConfiguration: String
  /// `jemalloc` with its version, or `system`.
  public var allocator: String
  /// As in `ClockRecord.source`.
  public var clock: String
  /// Different numbers of runs or frames give different figures. Nil if unknown, or known to be equal.
  public var options: RunOptions?

  /// Drops the budget share of the options: it changes no timing.
  public init(
    machine: String, cpuModel: String?, toolchain: String, buildConfiguration: String, allocator: String,
    clock: String, options: RunOptions?
  ) {
    self.machine = machine
    self.cpuModel = cpuModel
    self.toolchain = toolchain
    self.buildConfiguration = buildConfiguration
    self.allocator = allocator
    self.clock = clock
    self.options = options
    // A budget does not change what a frame costs.
    self.options?.budgetShare = nil
  }

  /// - Parameters:
  ///   - environment: Of a run.
  ///   - options: Nil if unknown, or known to be equal.
  public init(_ environment: Environment, options: RunOptions? = nil) {
    self.init(
      machine: environment.machine, cpuModel: environment.cpuModel, toolchain: environment.toolchain,
      buildConfiguration: environment.buildConfiguration, allocator: environment.allocator,
      clock: environment.clock.source, options: options)
  }

  /// What changed, in words: `toolchain: Swift 6.3.1 → Swift 6.3.2`.
  public func changes(to later: EnvironmentKey) -> [String] {
    Fact.differences(facts, later.facts).map { "\($0.name): \($0.first) → \($0.second)" }
  }

  private var facts: [Fact] {
    [Fact("machine", machine), Fact("CPU", cpuModel ?? "unknown")]
      + Fact.ofBuild(
        toolchain: toolchain, buildConfiguration: buildConfiguration, allocator: allocator)
      + [Fact("clock", clock), Fact("measuring", Self.text(options))]
  }

  private static func text(_ options: RunOptions?) -> String {
    guard let options else { return "unknown" }
    return "\(options.runCount) runs of \(options.frameCount) frames after \(options.warmUpFrameCount) at "
      + "\(options.refreshRateHertz) Hz, seed \(options.seed)" + (options.tracePath.map { ", \($0)" } ?? "")
      + (options.layoutCount.map { ", \($0) link orders" } ?? "")
  }
}

/// Something that figures depend on, in words.
public struct Fact: Sendable, Hashable {
  /// As messages call it: `refresh rate`.
  public var name: String
  /// With its unit, if it has one: `60 Hz`.
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// The differences between two lists of the same facts, in their order.
  public static func differences(
    _ first: [Fact], _ second: [Fact]
  ) -> [(name: String, first: String, second: String)] {
    precondition(first.map(\.name) == second.map(\.name), "facts of two kinds: \(first) and \(second)")
    return zip(first, second).filter { $0 != $1 }.map { ($0.name, $0.value, $1.value) }
  }

  /// What determines a program besides its sources.
  static func ofBuild(toolchain: String, buildConfiguration: String, allocator: String) -> [Fact] {
    [Fact("toolchain", toolchain), Fact("build", buildConfiguration), Fact("allocator", allocator)]
  }
}

extension RunOptions {
  /// What determines the work of a frame: runs that differ in it did different work.
  public var factsOfWork: [Fact] {
    [
      Fact("frames", "\(frameCount)"), Fact("warm-up frames", "\(warmUpFrameCount)"),
      Fact("refresh rate", "\(refreshRateHertz) Hz"), Fact("seed", "\(seed)"),
      Fact("trace", tracePath ?? "the scenario's own"),
    ]
  }
}
