import Profiling
import TextFormat

extension DifferentialProfile {
  /// An SVG file, red where the candidate spends more and blue where less.
  package func flameGraph() -> String {
    FlameGraph(
      tree, title: "\(id): \(candidateName) against \(baselineName)",
      subtitle: "Time of a frame: \(TimeUnit.text(baseline.frameNanoseconds)) → "
        + "\(TimeUnit.text(candidate.frameNanoseconds)); \(Format.integer(baseline.sampleCount)) and "
        + "\(Format.integer(candidate.sampleCount)) samples. Widths are those of the larger side.",
      coloring: .difference, text: TimeUnit.text
    ).render()
  }

  /// Folded stacks with both sides, as `difffolded.pl` writes them: `a;b 12 34`, picoseconds of a frame.
  package func folded() -> String {
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

  /// - Parameter count: Movers to show; those that chance may have moved come last, and are marked.
  package func markdown(pictureName: String, count: Int = 12) -> String {
    let change = candidate.frameNanoseconds - baseline.frameNanoseconds
    let relative = baseline.frameNanoseconds > 0 ? abs(change) / baseline.frameNanoseconds : 0
    var text = """
      ## Where they differ

      A frame of `\(id)` costs \(TimeUnit.text(candidate.frameNanoseconds)) in \(candidateName), \
      \(TimeUnit.text(baseline.frameNanoseconds)) in \(baselineName): \
      \(change < 0 ? "−" : "+")\(TimeUnit.text(abs(change))), \(Format.percent(relative)) \
      \(change < 0 ? "less" : "more").


      """
    if let growth = growths.first {
      let frame = growth.mover.frame
      let place = growth.position.map { " (\(Markdown.code($0)))" } ?? ""
      let caller = growth.caller.map { ", called by \(Markdown.code($0.shortFunction))" } ?? ""
      text +=
        "**\(Markdown.code(frame.shortFunction)) grew most: +\(TimeUnit.text(growth.mover.change))**"
        + "\(place)\(caller). What it calls of libraries counts as its own.\n\n"
    }
    text += "[![Red: more than before; blue: less](\(pictureName))](\(pictureName))\n\n"
    let clear = movers.filter(\.isClear)
    let shown = Array((clear + movers.filter { !$0.isClear }).prefix(max(count, 1)))
    if clear.isEmpty { text += "No function moved by more than chance does (three standard errors).\n\n" }
    var table = MarkdownTable([
      ("function", .left), ("where", .left), ("before", .right), ("after", .right), ("change", .right),
      ("more than chance", .left),
    ])
    for mover in shown {
      table.append([
        Markdown.code(mover.frame.shortFunction),
        (mover.frame.position ?? mover.frame.library).map(Markdown.code) ?? Format.absent,
        TimeUnit.text(mover.baseline), TimeUnit.text(mover.candidate),
        "\(mover.change < 0 ? "−" : "+")\(TimeUnit.text(abs(mover.change)))", mover.isClear ? "yes" : "no",
      ])
    }
    return text + table.render() + "\n\nTime of a frame in the function itself, without what it calls.\n"
  }
}
