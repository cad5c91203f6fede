import FrameBench

/// What timings depend on beside the code.
public struct Surroundings: Sendable, Hashable {
  public var machine: String
  public var cpuModel: String?
  public var toolchain: String
  public var buildConfiguration: String
  public var allocator: String
  public var clock: String
  /// A minimum over other runs, or percentiles over other frames, are other figures.
  public var options: RunOptions?

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
    // What a frame is held against changes nothing of what it costs.
    self.options?.budgetShare = nil
  }

  /// What is different afterwards, in words: `toolchain: Swift 6.3.1 → Swift 6.3.2`.
  public func changes(to later: Surroundings) -> [String] {
    let pairs = [
      ("machine", machine, later.machine), ("CPU", cpuModel ?? "unknown", later.cpuModel ?? "unknown"),
      ("toolchain", toolchain, later.toolchain),
      ("build", buildConfiguration, later.buildConfiguration), ("allocator", allocator, later.allocator),
      ("clock", clock, later.clock), ("measuring", Self.text(options), Self.text(later.options)),
    ]
    return pairs.filter { $0.1 != $0.2 }.map { "\($0.0): \($0.1) → \($0.2)" }
  }

  private static func text(_ options: RunOptions?) -> String {
    guard let options else { return "unknown" }
    return "\(options.runCount) runs of \(options.frameCount) frames after \(options.warmUpFrameCount) at "
      + "\(options.refreshRateHertz) Hz, seed \(options.seed)" + (options.tracePath.map { ", \($0)" } ?? "")
  }
}
