import Foundation
import Judging
import Markup
import Measurements
import TextFormat

extension FrameProfile {
  /// The maximum number of rows in a table. The files next to the page contain the other rows.
  fileprivate static let rowCount = 12

  /// The page of the profile: time, allocations and instructions of a frame. Pictures and files lie next to it.
  package func summary(
    _ environment: Environment?, _ difference: DifferentialProfile? = nil, _ allocationDifference: [Block] = []
  ) -> [Block] {
    heading(environment) + (difference?.blocks ?? []) + allocationDifference + timeBlocks + allocationBlocks
      + timelineBlocks + instructionBlocks + noteBlocks + [
        .heading(level: 2, "Files"), .list(fileLines(hasDifference: difference != nil)),
      ]
  }

  private func heading(_ environment: Environment?) -> [Block] {
    let content: RichText = """
      Covers \(frameText), at \(options.refreshRateHertz) Hz after \
      \(Format.plural(options.warmUpFrameCount, "frame")) of warm-up. Set-up and warm-up are left out.
      """
    let blocks: [Block] = [.heading(level: 1, "Profile of \(code: id)"), .paragraph(content)]
    guard let environment else { return blocks }
    let changes = environment.isDirty == true ? " with changes" : ""
    let commit = environment.commit.map { "commit \($0.prefix(7))\(changes)" }
    let parts = [commit, environment.cpuModel, environment.toolchain].compactMap(\.self)
    return blocks + [.paragraph("\(parts.joined(separator: " · "))")]
  }

  private var timeBlocks: [Block] {
    guard let cpu else { return [] }
    let costs = FunctionCost.costs(of: cpu.stacks)
    let error = cpu.sampleCount > 0 ? 0.5 / Double(cpu.sampleCount).squareRoot() : 1
    let points = Format.fixed(200 * error, decimals: 1)
    let cost: RichText = """
      A frame costs \(TimeUnit.text(cpu.frameNanoseconds)) on average (the minimum over runs without a \
      profiler). \(Format.integer(cpu.sampleCount)) samples show where the time goes; the frames were run \
      \(Format.integer(cpu.repetitionCount)) times to collect them.
      """
    let own = FunctionCost.costsInProgram(of: cpu.stacks)
    let ofProgram: [Block] =
      own.isEmpty
      ? []
      : [
        .paragraph("The program's own functions, with what they call in springbench's engine and in libraries:"),
        Self.table(own, whole: Double(cpu.sampleCount)) { TimeUnit.text($0 * cpu.nanosecondsPerSample) },
        .paragraph("All functions, each by itself:"),
      ]
    return [
      .heading(level: 2, "Time"), .paragraph(cost),
      .picture(ProfileFile.cpuPicture.rawValue, alternative: "Flame graph of the time of a frame"),
    ] + ofProgram + [
      Self.table(costs, whole: Double(cpu.sampleCount)) { TimeUnit.text($0 * cpu.nanosecondsPerSample) },
      .paragraph("A share is accurate to ±\(points) percentage points or better (two standard errors)."),
    ]
  }

  private static func table(_ costs: [FunctionCost], whole: Double, _ text: @escaping (Double) -> String) -> Block {
    typealias Line = (function: RichText, place: RichText, own: Double, total: Double?)
    let notable = FunctionCost.notable(costs, count: rowCount, whole: whole)
    var lines: [Line] = notable.map {
      (.code($0.frame.shortFunction), .place($0.frame.position ?? $0.frame.library), $0.own, $0.total)
    }
    let restCount = costs.count - notable.count
    if restCount > 0 {
      let own = costs.reduce(0) { $0 + $1.own } - notable.reduce(0) { $0 + $1.own }
      lines.append(("\(Format.plural(restCount, "other"))", "", own, nil))
    }
    func share(_ value: Double) -> String { Format.percent(whole > 0 ? value / whole : 0) }
    return .table(
      Table(
        lines, .left("function") { $0.function }, .left("where") { $0.place }, .right("itself") { .text(text($0.own)) },
        .right("share") { .text(share($0.own)) }, .right("with what it calls") { .text($0.total.map(text) ?? "") },
        .right("share") { .text($0.total.map(share) ?? "") }))
  }

  private var allocationBlocks: [Block] {
    guard let allocations else { return [] }
    let heading = Block.heading(level: 2, "Allocations")
    guard allocations.count > 0 else { return [heading, .paragraph(.strong(allocations.verdict))] }
    let frames = Double(max(1, allocations.frameCount))
    func name(_ stack: ProfileStack) -> RichText {
      let site: RichText = .code(stack.site?.shortFunction ?? "[unknown]")
      return stack.engineSite.map { "\(site), in \(code: $0.shortFunction)" } ?? site
    }
    let lost = allocations.lostCount
    let missed = lost == 0 ? "none was missed" : "the stacks of \(Format.integer(lost)) did not fit into memory"
    let table = Table(
      allocations.stacks.prefix(Self.rowCount), .left("allocates", name), .left("where") { .place($0.site?.position) },
      .right("count") { "\(Format.integer($0.count))" }, .right("bytes") { "\(Format.integer($0.bytes))" },
      .right("a frame") { "\(Format.count(Double($0.count) / frames))" },
      .right("bytes a frame") { "\(Format.count(Double($0.bytes) / frames))" },
      .right("first frame") { "\(Format.integer($0.firstFrame))" })
    let rest = allocations.stacks.count - Self.rowCount
    let more: RichText = "And \(Format.plural(rest, "more place")), in \(code: "allocations.txt")."
    return [
      heading, .paragraph("\(strong: "\(allocations.verdict)"); \(missed)."),
      .picture(ProfileFile.allocationsPicture.rawValue, alternative: "Flame graph of allocations"), .table(table),
    ] + (rest > 0 ? [.paragraph(more)] : [])
  }

  private var timelineBlocks: [Block] {
    guard let timeline else { return [] }
    let missed = timeline.missedFrames
    let budget = TimeUnit.text(timeline.budgetNanoseconds)
    let costs = frames.filter(timeline.alignedNanoseconds.indices.contains).map {
      (frame: $0, cost: timeline.alignedNanoseconds[$0])
    }
    let worst = costs.sorted { ($1.cost, $0.frame) < ($0.cost, $1.frame) }.prefix(5)
    let names = worst.map { "\(Format.integer($0.frame)) (\(TimeUnit.text($0.cost)))" }
    let dearest = names.isEmpty ? "" : " The most expensive: \(Format.list(names))."
    let late: RichText = """
      \(Format.plural(missed.count, "frame")) of \(Format.integer(timeline.alignedNanoseconds.count)) \
      \(missed.count == 1 ? "misses its" : "miss their") budget of \(budget)
      """
    let numbers = Format.list(missed.map(Format.integer), atMost: 8)
    let verdict: RichText = missed.isEmpty ? "No frame misses its budget of \(budget)" : "\(strong: late): \(numbers)"
    return [
      .heading(level: 2, "Timeline"), .paragraph("\(verdict).\(dearest)"),
      .paragraph("Open \(code: ProfileFile.timeline.rawValue) in ui.perfetto.dev."),
    ]
  }

  private var instructionBlocks: [Block] {
    guard let instructions else { return [] }
    let frames = Double(max(1, instructions.frameCount))
    func perFrame(_ count: Double) -> String { Format.count((count / frames).rounded()) }
    let total = Double(instructions.total)
    let summary: RichText = """
      \(perFrame(total)) a frame, counted by callgrind\(instructions.version.map { " \($0)" } ?? "") over \
      \(Format.plural(instructions.frameCount, "frame")); a model of the machine, not time.
      """
    return [
      .heading(level: 2, "Instructions"), .paragraph(summary),
      Self.table(instructions.functions, whole: total, perFrame),
      .paragraph(
        "Instructions per frame, with those of the harness. Open \(code: ProfileFile.callgrind.rawValue) in KCachegrind."
      ),
    ]
  }

  private var noteBlocks: [Block] {
    var lines = notes
    if let count = cpu?.incompleteCount, count > 0 {
      lines.append(
        "The callers of \(Format.plural(count, "sample")) could not be traced to the end; they are listed below their phase."
      )
    }
    if let count = cpu?.harnessCount, count > 0 {
      lines.append(
        "\(Format.plural(count, "sample")) hit the harness itself, where phases begin and end, and were left out.")
    }
    return Block.section("Notes", lines.map(RichText.text))
  }

  private func fileLines(hasDifference: Bool) -> [RichText] {
    let allocates = (allocations?.count ?? 0) > 0
    let lines: [(isThere: Bool, files: [ProfileFile], use: String)] = [
      (cpu != nil, [.cpuPicture], "flame graph; click to zoom, / to search"),
      (cpu != nil, [.cpuSpeedscope], "for speedscope.app"), (cpu != nil, [.cpuFolded], "folded stacks, in samples"),
      (allocations != nil, [.allocationsText], "every place with its stack"),
      (allocates, [.allocationsPicture], "flame graph, by count"),
      (allocates, [.allocationsFolded, .allocatedBytesFolded], "folded stacks"),
      (timeline != nil, [.timeline], "for ui.perfetto.dev"), (instructions != nil, [.callgrind], "for KCachegrind"),
      (hasDifference, [.difference], "red and blue flame graph"),
      (hasDifference, [.differenceFolded], "folded stacks of both, in picoseconds per frame"),
    ]
    return lines.filter(\.isThere).map { _, files, use in
      let links = files.map { "\("\($0.rawValue)", link: $0.rawValue)" as RichText }
      return "\(links.joined(separator: ", ")): \(use)"
    }
  }

  /// All files of the profile except the file of callgrind, which the caller adds.
  /// - Parameter exporter: The program that writes the files, and its version, such as `springbench@0.1.0`.
  package func files(
    environment: Environment?, difference: DifferentialProfile? = nil, allocationDifference: [Block] = [],
    exporter: String
  ) -> [(name: String, data: Data)] {
    var files = [(ProfileFile.summary, summary(environment, difference, allocationDifference).markdown())]
    if let cpu { files += cpuFiles(cpu, exporter: exporter) }
    if let allocations { files += allocationFiles(allocations) }
    if let timeline { files.append((.timeline, ChromeTrace(timeline: timeline).render())) }
    if let difference { files += [(.difference, difference.flameGraph()), (.differenceFolded, difference.folded())] }
    return files.map { ($0.rawValue, Data($1.utf8)) }
  }

  private func cpuFiles(_ cpu: SampledProfile, exporter: String) -> [(ProfileFile, String)] {
    let tree = CallTree(root: id.description, stacks: cpu.stacks, value: cpu.nanoseconds)
    let picture = FlameGraph(
      tree: tree, title: "\(id): time of a frame",
      subtitle:
        "\(TimeUnit.text(cpu.frameNanoseconds)) a frame, \(Format.integer(cpu.sampleCount)) samples of \(frameText)",
      text: TimeUnit.text)
    let speedscope = Speedscope.render(cpu.stacks, name: "\(id)", exporter: exporter, nanoseconds: cpu.nanoseconds)
    return [
      (.cpuPicture, picture.render()), (.cpuSpeedscope, speedscope),
      (.cpuFolded, FoldedStacks.render(cpu.stacks) { $0.count }),
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

extension RichText {
  fileprivate static func place(_ place: String?) -> RichText { place.map(RichText.code) ?? .text(Format.absent) }
}

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

// MARK: - Differences of two profiles

extension DifferentialProfile {
  /// The difference as an SVG file: red where the candidate spends more, blue where it spends less.
  package func flameGraph() -> String {
    FlameGraph(
      tree: tree, title: "\(id): \(candidateName) against \(baselineName)",
      subtitle: "Time of a frame: \(TimeUnit.text(baseline.frameNanoseconds)) → "
        + "\(TimeUnit.text(candidate.frameNanoseconds)); \(Format.integer(baseline.sampleCount)) and "
        + "\(Format.integer(candidate.sampleCount)) samples. Widths are those of the larger side.", isDifference: true,
      text: TimeUnit.text
    ).render()
  }

  /// Folded stacks with the times of both builds in picoseconds per frame, in the format of `difffolded.pl`:
  /// `a;b 12 34`.
  package func folded() -> String {
    func sums(_ profile: SampledProfile) -> [String: Int] {
      FoldedStacks.sums(profile.stacks) { Int((profile.nanoseconds($0) * 1_000).rounded()) }
    }
    let (before, after) = (sums(baseline), sums(candidate))
    return Set(before.keys).union(after.keys).sorted().map { "\($0) \(before[$0] ?? 0) \(after[$0] ?? 0)\n" }.joined()
  }

  /// The section of the page about the difference. Functions whose change may be chance come last, and are marked.
  package var blocks: [Block] {
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
    blocks.append(.picture(ProfileFile.difference.rawValue, alternative: "Red: more than before; blue: less"))
    let clear = movers.filter(\.isClear)
    if clear.isEmpty {
      blocks.append(.paragraph("No function changed by more than chance explains (three standard errors)."))
    }
    let table = Table(
      (clear + movers.filter { !$0.isClear }).prefix(FrameProfile.rowCount),
      .left("function") { .code($0.frame.shortFunction) },
      .left("where") { .place($0.frame.position ?? $0.frame.library) },
      .right("before") { "\(TimeUnit.text($0.baseline))" }, .right("after") { "\(TimeUnit.text($0.candidate))" },
      .right("change") { "\(Self.signed($0.change))" }, .left("more than chance") { $0.isClear ? "yes" : "no" })
    return blocks + [.table(table), .paragraph("Time per frame in the function itself, without what it calls.")]
  }

  private static func signed(_ nanoseconds: Double) -> String {
    "\(nanoseconds < 0 ? "−" : "+")\(TimeUnit.text(abs(nanoseconds)))"
  }
}

extension AllocationDifference {
  package func blocks(baselineName: String, candidateName: String) -> [Block] {
    let opening: [Block] = [
      .heading(level: 2, "What allocates more"),
      .paragraph("\(candidateName): \(candidate.verdict). \(baselineName): \(baseline.verdict)."),
    ]
    guard !growths.isEmpty else {
      let kind = candidate.lostCount == 0 ? "" : " whose stacks were recorded"
      return opening + [.paragraph("No function\(kind) allocates more often than before.")]
    }
    let table = Table(
      growths.prefix(FrameProfile.rowCount), .left("allocates") { .code($0.site.shortFunction) },
      .left("where") { .place($0.site.position) }, .right("before") { "\(Format.integer($0.baseline.count))" },
      .right("after") { "\(Format.integer($0.candidate.count))" },
      .right("bytes before") { "\(Format.integer($0.baseline.bytes))" },
      .right("bytes after") { "\(Format.integer($0.candidate.bytes))" })
    let rest = growths.count - FrameProfile.rowCount
    return opening + [.table(table)] + (rest > 0 ? [.paragraph("And \(Format.plural(rest, "more place")).")] : [])
  }
}

extension AllocationDifference.Growth {
  /// The growth in allocations if the function allocates more often, otherwise the growth in bytes.
  package var mover: RegressionProfile.Mover {
    let isCount = count > 0
    return .init(
      function: site.function, position: site.position, baseline: Double(isCount ? baseline.count : baseline.bytes),
      candidate: Double(isCount ? candidate.count : candidate.bytes), unit: isCount ? .count : .bytes)
  }
}
