import FrameBench
import Judging
import Markup
import Measurements
import Pages
import TextFormat

/// The pages of all histories: an overview, the report of the newest night of each history, and a page per benchmark.
package struct Site: Sendable {
  /// A limit to draw in the chart of a figure, and its text. Limits of times in the budget file are for a target
  /// device. They are divided by `cpuSlowdown`, so that they apply to this machine.
  package typealias Budget = (value: Double, text: String)

  package static let overviewName = "index.html"
  /// The names of the files and folders at the top of the site's folder.
  package static let topNames: Set<String> = [overviewName, "benchmarks", "reports"]
  /// Charts show this many of the newest nights. Nights much older than these are not read.
  package static let shownNights = 730

  private let parts: [Part]
  private let budget: @Sendable (BenchmarkID, String) -> Budget?

  /// Creates a site of these histories. Histories without a night are left out. `budget` returns the limit for a
  /// benchmark and the name of a figure.
  package init(_ parts: [Part], budget: @escaping @Sendable (BenchmarkID, String) -> Budget? = { _, _ in nil }) {
    var names = FileNames()
    self.parts = parts.filter { !$0.analysis.nights.isEmpty }.map { part in
      var placed = part
      placed.report = "reports/\(names.next(part.machine, part.suite)).html"
      placed.pages = part.analysis.benchmarks.map { id in
        (id, "benchmarks/\(names.next(part.machine, part.suite, id.description)).html")
      }
      return placed
    }
    self.budget = budget
  }

  /// All files of the site with their unique paths in its folder, the overview first: complete HTML pages, and flame
  /// graphs as SVG.
  package func files() -> [(path: String, text: String)] {
    [(Self.overviewName, overview)]
      + parts.flatMap { part in
        let report = (part.analysis.report + part.flameBlocks).html(
          title: "\(part.name): the newest night",
          figures: part.flameGraph.map { [part.flameName: FlameGraph.still($0)] } ?? [:], links: part.links(from: nil))
        return [(part.report, report)] + (part.flameGraph.map { [("reports/\(part.flameName)", $0)] } ?? [])
          + Array(part.pages.enumerated()).concurrentMap { number, page in
            (page.path, BenchmarkPage(part: part, id: page.id, budget: budget).render(number))
          }
      }
  }

  // MARK: The first page

  private static let listedMoves = 40
  private static let sparkNights = 120

  private var overview: String {
    let title = "Frame costs, night by night"
    let body =
      parts.isEmpty
      ? [.paragraph(.strong("There are no nights yet: \(code: "springbench nightly") records one."))]
      : sideBySide + parts.flatMap(Self.section)
    return ([.heading(level: 1, "\(title)")] + body).html(
      title: title, figures: Dictionary(parts.flatMap(Self.sparklines), uniquingKeysWith: { first, _ in first }),
      links: parts.map { ("\($0.name): the newest night", $0.report) })
  }

  private static func section(_ part: Part) -> [Block] {
    let analysis = part.analysis
    guard let night = analysis.nights.last else { return [] }
    let tone = analysis.tone
    let commit: RichText = night.shortCommit.map { ", commit \(code: $0)" } ?? ""
    let nights = Format.plural(analysis.nights.count, "night")
    var news: [RichText] = night.failures.map { "\(code: $0.id) failed: \($0.briefReason)" }
    news += analysis.missing.map { "\(code: $0) is missing" }
    news += analysis.behaviorChanged.map { "\(code: $0) behaves differently than before" }
    news += analysis.environmentChanges.map { "other environment: \($0)" }
    news += analysis.machineSentences.map(RichText.text)
    news += analysis.newestWithdrawals.map { "withdrawn: \(code: $0.announcement.id), \(analysis.text($0))" }
    return [.heading(level: 2, "\(part.name)")] + analysis.sentences.map { .paragraph(.strong($0, tone)) } + [
      .paragraph("The newest of \(nights) began \(night.startedAt)\(commit): \("its report", link: part.report).")
    ] + (news.isEmpty ? [] : [.list(news)]) + [.heading(level: 3, "What moved")] + moved(part) + [
      .heading(level: 3, "Benchmarks"), benchmarks(part),
    ]
  }

  private static func moved(_ part: Part) -> [Block] {
    let (findings, changes) = (part.analysis.recentFindings, part.analysis.codeChanges.map(\.line))
    guard !findings.isEmpty || !changes.isEmpty else {
      return [.paragraph("No level changed in the last \(HistoryAnalysis.newsDays) days.")]
    }
    let more = changes.count - listedMoves
    let code =
      changes.isEmpty
      ? []
      : [
        Block.paragraph("What nightly comparisons found in the last \(HistoryAnalysis.newsDays) days:"),
        .list(changes.prefix(listedMoves) + (more > 0 ? ["and \(more) more"] : [])),
      ]
    guard !findings.isEmpty else { return code }
    let tables = part.analysis.tables(of: Array(findings.prefix(listedMoves))) { finding in
      let name = RichText(finding.trend.id.description)
      return part.pages.first { $0.id == finding.trend.id }.map { "\(name, link: $0.path)" } ?? name
    }
    let left = findings.count - listedMoves
    return code + tables + (left > 0 ? [.paragraph("And \(left) more, on the pages of the benchmarks.")] : [])
  }

  /// A table for each suite that runs on several machines or classes of machines, with the levels of its benchmarks.
  private var sideBySide: [Block] {
    let suites = parts.map(\.suite).unique.map { suite in parts.filter { $0.suite == suite } }
    return suites.filter { $0.count > 1 }.flatMap { parts -> [Block] in
      let ids = parts.flatMap { $0.pages.map(\.id) }.unique
      let main = ids.map { id in (id: id, trends: parts.map { $0.analysis.mainTrend(of: id) }) }
      let columns = parts.enumerated().map { place, part in
        TableColumn<(id: BenchmarkID, trends: [Trend?])>.right("\(part.machine)") { row in
          let (first, own) = (row.trends[0]?.currentLevel, row.trends[place]?.currentLevel)
          guard let trend = row.trends[place], let own else { return "" }
          let ratio = first.flatMap { place > 0 && $0 > 0 ? " (\(Format.ratio(own / $0)))" : nil } ?? ""
          return .text(trend.unit.text(own) + ratio)
        }
      }
      var table = Table(main, [.left("benchmark") { .code("\($0.id)") }] + columns)
      table.isFilterable = true
      return [.heading(level: 2, "\(parts[0].suite), machine by machine"), .table(table)]
    }
  }

  /// The table of all benchmarks: first the bad states, then the good ones, each with the largest changes first.
  private static func benchmarks(_ part: Part) -> Block {
    let paths = Dictionary(part.pages.map { ($0.id, $0.path) }, uniquingKeysWith: { first, _ in first })
    let rows = part.pages.compactMap { part.analysis.mainTrend(of: $0.id) }.map { ($0, part.state(of: $0)) }
    let sorted = rows.enumerated().sorted { one, other in
      let ranks = [one, other].map { ($0.element.1.rank, -$0.element.1.size, $0.offset) }
      return ranks[0] < ranks[1]
    }
    var table = Table(
      sorted.map(\.element), .left("benchmark") { "\("\($0.0.id)", link: paths[$0.0.id] ?? "")" },
      .left("state") { _, state in state.tone.map { .strong(state.text, $0) } ?? .text(state.text) },
      .right("change") { _, state in .text(state.change.map { $0.trend.text($0.shift) } ?? "") },
      .right("level") { .text($0.0.levelText) }, .right("since yesterday") { part.analysis.sinceYesterday($0.0) },
      .right("since a week ago") { part.analysis.sinceLastWeek($0.0) },
      .left("last \(sparkNights) nights") { RichText([.image(alternative: "", source: paths[$0.0.id] ?? "")]) })
    table.isFilterable = true
    return .table(table)
  }

  private static func sparklines(_ part: Part) -> [(String, String)] {
    part.pages.compactMap { id, path in
      part.analysis.mainTrend(of: id).map { trend in
        let first = max(0, trend.values.count - sparkNights)
        let dots = trend.findings.map { ($0.shift.position - first, $0.shift.tone.rawValue) }
        return (path, SVG.trend(Array(trend.values[first...]), dots: dots))
      }
    }
  }

  /// The history of one machine and one suite. What changed in each benchmark is collected once for all pages.
  package struct Part: Sendable {
    package let machine: String
    package let suite: String
    package let analysis: HistoryAnalysis
    /// An SVG that shows where the newest night's code spends more time than its baseline. Nil if there is no profile.
    package let flameGraph: String?
    package fileprivate(set) var report = ""
    package fileprivate(set) var pages: [(id: BenchmarkID, path: String)] = []

    private let faults: [BenchmarkID: String]
    private let behaviorChanged: Set<BenchmarkID>
    /// The recent change points of each benchmark, the newest first.
    private let recent: [BenchmarkID: [HistoryAnalysis.Finding]]
    /// For each benchmark whose code regressed and did not improve since then, the newest night that found a
    /// regression.
    private let codeRegressions: [BenchmarkID: Night]
    package let risenCounts: [BenchmarkID: [Trend]]
    package let withdrawals: [BenchmarkID: [HistoryAnalysis.Withdrawal]]
    /// What nightly comparisons of the last weeks found in each benchmark, the newest first.
    package let codeChanges: [BenchmarkID: [RichText]]
    /// For each trend, by its name, the lowest and the highest value among the machines of the newest night. Empty if
    /// there was only one machine.
    package let spreads: [String: ClosedRange<Double>]

    /// - Parameter analysis: The analysis of the nights of this machine and this suite alone.
    package init(machine: String, suite: String, analysis: HistoryAnalysis, flameGraph: String? = nil) {
      (self.machine, self.suite, self.analysis, self.flameGraph) = (machine, suite, analysis, flameGraph)
      let failures = analysis.newestFailures + (analysis.nights.last?.comparison?.failures ?? [])
      let faults = failures.map { ($0.id, "failed") } + analysis.missing.map { ($0, "missing") }
      self.faults = Dictionary(faults) { first, _ in first }
      codeRegressions = analysis.recentCodeRegressions
      behaviorChanged = Set(analysis.behaviorChanged)
      recent = Dictionary(grouping: analysis.recentFindings, by: \.trend.id)
      risenCounts = Dictionary(grouping: analysis.risenCounts, by: \.id)
      withdrawals = Dictionary(grouping: analysis.withdrawals, by: \.announcement.id)
      codeChanges = analysis.codeChanges.reduce(into: [:]) { lines, change in
        for id in change.ids { lines[id, default: []].append(change.line) }
      }
      spreads = analysis.newestSpreads
    }

    package var name: String { "\(suite) on \(machine)" }

    /// The file name of the flame graph, which lies next to the report.
    fileprivate var flameName: String { "\(report.dropFirst("reports/".count).dropLast(".html".count))-flame.svg" }

    fileprivate var flameBlocks: [Block] {
      guard flameGraph != nil else { return [] }
      return [
        .heading(level: 2, "Where the time went"),
        .paragraph("Red costs more than before, blue less. \("The picture alone", link: flameName) can be searched."),
        .paragraph(RichText([.image(alternative: "flame graph of the difference", source: flameName)])),
      ]
    }

    private static let linkedPages = 100

    /// Links to the overview, the report and the neighboring pages. Thousands of links to all pages would be too many.
    /// - Parameter number: The position of the page among the pages of benchmarks. Nil for the report.
    package func links(from number: Int?) -> [(title: String, address: String)] {
      let near = (number ?? 0) - Self.linkedPages / 2
      let first = max(0, min(near, pages.count - Self.linkedPages))
      return [("Overview", "../\(Site.overviewName)")] + (number == nil ? [] : [("The newest night", "../\(report)")])
        + pages.indices[first...].prefix(Self.linkedPages).filter { $0 != number }.map {
          (pages[$0].id.description, "../\(pages[$0].path)")
        }
    }

    /// The state of a benchmark in a few words. If several states apply, this is the worst of them.
    package struct State {
      package var text: String
      package var tone: Tone?
      /// The change of level that `text` describes. Nil if it describes something else.
      package var change: HistoryAnalysis.Finding?

      /// The rank of the tone in a list: bad comes first, then good, then no tone.
      fileprivate var rank: Int { tone == .bad ? 0 : tone == .good ? 1 : 2 }
      /// The size of the relative change, by which states are sorted. A bad state without a change has an infinite
      /// size, so that it comes first.
      fileprivate var size: Double {
        guard let shift = change?.shift else { return tone == nil ? 0 : .infinity }
        return shift.relativeChange.map(abs) ?? .infinity
      }
    }

    package func state(of trend: Trend) -> State {
      if let fault = faults[trend.id] { return State(text: fault, tone: .bad) }
      guard analysis.isCurrent(trend) else {
        return State(text: "not measured since \(trend.nights.last.map { analysis.nights[$0].day } ?? "ever")")
      }
      if behaviorChanged.contains(trend.id) { return State(text: "behavior changed", tone: .bad) }
      if let night = codeRegressions[trend.id] {
        return State(text: "\(ChangeVerdict.regressed.words) on \(night.day)", tone: .bad)
      }
      // The newest regression of the main figure comes first, then that of any figure, then the newest improvement.
      let recent = recent[trend.id] ?? []
      let ofMain = recent.filter { $0.trend.metric == trend.metric }
      func isBad(_ finding: HistoryAnalysis.Finding) -> Bool {
        finding.shift.isRegression && !analysis.hasSameCode(finding)
      }
      let bad = ofMain.first(where: isBad) ?? recent.first(where: isBad)
      if bad == nil, let risen = risenCounts[trend.id]?.first, let newest = analysis.nights.last {
        let words = risen.words(before: risen.values.dropLast().max() ?? 0, isWorse: true)
        return State(text: "\(words) since \(newest.day)", tone: .bad)
      }
      guard let news = bad ?? ofMain.first ?? recent.first else { return State(text: "steady") }
      let words = news.trend.words(before: news.shift.before, isWorse: news.shift.isRegression)
      let day = analysis.night(news.trend, at: news.shift.position).day
      let hasSameCode = analysis.hasSameCode(news)
      return State(
        text: "\(words) since \(day)\(hasSameCode ? "; the code did not change" : "")",
        tone: hasSameCode ? nil : news.shift.tone, change: news)
    }
  }
}

extension HistoryAnalysis {
  /// The nights of the last `newsDays` days, the newest first.
  private var recentNights: [Night] {
    let since = (days.last ?? 0) - Self.newsDays
    return zip(days, nights).reversed().prefix { $0.0 > since }.map(\.1)
  }

  /// A line for each change of the code that a nightly comparison of the last weeks found, and for each failure whose
  /// commits are known, the newest first: the night, the change, and the commits that caused it. Each comes with the
  /// benchmarks that changed.
  fileprivate var codeChanges: [(ids: [BenchmarkID], line: RichText)] {
    recentNights.flatMap { night in
      let commit = night.shortCommit.map { " (\($0))" } ?? ""
      // A failure has no row in the comparison, so no change of the comparison names its commit.
      let failures = (night.culprits ?? []).filter { $0.figure == "\(ComparedFigure.failure)" }.map { culprit in
        let rest = RichText(" on \(night.day)\(commit): \(culprit.sentence)")
        return (ids: [culprit.id], line: [.strong("failed", .bad), rest].joined(separator: "") as RichText)
      }
      let changes = (night.comparison?.changes ?? []).filter { !$0.isNew }.map { change in
        // One benchmark stands for all of a change when its commit is searched for.
        let culprits = (night.culprits ?? []).filter { culprit in
          change.members.contains { member in
            member.lead.id == culprit.id && member.rows.contains { "\(ComparedFigure($0))" == culprit.figure }
          }
        }
        let rest = " on \(night.day)\(commit): \(change.sentence)\(culprits.map { "; \($0.sentence)" }.joined())"
        let line: RichText = [.strong(change.words, change.tone), RichText(rest)].joined(separator: "")
        return (ids: change.ids, line: line)
      }
      return failures + changes
    }
  }

  /// For each benchmark, the newest night of the last weeks in which a comparison found that a figure regressed, and
  /// after which no comparison found the figure improved.
  var recentCodeRegressions: [BenchmarkID: Night] {
    let changes = recentNights.flatMap { night in
      [ChangeVerdict.regressed, .improved].flatMap { verdict in
        (night.comparison?.rows ?? []).filter { $0.verdict == verdict }.map { (night: night, row: $0) }
      }
    }
    let newest = changes.unique { _, row in
      let figure = FigureName(metric: row.metric.name, phase: row.phase, statistic: row.statistic)
      return "\(row.id) \(figure) \(row.frames != nil)"
    }
    return Dictionary(newest.filter { $0.row.verdict == .regressed }.map { ($0.row.id, $0.night) }) { first, _ in first
    }
  }
}

extension FlameGraph {
  /// The picture without its script, because the security policy of a page allows only the page's own script.
  fileprivate static func still(_ picture: String) -> String {
    let still = picture.replacing(/<script>[\s\S]*?<\/script>/, with: "")
    return "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"flame graph\">\(still)</div>"
  }
}
