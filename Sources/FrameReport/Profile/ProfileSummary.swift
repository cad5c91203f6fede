import Measurements
import Profiling
import TextFormat

/// The page of a profile: where a frame's time, allocations and instructions go, in markdown.
package struct ProfileSummary {
  private let profile: FrameProfile
  private let environment: Environment?
  private let difference: DifferentialProfile?
  private let allocationDifference: String?

  /// Rows of a table; the rest is in the files beside the page.
  private static let rowCount = 12

  /// - Parameter allocationDifference: A section.
  package init(
    _ profile: FrameProfile, environment: Environment?, difference: DifferentialProfile? = nil,
    allocationDifference: String? = nil
  ) {
    self.profile = profile
    self.environment = environment
    self.difference = difference
    self.allocationDifference = allocationDifference
  }

  /// What was not found out has no section. Pictures and files are linked as lying beside the page.
  package func render() -> String {
    let parts = [
      heading, differenceSection, allocationDifference, time, allocations, timeline, instructions, notes,
      files,
    ]
    return parts.compactMap(\.self).joined(separator: "\n\n") + "\n"
  }

  private var heading: String {
    var lines = ["# Profile of \(Markdown.code(profile.id.description))", ""]
    lines.append(
      "Of \(profile.frameText), at \(profile.options.refreshRateHertz) Hz after "
        + "\(Format.plural(profile.options.warmUpFrameCount, "frame")) of warm-up. "
        + "Set-up, warm-up and the harness are cut away.")
    if let environment {
      let commit = environment.commit.map {
        String($0.prefix(7)) + (environment.isDirty == true ? " with changes" : "")
      }
      let parts = [commit.map { "commit \($0)" }, environment.cpuModel, environment.toolchain]
      lines += ["", parts.compactMap(\.self).map(Markdown.escape).joined(separator: " · ")]
    }
    return lines.joined(separator: "\n")
  }

  private var differenceSection: String? {
    difference.map { $0.markdown(pictureName: ProfileFile.difference.rawValue).trimmedEnd }
  }

  private var time: String? {
    guard let cpu = profile.cpu else { return nil }
    let picture = ProfileFile.cpuPicture.rawValue
    var text = """
      ## Time

      A frame costs \(TimeUnit.text(cpu.frameNanoseconds)) on average, by the minimum over runs without a \
      profiler. \(Format.integer(cpu.sampleCount)) samples say where it goes; the frames were run \
      \(Format.integer(cpu.repetitionCount)) times for them.

      [![Flame graph of the time of a frame](\(picture))](\(picture))


      """
    let costs = FunctionCost.costs(of: cpu.stacks) { Double($0.count) }
    text += table(costs, whole: Double(cpu.sampleCount), unit: "time") {
      TimeUnit.text($0 * cpu.nanosecondsPerSample)
    }
    let error = cpu.sampleCount > 0 ? 0.5 / Double(cpu.sampleCount).squareRoot() : 1
    text +=
      "\n\nA share is right to ±\(Format.fixed(200 * error, decimals: 1)) points or better (two standard errors)."
    return text
  }

  private func table(
    _ costs: [FunctionCost], whole: Double, unit: String, _ text: (Double) -> String
  ) -> String {
    var table = MarkdownTable([
      ("function", .left), ("where", .left), ("itself", .right), ("share", .right),
      ("with what it calls", .right), ("share", .right),
    ])
    for cost in costs.prefix(Self.rowCount) {
      table.append([
        Markdown.code(cost.frame.shortFunction),
        cost.frame.position.map(Markdown.code) ?? cost.frame.library.map(Markdown.code) ?? Format.absent,
        text(cost.own), Format.percent(whole > 0 ? cost.own / whole : 0), text(cost.total),
        Format.percent(whole > 0 ? cost.total / whole : 0),
      ])
    }
    let rest = costs.dropFirst(Self.rowCount)
    guard !rest.isEmpty else { return table.render() }
    let own = rest.reduce(0) { $0 + $1.own }
    table.append([
      "\(Format.plural(rest.count, "other"))", "", text(own), Format.percent(whole > 0 ? own / whole : 0), "",
      "",
    ])
    return table.render()
  }

  private var allocations: String? {
    guard let allocations = profile.allocations else { return nil }
    var text = "## Allocations\n\n"
    guard allocations.count > 0 else { return text + "**\(allocations.verdict)**" }
    let picture = ProfileFile.allocationsPicture.rawValue
    text += "**\(allocations.verdict)**; every one was seen.\n\n"
    text += "[![Flame graph of allocations](\(picture))](\(picture))\n\n"
    var table = MarkdownTable([
      ("allocates", .left), ("where", .left), ("count", .right), ("bytes", .right), ("a frame", .right),
      ("bytes a frame", .right), ("first frame", .right),
    ])
    for stack in allocations.stacks.prefix(Self.rowCount) {
      let frames = Double(max(1, allocations.frameCount))
      table.append([
        Markdown.code(stack.site?.shortFunction ?? "[unknown]"),
        stack.site?.position.map(Markdown.code) ?? Format.absent,
        Format.integer(stack.count), Format.integer(stack.bytes), Format.count(Double(stack.count) / frames),
        Format.count(Double(stack.bytes) / frames), Format.integer(stack.firstFrame),
      ])
    }
    text += table.render()
    let rest = allocations.stacks.count - Self.rowCount
    if rest > 0 { text += "\n\nAnd \(Format.plural(rest, "more place")), in `allocations.txt`." }
    return text
  }

  private var timeline: String? {
    guard let timeline = profile.timeline else { return nil }
    let missed = timeline.missedFrames
    let budget = TimeUnit.text(timeline.budgetNanoseconds)
    let costs = profile.frames.filter(timeline.alignedNanoseconds.indices.contains).map {
      (frame: $0, cost: timeline.alignedNanoseconds[$0])
    }
    let worst = costs.sorted { ($1.cost, $0.frame) < ($0.cost, $1.frame) }.prefix(5)
    let names = worst.map { "\(Format.integer($0.frame)) (\(TimeUnit.text($0.cost)))" }
    var text = "## Timeline\n\n"
    text +=
      missed.isEmpty
      ? "No frame misses its budget of \(budget)."
      : "**\(Format.plural(missed.count, "frame")) of \(Format.integer(timeline.alignedNanoseconds.count)) "
        + "\(missed.count == 1 ? "misses its" : "miss their") budget of \(budget)**: "
        + "\(Format.list(missed.prefix(8).map(Format.integer)))\(missed.count > 8 ? ", …" : "")."
    if !names.isEmpty { text += " The dearest: \(Format.list(names))." }
    return text + "\n\nOpen `\(ProfileFile.timeline.rawValue)` in ui.perfetto.dev."
  }

  private var instructions: String? {
    guard let instructions = profile.instructions else { return nil }
    let perFrame = Double(instructions.total) / Double(max(1, instructions.frameCount))
    var text = """
      ## Instructions

      \(Format.count(perFrame.rounded())) a frame, counted by callgrind\(instructions.version.map { " \($0)" } ?? "") \
      over \(Format.plural(instructions.frameCount, "frame")); a model of the machine, not time.


      """
    let frames = Double(max(1, instructions.frameCount))
    text += table(instructions.functions, whole: Double(instructions.total), unit: "instructions") {
      Format.count(($0 / frames).rounded())
    }
    return text + "\n\nInstructions of a frame. Open `\(ProfileFile.callgrind.rawValue)` in KCachegrind."
  }

  private var notes: String? {
    var lines = profile.notes
    if let cpu = profile.cpu {
      if cpu.incompleteCount > 0 {
        lines.append(
          "The callers of \(Format.plural(cpu.incompleteCount, "sample")) could not be found to the end; they stand below their phase."
        )
      }
      if cpu.harnessCount > 0 {
        lines.append(
          "\(Format.plural(cpu.harnessCount, "sample")) met the harness itself, where phases begin and end, and were left out."
        )
      }
    }
    guard !lines.isEmpty else { return nil }
    return "## Notes\n\n" + lines.map { "- \(Markdown.escape($0))" }.joined(separator: "\n")
  }

  private var files: String {
    var lines: [String] = []
    if profile.cpu != nil {
      lines += [
        "- [cpu.svg](cpu.svg): flame graph; click to zoom, / to search",
        "- [cpu.speedscope.json](cpu.speedscope.json): for speedscope.app",
        "- [cpu.folded](cpu.folded): folded stacks, in samples",
      ]
    }
    if let allocations = profile.allocations {
      lines.append("- [allocations.txt](allocations.txt): every place with its stack")
      if allocations.count > 0 {
        lines += [
          "- [allocations.svg](allocations.svg): flame graph, by count",
          "- [allocations.folded](allocations.folded), [allocated-bytes.folded](allocated-bytes.folded): folded stacks",
        ]
      }
    }
    if profile.timeline != nil { lines.append("- [timeline.json](timeline.json): for ui.perfetto.dev") }
    if profile.instructions != nil { lines.append("- [callgrind.out](callgrind.out): for KCachegrind") }
    if difference != nil {
      lines += [
        "- [difference.svg](difference.svg): red and blue flame graph",
        "- [difference.folded](difference.folded): folded stacks of both, in picoseconds of a frame",
      ]
    }
    return "## Files\n\n" + lines.joined(separator: "\n")
  }
}

extension String {
  fileprivate var trimmedEnd: String { String(self.reversed().drop { $0.isNewline }.reversed()) }
}
