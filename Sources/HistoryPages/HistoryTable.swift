import FrameBench
import Judging
import Markup
import Measurements
import Pages
import TextFormat

/// The trends of one machine for a terminal: one line per benchmark, with its change points below. Regressions are red
/// and improvements green in a terminal that uses color.
extension HistoryAnalysis {
  /// The main figure of every benchmark, and its allocations if its frames ever allocated.
  package func overview(usesColor: Bool) -> String {
    let isOfAllocations = { (trend: Trend) in trend.metric == "allocationCount.mean" }
    let shown = benchmarks.flatMap { id in
      [mainTrend(of: id)].compactMap(\.self)
        + trends(of: id).filter { isOfAllocations($0) && $0.values.contains { $0 != 0 } }
    }
    let counted = trends.filter(isOfAllocations)
    let silent = counted.count { $0.values.allSatisfy { $0 == 0 } }
    let rest: RichText? =
      silent == 0
      ? nil
      : silent == counted.count
        ? "no benchmark allocates in its frames" : "\(Format.plural(silent, "benchmark")) never allocated in a frame"
    return render(shown, usesColor, caption: rest) { isOfAllocations($0) ? "  allocations a frame" : $0.id.description }
  }

  /// All figures of a benchmark.
  package func page(of id: BenchmarkID, usesColor: Bool) -> String {
    let code = chain(of: id).map { chain in
      let start = nights[chain.links[0].base].day
      return RichText(
        "its code: \(chain.ratio(over: chain.links.indices).text) since \(start), by"
          + " \(Format.plural(chain.links.count, "comparison")) in lock step")
    }
    return render(trends(of: id), usesColor, caption: code, name: \.title)
  }

  private func render(_ trends: [Trend], _ usesColor: Bool, caption: RichText? = nil, name: (Trend) -> String) -> String
  {
    let terminal = Terminal(width: 80, usesColor: usesColor)
    let names = trends.map { Self.shortened(name($0), to: 30) }
    // The width that remains next to the name, a level, a change and the gaps between them.
    let sparkWidth = terminal.width - (names.map { TerminalText.width($0) }.max() ?? 0) - 23
    var table = Table(
      zip(names, trends), .left("") { .text($0.0) },
      .left("") { RichText([.sparkline(Self.sparkline($0.1, width: sparkWidth))]) },
      .right("") { .text($0.1.levelText) }, .right("") { isCurrent($0.1) ? sinceLastWeek($0.1) : "gone" })
    let newest = nights.last
    table.title = """
      \(Self.shortened(newest?.suite ?? "", to: 20)) on \(Self.shortened(newest?.environment.machine ?? "", to: 24)), \
      \(Format.plural(nights.count, "night"))
      """
    table.caption = caption
    for (row, trend) in trends.enumerated() {
      // Only the newest three change points are listed. The marks below the sparkline show all of them.
      table.notes[row] = trend.findings.suffix(3).map { finding in
        let commits = commits(of: finding).map { " \($0)" } ?? ""
        return .strong(
          "\(trend.text(finding.shift)) on \(dayText(of: finding))\(commits),"
            + " \(finding.shift.confidenceText) sure", finding.shift.tone)
      }
    }
    return terminal.render([.table(table)])
  }

  /// The sparkline of a trend. The line below it marks change points with `^` and the start of another environment with
  /// `|`.
  private static func sparkline(_ trend: Trend, width: Int) -> Sparkline {
    let marks =
      trend.segmentStarts.map { (position: $0, mark: Character("|")) }
      + trend.findings.map { (position: $0.shift.position, mark: Character("^")) }
    return Sparkline(trend: trend.values, width: width, marks: marks)
  }

  private static func shortened(_ text: String, to width: Int) -> String {
    guard TerminalText.width(text) > width else { return text }
    let end = TerminalText.prefix(String(text.reversed()), width: width - width / 2 - 1).reversed()
    return "\(TerminalText.prefix(text, width: width / 2))…\(String(end))"
  }

  // MARK: - Figures in words

  /// A sentence, without a full stop, for each pair of machines whose times differ although they share this history.
  package var machineSentences: [String] {
    machineDifferences.map { slower, faster, change, nights in
      "\(slower) takes \(Format.percent(change)) longer than \(faster), more than the nights of either move"
        + " (\(Format.plural(nights, "night")))"
    }
  }

  /// The trend of a benchmark's main figure: its median frame, or its first figure if it has no frames.
  package func mainTrend(of id: BenchmarkID) -> Trend? { trend(id, "frameNanoseconds.p50") ?? trends(of: id).first }

  package func night(_ trend: Trend, at position: Int) -> Night { nights[trend.nights[position]] }

  /// The differences in the environment between the night of a trend's value and the night before, in words.
  package func environmentChanges(_ trend: Trend, at position: Int) -> [String] {
    let (before, after) = (night(trend, at: position - 1), night(trend, at: position))
    return before.environmentKey(of: trend.id).changes(to: after.environmentKey(of: trend.id))
  }

  /// The change since the night before. This and `sinceLastWeek` are empty if the newest night has no value.
  package func sinceYesterday(_ trend: Trend) -> RichText { isCurrent(trend) ? trend.text(trend.sinceYesterday) : "" }
  package func sinceLastWeek(_ trend: Trend) -> RichText {
    isCurrent(trend) ? trend.text(trend.sinceLastWeek(days: days)) : ""
  }

  /// The commits around a change point: `a1b2c3d..e4f5a6b`. Nil if they are unknown.
  package func commits(of finding: Finding, digits: Int = 7) -> String? {
    commitRange(of: finding).map { "\($0.good.prefix(digits))..\($0.bad.prefix(digits))" }
  }

  /// Words for a withdrawn change point: its figure, its change and its night, without the benchmark.
  package func text(_ withdrawal: Withdrawal) -> String {
    let (old, metric) = (withdrawal.announcement, withdrawal.announcement.metric)
    let known = trend(old.id, metric)?.kind
    let unit = (known ?? Metric.named(FigureName(metric)?.metric ?? metric, declared: nil)).unit
    let ends = "\(unit.text(old.before, besides: old.after)) to \(unit.text(old.after, besides: old.before))"
    return "\(FigureText.name(metric)) \(FigureText.change(old.before, old.after, unit)) (\(ends))"
      + " from the night of \(old.startedAt.prefix(10)) on"
  }
}

extension LevelShift {
  package var confidenceText: String { Words.certainty(confidence) }

  package var tone: Tone { isRegression ? .bad : .good }
}
