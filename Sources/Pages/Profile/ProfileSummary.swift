import Judging
import Measurements
import TextFormat

/// The page of a profile: the time, allocations and instructions of a frame.
struct ProfileSummary {
  let profile: FrameProfile
  let environment: Environment?
  var difference: DifferentialProfile?
  var allocationDifference: [Block] = []

  /// Rows of a table; the rest is in the files beside the page.
  private static let rowCount = 12

  /// Missing results have no section. Links to pictures and files assume that they lie beside the page.
  var blocks: [Block] {
    heading + (difference?.blocks(pictureName: ProfileFile.difference.rawValue) ?? []) + allocationDifference + time
      + allocations + timeline + instructions + notes + [.heading(level: 2, "Files"), .list(files)]
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
    let costs = FunctionCost.costs(of: cpu.stacks)
    let error = cpu.sampleCount > 0 ? 0.5 / Double(cpu.sampleCount).squareRoot() : 1
    let points = Format.fixed(200 * error, decimals: 1)
    return [
      .heading(level: 2, "Time"),
      .paragraph(
        """
        A frame costs \(TimeUnit.text(cpu.frameNanoseconds)) on average (the minimum over runs without a \
        profiler). \(Format.integer(cpu.sampleCount)) samples show where the time goes; the frames were run \
        \(Format.integer(cpu.repetitionCount)) times to collect them.
        """), .picture(ProfileFile.cpuPicture.rawValue, alternative: "Flame graph of the time of a frame"),
      table(costs, whole: Double(cpu.sampleCount)) { TimeUnit.text($0 * cpu.nanosecondsPerSample) },
      .paragraph("A share is accurate to ±\(points) percentage points or better (two standard errors)."),
    ]
  }

  private func table(_ costs: [FunctionCost], whole: Double, _ text: (Double) -> String) -> Block {
    var table = Table([
      ("function", .left), ("where", .left), ("itself", .right), ("share", .right), ("with what it calls", .right),
      ("share", .right),
    ])
    func cells(_ value: Double) -> [RichText] {
      [RichText(text(value)), "\(Format.percent(whole > 0 ? value / whole : 0))"]
    }
    let notable = FunctionCost.notable(costs, count: Self.rowCount, whole: whole)
    for cost in notable {
      let place = cost.frame.position ?? cost.frame.library
      table.append(
        [.code(cost.frame.shortFunction), place.map(RichText.code) ?? "\(Format.absent)"] + cells(cost.own)
          + cells(cost.total))
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
    let frames = Double(max(1, allocations.frameCount))
    let table = Table(
      allocations.stacks.prefix(Self.rowCount),
      [
        .left("allocates") { .code($0.site?.shortFunction ?? "[unknown]") },
        .left("where") { $0.site?.position.map(RichText.code) ?? "\(Format.absent)" },
        .right("count") { "\(Format.integer($0.count))" }, .right("bytes") { "\(Format.integer($0.bytes))" },
        .right("a frame") { "\(Format.count(Double($0.count) / frames))" },
        .right("bytes a frame") { "\(Format.count(Double($0.bytes) / frames))" },
        .right("first frame") { "\(Format.integer($0.firstFrame))" },
      ])
    let rest = allocations.stacks.count - Self.rowCount
    let more: RichText = "And \(Format.plural(rest, "more place")), in \(code: "allocations.txt")."
    return [
      heading, .paragraph("\(strong: "\(allocations.verdict)"); none was missed."),
      .picture(ProfileFile.allocationsPicture.rawValue, alternative: "Flame graph of allocations"), .table(table),
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
          ? "No frame misses its budget of \(budget).\(dearest)" : "\(strong: "\(late)"): \(numbers).\(dearest)"),
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
      table(instructions.functions, whole: Double(instructions.total)) { Format.count(($0 / frames).rounded()) },
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
        "\(link(.cpuPicture)): flame graph; click to zoom, / to search", "\(link(.cpuSpeedscope)): for speedscope.app",
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

/// The files of a profile, in one folder.
package enum ProfileFile: String, Sendable, CaseIterable {
  case summary = "profile.md"
  case cpuPicture = "cpu.svg"
  case cpuSpeedscope = "cpu.speedscope.json"
  case cpuFolded = "cpu.folded"
  case allocationsText = "allocations.txt"
  case allocationsPicture = "allocations.svg"
  case allocationsFolded = "allocations.folded"
  case allocatedBytesFolded = "allocated-bytes.folded"
  case timeline = "timeline.json"
  case callgrind = "callgrind.out"
  case difference = "difference.svg"
  case differenceFolded = "difference.folded"
}

extension FrameProfile {
  /// All files but callgrind's, which is made elsewhere.
  /// - Parameters:
  ///   - allocationDifference: A section of the page.
  ///   - exporter: The program, `springbench@0.1.0`.
  package func files(
    environment: Environment?, difference: DifferentialProfile? = nil, allocationDifference: [Block] = [],
    exporter: String
  ) -> [(file: ProfileFile, text: String)] {
    var files: [(ProfileFile, String)] = [
      (
        .summary,
        ProfileSummary(
          profile: self, environment: environment, difference: difference, allocationDifference: allocationDifference
        ).blocks.markdown()
      )
    ]
    if let cpu { files += cpuFiles(cpu, exporter: exporter) }
    if let allocations { files += allocationFiles(allocations) }
    if let timeline { files.append((.timeline, ChromeTrace(timeline: timeline).render())) }
    if let difference { files += [(.difference, difference.flameGraph()), (.differenceFolded, difference.folded())] }
    return files
  }

  private func cpuFiles(_ cpu: SampledProfile, exporter: String) -> [(ProfileFile, String)] {
    let tree = CallTree(root: id.description, stacks: cpu.stacks, value: cpu.nanoseconds)
    let picture = FlameGraph(
      tree: tree, title: "\(id): time of a frame",
      subtitle:
        "\(TimeUnit.text(cpu.frameNanoseconds)) a frame, \(Format.integer(cpu.sampleCount)) samples of \(frameText)",
      text: TimeUnit.text)
    return [
      (.cpuPicture, picture.render()),
      (
        .cpuSpeedscope,
        Speedscope.render(cpu.stacks, name: "\(id)", exporter: exporter, unit: "nanoseconds", value: cpu.nanoseconds)
      ), (.cpuFolded, FoldedStacks.render(cpu.stacks) { $0.count }),
    ]
  }

  private func allocationFiles(_ allocations: AllocationProfile) -> [(ProfileFile, String)] {
    let text = (ProfileFile.allocationsText, allocations.text(name: "\(id)"))
    guard allocations.count > 0 else { return [text] }
    let tree = CallTree(root: id.description, stacks: allocations.stacks) { Double($0.count) }
    let picture = FlameGraph(
      tree: tree, title: "\(id): allocations", subtitle: "\(allocations.verdict); widths are counts",
      text: { Format.plural(Int($0.rounded()), "allocation") })
    return [
      text, (.allocationsPicture, picture.render()),
      (.allocationsFolded, FoldedStacks.render(allocations.stacks) { $0.count }),
      (.allocatedBytesFolded, FoldedStacks.render(allocations.stacks) { $0.bytes }),
    ]
  }
}

// MARK: - Differences of two profiles

extension DifferentialProfile {
  /// An SVG file, red if the candidate spends more and blue if less.
  func flameGraph() -> String {
    FlameGraph(
      tree: tree, title: "\(id): \(candidateName) against \(baselineName)",
      subtitle: "Time of a frame: \(TimeUnit.text(baseline.frameNanoseconds)) → "
        + "\(TimeUnit.text(candidate.frameNanoseconds)); \(Format.integer(baseline.sampleCount)) and "
        + "\(Format.integer(candidate.sampleCount)) samples. Widths are those of the larger side.", isDifference: true,
      text: TimeUnit.text
    ).render()
  }

  /// Folded stacks with both sides, as `difffolded.pl` writes them: `a;b 12 34`, picoseconds per frame.
  func folded() -> String {
    var sums: [String: (Int, Int)] = [:]
    func add(_ profile: SampledProfile, _ path: WritableKeyPath<(Int, Int), Int>) {
      for stack in profile.stacks {
        let line = stack.frames.map(FoldedStacks.name).joined(separator: ";")
        sums[line, default: (0, 0)][keyPath: path] += Int((profile.nanoseconds(stack) * 1_000).rounded())
      }
    }
    add(baseline, \.0)
    add(candidate, \.1)
    return sums.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.0) \($0.value.1)\n" }.joined()
  }

  /// - Parameter count: Number of movers; those that chance may have moved come last, and are marked.
  package func blocks(pictureName: String, count: Int = 12) -> [Block] {
    let change = candidate.frameNanoseconds - baseline.frameNanoseconds
    let relative = baseline.frameNanoseconds > 0 ? abs(change) / baseline.frameNanoseconds : 0
    var blocks: [Block] = [
      .heading(level: 2, "Where they differ"),
      .paragraph(
        """
        A frame of \(code: id) costs \(TimeUnit.text(candidate.frameNanoseconds)) in \(candidateName), \
        \(TimeUnit.text(baseline.frameNanoseconds)) in \(baselineName): \
        \(Self.signed(change)), \(Format.percent(relative)) \(change < 0 ? "less" : "more").
        """),
    ]
    if let growth = growths.first {
      let change: RichText = "\(code: growth.frame.shortFunction) grew most: +\(TimeUnit.text(growth.change))"
      let place: RichText = growth.position.map { " (\(code: $0))" } ?? ""
      let caller: RichText = growth.caller.map { ", called by \(code: $0.shortFunction)" } ?? ""
      blocks.append(.paragraph("\(strong: change)\(place)\(caller). Library functions that it calls count as its own."))
    }
    blocks.append(.picture(pictureName, alternative: "Red: more than before; blue: less"))
    let clear = movers.filter(\.isClear)
    let shown = Array((clear + movers.filter { !$0.isClear }).prefix(max(count, 1)))
    if clear.isEmpty {
      blocks.append(.paragraph("No function changed by more than chance explains (three standard errors)."))
    }
    let table = Table(
      shown,
      [
        .left("function") { .code($0.frame.shortFunction) },
        .left("where") { ($0.frame.position ?? $0.frame.library).map(RichText.code) ?? "\(Format.absent)" },
        .right("before") { "\(TimeUnit.text($0.baseline))" }, .right("after") { "\(TimeUnit.text($0.candidate))" },
        .right("change") { "\(Self.signed($0.change))" }, .left("more than chance") { $0.isClear ? "yes" : "no" },
      ])
    return blocks + [.table(table), .paragraph("Time per frame in the function itself, without what it calls.")]
  }

  private static func signed(_ nanoseconds: Double) -> String {
    "\(nanoseconds < 0 ? "−" : "+")\(TimeUnit.text(abs(nanoseconds)))"
  }
}

extension AllocationDifference {
  /// A section of a page.
  ///
  /// - Parameter count: Rows of the table; a line below it says how many more there are.
  package func blocks(baselineName: String, candidateName: String, count: Int = 12) -> [Block] {
    let opening: [Block] = [
      .heading(level: 2, "What allocates more"),
      .paragraph("\(candidateName): \(candidate.verdict). \(baselineName): \(baseline.verdict)."),
    ]
    guard !growths.isEmpty else {
      let kind = candidate.lostCount == 0 ? "" : " whose stacks were recorded"
      return opening + [.paragraph("No function\(kind) allocates more often than before.")]
    }
    let table = Table(
      growths.prefix(count),
      [
        .left("allocates") { .code($0.site.shortFunction) },
        .left("where") { $0.site.position.map(RichText.code) ?? "\(Format.absent)" },
        .right("before") { "\(Format.integer($0.baseline.count))" },
        .right("after") { "\(Format.integer($0.candidate.count))" },
        .right("bytes before") { "\(Format.integer($0.baseline.bytes))" },
        .right("bytes after") { "\(Format.integer($0.candidate.bytes))" },
      ])
    let rest = growths.count - count
    return opening + [.table(table)] + (rest > 0 ? [.paragraph("And \(Format.plural(rest, "more place")).")] : [])
  }
}

extension AllocationDifference.Growth {
  /// Allocations if it allocates more often, else bytes.
  package var mover: RegressionProfile.Mover {
    let isCount = count > 0
    return .init(
      function: site.function, position: site.position, baseline: Double(isCount ? baseline.count : baseline.bytes),
      candidate: Double(isCount ? candidate.count : candidate.bytes), unit: isCount ? .count : .bytes)
  }
}
