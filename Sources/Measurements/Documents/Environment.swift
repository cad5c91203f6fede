import FrameBench

/// The machine and the build that a document was measured on. Timings from different environments are not
/// comparable. Unknown values are nil.
public struct Environment: Codable, Sendable, Hashable {
  /// Short name of the machine, usable as a folder: `amd-epyc-4c`.
  public var machine: String
  /// As the system names it, from `/proc/cpuinfo`.
  public var cpuModel: String?
  /// Cores that this process may use.
  public var coreCount: Int
  /// Total memory of the machine, bytes, regardless of the process's limits.
  public var memoryBytes: Int?
  /// Name and release: `Linux 6.1.0`; `unknown` if the system does not say.
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
  /// `jemalloc 5.3.0` if it is linked, otherwise `system`.
  public var allocator: String
  /// The clock of the run with the median pair cost.
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
