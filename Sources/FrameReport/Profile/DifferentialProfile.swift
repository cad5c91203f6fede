import FrameBench

/// Where two builds of a benchmark differ.
public struct DifferentialProfile: Sendable {
  public var id: BenchmarkID
  /// As the reader knows it: a revision, for example.
  public var baselineName: String
  /// As the reader knows it: a revision, or the working tree.
  public var candidateName: String
  /// Of the same frames as `candidate`.
  public var baseline: SampledProfile
  /// Of the same frames as `baseline`.
  public var candidate: SampledProfile
  /// The largest first.
  public var movers: [Mover]

  /// A function whose own cost differs.
  public struct Mover: Sendable, Equatable {
    /// With the candidate's file and line, unless only the baseline spends anything in it.
    public var frame: CallFrame
    /// Of a frame, nanoseconds.
    public var baseline: Double
    /// Of a frame, nanoseconds; 0 where no sample met it.
    public var candidate: Double
    /// Standard error of the difference, from the numbers of samples.
    public var error: Double

    /// Of a frame, nanoseconds; above 0 where the candidate spends more.
    public var change: Double { candidate - baseline }
    /// Whether it is more than what chance does: three standard errors.
    public var isClear: Bool { abs(change) > 3 * error }
  }

  /// Finds the movers in the two profiles.
  public init(
    id: BenchmarkID, baselineName: String, baseline: SampledProfile, candidateName: String,
    candidate: SampledProfile
  ) {
    self.id = id
    self.baselineName = baselineName
    self.candidateName = candidateName
    self.baseline = baseline
    self.candidate = candidate
    movers = Self.movers(baseline, candidate)
  }

  private static func movers(_ baseline: SampledProfile, _ candidate: SampledProfile) -> [Mover] {
    var sides: [String: (frame: CallFrame, baseline: Double, candidate: Double)] = [:]
    for cost in FunctionCost.costs(of: baseline.stacks, value: { Double($0.count) }) where cost.own > 0 {
      sides[cost.frame.function] = (cost.frame, cost.own, 0)
    }
    for cost in FunctionCost.costs(of: candidate.stacks, value: { Double($0.count) }) where cost.own > 0 {
      // The candidate's file and line are those that somebody has before them.
      sides[cost.frame.function] = (cost.frame, sides[cost.frame.function]?.baseline ?? 0, cost.own)
    }
    let (one, other) = (baseline.nanosecondsPerSample, candidate.nanosecondsPerSample)
    return sides.values.map { side in
      Mover(
        frame: side.frame, baseline: side.baseline * one, candidate: side.candidate * other,
        error: error(side.baseline, side.candidate, one, other))
    }
    .sorted { (abs($1.change), $0.frame.function) < (abs($0.change), $1.frame.function) }
  }

  /// Both sides in one, in nanoseconds of a frame; put together at each call.
  public var tree: CallTree {
    var tree = CallTree(root: id.description)
    for stack in baseline.stacks { tree.add(stack.frames, baseline.nanoseconds(stack), to: .baseline) }
    for stack in candidate.stacks { tree.add(stack.frames, candidate.nanoseconds(stack), to: .candidate) }
    return tree
  }

  /// An SVG file, red where the candidate spends more and blue where less.
  public func flameGraph() -> String {
    FlameGraph(
      tree, title: "\(id): \(candidateName) against \(baselineName)",
      subtitle: "Time of a frame: \(TimeUnit.text(baseline.frameNanoseconds)) → "
        + "\(TimeUnit.text(candidate.frameNanoseconds)); \(Format.integer(baseline.sampleCount)) and "
        + "\(Format.integer(candidate.sampleCount)) samples. Widths are those of the larger side.",
      coloring: .difference, text: TimeUnit.text
    ).render()
  }

  /// Folded stacks with both sides, as `difffolded.pl` writes them: `a;b 12 34`, picoseconds of a frame.
  public func folded() -> String {
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
  public func markdown(pictureName: String, count: Int = 12) -> String {
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
