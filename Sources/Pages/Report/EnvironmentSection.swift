import FrameBench
import Measurements
import TextFormat

/// The machine and the build that a document was measured on.
struct EnvironmentSection {
  private let environment: Environment
  private let calibration: CalibrationRecord?

  init(_ document: RunDocument) {
    environment = document.environment
    calibration = document.calibration
  }

  /// The essentials in one line, for the head of a page.
  var line: RichText {
    let parts: [RichText?] = [
      environment.commit.map { commit in
        "\(code: commit.prefix(7))\(environment.isDirty == true ? " with local changes" : "")"
      },
      "\(environment.cpuModel ?? environment.machine)",
      "\(environment.toolchain), \(environment.buildConfiguration)",
    ]
    return parts.compactMap(\.self).joined(separator: " · ")
  }

  var table: Table {
    var table = Table([("machine", .left), (.code(environment.machine), .left)])
    for (name, value) in rows + calibrationRows {
      table.append(["\(name)", value ?? .absent("Unknown on this machine.")])
    }
    return table
  }

  private var rows: [(name: String, value: RichText?)] {
    let clock = environment.clock
    return [
      ("CPU", environment.cpuModel.map(RichText.text)),
      ("cores for this process", "\(Format.integer(environment.coreCount))"),
      ("memory", environment.memoryBytes.map { "\(ByteUnit.text(Double($0)))" }),
      ("virtual machine", environment.isVirtualMachine.map { $0 ? "yes" : "no" }),
      ("operating system", environment.operatingSystem.map(RichText.text)),
      ("kernel", "\(environment.kernel)"),
      ("load average at the start", environment.loadAverage.map { "\(Format.fixed($0, decimals: 2))" }),
      ("commit", environment.commit.map(RichText.code)),
      ("work tree", environment.isDirty.map { $0 ? .strong("differs from the commit") : "clean" }),
      ("toolchain", "\(environment.toolchain)"),
      ("build", "\(environment.buildConfiguration)"),
      ("allocator", "\(environment.allocator)"),
      ("clock", .code(clock.source)),
      (
        "clock: cost of a pair of reads",
        "\(Format.significant(clock.pairCostNanoseconds)) ns, subtracted from every sample"
      ),
      (
        "clock: smallest step",
        """
        \(Format.significant(clock.resolutionNanoseconds)) ns; times below \
        \(Format.significant(clock.shortestNanoseconds)) ns are marked
        """
      ),
    ]
  }

  /// Empty where it was not measured.
  private var calibrationRows: [(name: String, value: RichText?)] {
    guard let calibration else { return [] }
    // A document may claim that the kernel took no time.
    let score =
      abs(calibration.score) < 1e15 ? Format.integer(Int(calibration.score.rounded())) : Format.absent
    return [
      ("calibration score", "\(score) steps of a fixed kernel per µs"),
      ("calibration at the start", text(calibration.start)),
      ("calibration at the end", calibration.end.map(text)),
    ]
  }

  /// `13.5 µs; p50 0.15% above that, p99 6.5%`
  private func text(_ times: KernelTimes) -> RichText {
    """
    \(TimeUnit.text(times.fastest)) at best; p50 \(Format.percent(times.typicalExcess)) above that, p99 \
    \(Format.percent(times.spread))
    """
  }
}
