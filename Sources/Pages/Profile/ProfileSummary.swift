import Measurements
import TextFormat

/// The page of a profile: where a frame's time, allocations and instructions go.
package struct ProfileSummary {
  private let profile: FrameProfile
  private let environment: Environment?
  private let difference: DifferentialProfile?
  private let allocationDifference: [Block]

  /// Rows of a table; the rest is in the files beside the page.
  private static let rowCount = 12

  /// - Parameter allocationDifference: A section.
  package init(
    _ profile: FrameProfile, environment: Environment?, difference: DifferentialProfile? = nil,
    allocationDifference: [Block] = []
  ) {
    self.profile = profile
    self.environment = environment
    self.difference = difference
    self.allocationDifference = allocationDifference
  }

  /// What was not found out has no section. Pictures and files are linked as lying beside the page.
  package var blocks: [Block] {
    heading + (difference?.blocks(pictureName: ProfileFile.difference.rawValue) ?? []) + allocationDifference
      + time + allocations + timeline + instructions + notes + [.heading(level: 2, "Files"), .list(files)]
  }

  private var heading: [Block] {
    let blocks: [Block] = [
      .heading(level: 1, "Profile of \(code: profile.id)"),
      .paragraph(
        """
        Covers \(profile.frameText), at \(profile.options.refreshRateHertz) Hz after \
        \(Format.plural(profile.options.warmUpFrameCount, "frame")) of warm-up. Set-up, warm-up and the harness \
        are left out.
        """),
    ]
    guard let environment else { return blocks }
    let commit = environment.commit.map {
      "commit \($0.prefix(7))\(environment.isDirty == true ? " with changes" : "")"
    }
    let parts = [commit, environment.cpuModel, environment.toolchain].compactMap(\.self)
    return blocks + [.paragraph("\(parts.joined(separator: " · "))")]
  }

  private var time: [Block] {
    guard let cpu = profile.cpu else { return [] }
    let costs = FunctionCost.costs(of: cpu.stacks) { Double($0.count) }
    let error = cpu.sampleCount > 0 ? 0.5 / Double(cpu.sampleCount).squareRoot() : 1
    let points = Format.fixed(200 * error, decimals: 1)
    return [
      .heading(level: 2, "Time"),
      .paragraph(
        """
        A frame costs \(TimeUnit.text(cpu.frameNanoseconds)) on average (the minimum over runs without a \
        profiler). \(Format.integer(cpu.sampleCount)) samples show where the time goes; the frames were run \
        \(Format.integer(cpu.repetitionCount)) times to collect them.
        """),
      .picture(ProfileFile.cpuPicture.rawValue, alternative: "Flame graph of the time of a frame"),
      table(costs, whole: Double(cpu.sampleCount)) { TimeUnit.text($0 * cpu.nanosecondsPerSample) },
      .paragraph("A share is accurate to ±\(points) percentage points or better (two standard errors)."),
    ]
  }

  private func table(_ costs: [FunctionCost], whole: Double, _ text: (Double) -> String) -> Block {
    var table = Table([
      ("function", .left), ("where", .left), ("itself", .right), ("share", .right),
      ("with what it calls", .right), ("share", .right),
    ])
    func cells(_ value: Double) -> [RichText] {
      [RichText(text(value)), "\(Format.percent(whole > 0 ? value / whole : 0))"]
    }
    let notable = FunctionCost.notable(costs, count: Self.rowCount, whole: whole)
    for cost in notable {
      let place = cost.frame.position ?? cost.frame.library
      table.append(
        [.code(cost.frame.shortFunction), place.map(RichText.code) ?? "\(Format.absent)"]
          + cells(cost.own) + cells(cost.total))
    }
    let restCount = costs.count - notable.count
    if restCount > 0 {
      let own = costs.reduce(0) { $0 + $1.own } - notable.reduce(0) { $0 + $1.own }
      table.append(["\(Format.plural(restCount, "other"))", ""] + cells(own) + ["", ""])
    }
    return .table(table)
  }

  private var allocations: [Block] {
    guard let allocations = profile.allocations else { return [] }
    let heading = Block.heading(level: 2, "Allocations")
    guard allocations.count > 0 else { return [heading, .paragraph(.strong(allocations.verdict))] }
    var table = Table([
      ("allocates", .left), ("where", .left), ("count", .right), ("bytes", .right), ("a frame", .right),
      ("bytes a frame", .right), ("first frame", .right),
    ])
    for stack in allocations.stacks.prefix(Self.rowCount) {
      let frames = Double(max(1, allocations.frameCount))
      let figures = [
        Format.integer(stack.count), Format.integer(stack.bytes), Format.count(Double(stack.count) / frames),
        Format.count(Double(stack.bytes) / frames), Format.integer(stack.firstFrame),
      ]
      table.append(
        [
          .code(stack.site?.shortFunction ?? "[unknown]"),
          stack.site?.position.map(RichText.code) ?? "\(Format.absent)",
        ] + figures.map(RichText.text))
    }
    let rest = allocations.stacks.count - Self.rowCount
    let more: RichText = "And \(Format.plural(rest, "more place")), in \(code: "allocations.txt")."
    return [
      heading, .paragraph("\(strong: "\(allocations.verdict)"); none was missed."),
      .picture(ProfileFile.allocationsPicture.rawValue, alternative: "Flame graph of allocations"),
      .table(table),
    ] + (rest > 0 ? [.paragraph(more)] : [])
  }

  private var timeline: [Block] {
    guard let timeline = profile.timeline else { return [] }
    let missed = timeline.missedFrames
    let budget = TimeUnit.text(timeline.budgetNanoseconds)
    let costs = profile.frames.filter(timeline.alignedNanoseconds.indices.contains).map {
      (frame: $0, cost: timeline.alignedNanoseconds[$0])
    }
    let worst = costs.sorted { ($1.cost, $0.frame) < ($0.cost, $1.frame) }.prefix(5)
    let names = worst.map { "\(Format.integer($0.frame)) (\(TimeUnit.text($0.cost)))" }
    let dearest = names.isEmpty ? "" : " The most expensive: \(Format.list(names))."
    let late =
      "\(Format.plural(missed.count, "frame")) of \(Format.integer(timeline.alignedNanoseconds.count)) "
      + "\(missed.count == 1 ? "misses its" : "miss their") budget of \(budget)"
    let numbers = Format.list(missed.prefix(8).map(Format.integer)) + (missed.count > 8 ? ", …" : "")
    return [
      .heading(level: 2, "Timeline"),
      .paragraph(
        missed.isEmpty
          ? "No frame misses its budget of \(budget).\(dearest)"
          : "\(strong: "\(late)"): \(numbers).\(dearest)"),
      .paragraph("Open \(code: ProfileFile.timeline.rawValue) in ui.perfetto.dev."),
    ]
  }

  private var instructions: [Block] {
    guard let instructions = profile.instructions else { return [] }
    let frames = Double(max(1, instructions.frameCount))
    let perFrame = Format.count((Double(instructions.total) / frames).rounded())
    return [
      .heading(level: 2, "Instructions"),
      .paragraph(
        """
        \(perFrame) a frame, counted by callgrind\(instructions.version.map { " \($0)" } ?? "") over \
        \(Format.plural(instructions.frameCount, "frame")); a model of the machine, not time.
        """),
      table(instructions.functions, whole: Double(instructions.total)) {
        Format.count(($0 / frames).rounded())
      },
      .paragraph("Instructions per frame. Open \(code: ProfileFile.callgrind.rawValue) in KCachegrind."),
    ]
  }

  private var notes: [Block] {
    var lines = profile.notes
    if let cpu = profile.cpu {
      if cpu.incompleteCount > 0 {
        lines.append(
          "The callers of \(Format.plural(cpu.incompleteCount, "sample")) could not be traced to the end; they are listed below their phase."
        )
      }
      if cpu.harnessCount > 0 {
        lines.append(
          "\(Format.plural(cpu.harnessCount, "sample")) hit the harness itself, where phases begin and end, and were left out."
        )
      }
    }
    return lines.isEmpty ? [] : [.heading(level: 2, "Notes"), .list(lines.map(RichText.text))]
  }

  private var files: [RichText] {
    func link(_ file: ProfileFile) -> RichText { "\("\(file.rawValue)", link: file.rawValue)" }
    var lines: [RichText] = []
    if profile.cpu != nil {
      lines += [
        "\(link(.cpuPicture)): flame graph; click to zoom, / to search",
        "\(link(.cpuSpeedscope)): for speedscope.app",
        "\(link(.cpuFolded)): folded stacks, in samples",
      ]
    }
    if let allocations = profile.allocations {
      lines.append("\(link(.allocationsText)): every place with its stack")
      if allocations.count > 0 {
        lines += [
          "\(link(.allocationsPicture)): flame graph, by count",
          "\(link(.allocationsFolded)), \(link(.allocatedBytesFolded)): folded stacks",
        ]
      }
    }
    if profile.timeline != nil { lines.append("\(link(.timeline)): for ui.perfetto.dev") }
    if profile.instructions != nil { lines.append("\(link(.callgrind)): for KCachegrind") }
    if difference != nil {
      lines += [
        "\(link(.difference)): red and blue flame graph",
        "\(link(.differenceFolded)): folded stacks of both, in picoseconds per frame",
      ]
    }
    return lines
  }
}

extension Block {
  /// A picture that leads to its file, where it can be clicked.
  static func picture(_ file: String, alternative: String) -> Block {
    .paragraph("\(RichText([.image(alternative: alternative, source: file)]), link: file)")
  }
}
