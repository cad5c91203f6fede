import Judging
import Measurements
import TextFormat

extension DifferentialProfile {
  /// An SVG file, red if the candidate spends more and blue if less.
  func flameGraph() -> String {
    FlameGraph(
      tree: tree, title: "\(id): \(candidateName) against \(baselineName)",
      subtitle: "Time of a frame: \(TimeUnit.text(baseline.frameNanoseconds)) → "
        + "\(TimeUnit.text(candidate.frameNanoseconds)); \(Format.integer(baseline.sampleCount)) and "
        + "\(Format.integer(candidate.sampleCount)) samples. Widths are those of the larger side.",
      coloring: .difference, text: TimeUnit.text
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
      let change: RichText =
        "\(code: growth.mover.frame.shortFunction) grew most: +\(TimeUnit.text(growth.mover.change))"
      let place: RichText = growth.position.map { " (\(code: $0))" } ?? ""
      let caller: RichText = growth.caller.map { ", called by \(code: $0.shortFunction)" } ?? ""
      blocks.append(
        .paragraph("\(strong: change)\(place)\(caller). Library functions that it calls count as its own."))
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
        .right("before") { "\(TimeUnit.text($0.baseline))" },
        .right("after") { "\(TimeUnit.text($0.candidate))" },
        .right("change") { "\(Self.signed($0.change))" },
        .left("more than chance") { $0.isClear ? "yes" : "no" },
      ])
    return blocks + [
      .table(table), .paragraph("Time per frame in the function itself, without what it calls."),
    ]
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
    return opening + [.table(table)]
      + (rest > 0 ? [.paragraph("And \(Format.plural(rest, "more place")).")] : [])
  }
}

extension AllocationDifference.Growth {
  /// Allocations if it allocates more often, else bytes.
  package var mover: RegressionProfile.Mover {
    let isCount = count > 0
    return .init(
      function: site.function, position: site.position,
      baseline: Double(isCount ? baseline.count : baseline.bytes),
      candidate: Double(isCount ? candidate.count : candidate.bytes), unit: isCount ? .count : .bytes)
  }
}
