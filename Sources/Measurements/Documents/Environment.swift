/// The machine and the build that a document was measured on. Timings of different environments are
/// not comparable. What could not be found out is nil.
public struct Environment: Codable, Sendable, Hashable {
  /// Short name of the machine, usable as a folder: `amd-epyc-4c`.
  public var machine: String
  /// As the system names it, from `/proc/cpuinfo`.
  public var cpuModel: String?
  /// Cores that this process may use.
  public var coreCount: Int
  /// All memory of the machine, bytes, whatever limit the process has.
  public var memoryBytes: Int?
  /// Name and release: `Linux 6.1.0`; `unknown` where the system does not tell.
  public var kernel: String
  /// Name and version, from `/etc/os-release`.
  public var operatingSystem: String?
  /// True under a hypervisor.
  public var isVirtualMachine: Bool?
  /// Full hash of the commit; nil outside a git checkout.
  public var commit: String?
  /// Whether the work tree differed from the commit.
  public var isDirty: Bool?
  /// `swift --version` of the compiler that built this program, first line's version part.
  public var toolchain: String
  /// `release` or `debug`.
  public var buildConfiguration: String
  /// `jemalloc 5.3.0` where it is linked, else `system`.
  public var allocator: String
  /// Of the clocks of several runs, the one whose pair cost is the middle one.
  public var clock: ClockRecord
  /// Load average over one minute when the run began.
  public var loadAverage: Double?

  public init(
    machine: String, cpuModel: String?, coreCount: Int, memoryBytes: Int?, kernel: String,
    operatingSystem: String?, isVirtualMachine: Bool?, commit: String?, isDirty: Bool?,
    toolchain: String, buildConfiguration: String, allocator: String, clock: ClockRecord,
    loadAverage: Double?
  ) {
    self.machine = machine
    self.cpuModel = cpuModel
    self.coreCount = coreCount
    self.memoryBytes = memoryBytes
    self.kernel = kernel
    self.operatingSystem = operatingSystem
    self.isVirtualMachine = isVirtualMachine
    self.commit = commit
    self.isDirty = isDirty
    self.toolchain = toolchain
    self.buildConfiguration = buildConfiguration
    self.allocator = allocator
    self.clock = clock
    self.loadAverage = loadAverage
  }
}

/// The clock that timed the frames.
public struct ClockRecord: Codable, Sendable, Hashable {
  /// `tsc` or `clock_gettime(CLOCK_MONOTONIC_RAW)`.
  public var source: String
  /// What an empty pair of reads measures: taken off every sample, nanoseconds.
  public var pairCostNanoseconds: Double
  /// Smallest step between two different reads, nanoseconds.
  public var resolutionNanoseconds: Double

  public init(source: String, pairCostNanoseconds: Double, resolutionNanoseconds: Double) {
    self.source = source
    self.pairCostNanoseconds = pairCostNanoseconds
    self.resolutionNanoseconds = resolutionNanoseconds
  }
}
