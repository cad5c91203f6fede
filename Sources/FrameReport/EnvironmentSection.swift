import FrameBench

/// The machine and the build that a document was measured on.
struct EnvironmentSection {
  private let environment: Environment

  init(_ environment: Environment) {
    self.environment = environment
  }

  /// The essentials in one line, for the head of a page.
  var line: String {
    let build = "\(environment.toolchain), \(environment.buildConfiguration)"
    let parts = [
      environment.commit.map { commit in
        Markdown.code(String(commit.prefix(7))) + (environment.isDirty == true ? " with local changes" : "")
      },
      environment.cpuModel.map(Markdown.escape) ?? Markdown.escape(environment.machine),
      Markdown.escape(build),
    ]
    return parts.compactMap { $0 }.joined(separator: " · ")
  }

  func render(_ notes: inout Footnotes) -> String {
    var table = MarkdownTable([("machine", .left), (Markdown.code(environment.machine), .left)])
    for (name, value) in rows {
      table.append([name, value ?? Format.absent + notes.mark("Could not be found out on this machine.")])
    }
    return table.render()
  }

  private var rows: [(name: String, value: String?)] {
    let clock = environment.clock
    return [
      ("CPU", environment.cpuModel.map(Markdown.escape)),
      ("cores for this process", Format.integer(environment.coreCount)),
      ("memory", environment.memoryBytes.map { ByteUnit.text(Double($0)) }),
      ("virtual machine", environment.isVirtualMachine.map { $0 ? "yes" : "no" }),
      ("operating system", environment.operatingSystem.map(Markdown.escape)),
      ("kernel", Markdown.escape(environment.kernel)),
      ("load average at the start", environment.loadAverage.map { Format.fixed($0, decimals: 2) }),
      ("commit", environment.commit.map(Markdown.code)),
      ("work tree", environment.isDirty.map { $0 ? "**differs from the commit**" : "clean" }),
      ("toolchain", Markdown.escape(environment.toolchain)),
      ("build", Markdown.escape(environment.buildConfiguration)),
      ("allocator", Markdown.escape(environment.allocator)),
      ("clock", Markdown.code(clock.source)),
      (
        "clock: cost of a pair of reads",
        "\(Format.significant(clock.pairCostNanoseconds)) ns, taken off every sample"
      ),
      (
        "clock: smallest step",
        "\(Format.significant(clock.resolutionNanoseconds)) ns;"
          + " what is shorter than \(Format.significant(clock.shortestNanoseconds)) ns is marked"
      ),
    ]
  }
}
