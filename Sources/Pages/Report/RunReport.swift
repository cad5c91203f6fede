import FrameBench
import Measurements
import TextFormat

/// A run as a page: the verdict, then every benchmark in a line, then the scenarios, then the method. The
/// same blocks for the same document.
package struct RunReport: Sendable {
  /// Amount of detail on several scenarios; a single one is always complete.
  package enum Detail: Sendable {
    case whole
    /// Everything; tables are folded.
    case folded
    /// A line for each scenario, with a link to its page if there is one.
    case linked
  }

  private let document: RunDocument
  private let program: String?
  private let detail: Detail
  private let pictures: [Picture]
  private let pictureFolder: String
  private let anchor: @Sendable (String) -> String?
  private let page: @Sendable (String) -> String?

  /// - Parameters:
  ///   - program: Shell command of the program that made the document; its arguments are added.
  ///     Nil: springbench, by `swift run`, in the configuration of the document.
  ///   - pictures: The document's pictures to show, from files of their names.
  ///   - pictureFolder: Link from the page to those files' folder, with a slash at its end; empty: beside
  ///   the page.
  ///   - anchor: Link to the section of a scenario in this page; nil if the format has no such links.
  ///   - page: Percent-encoded link from this page to that of a scenario; nil if it has none.
  package init(
    _ document: RunDocument, program: String? = nil, detail: Detail = .whole, pictures: [Picture] = [],
    pictureFolder: String = "", anchor: @escaping @Sendable (String) -> String? = { _ in nil },
    page: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.document = document
    self.program = program
    self.detail = detail
    self.pictures = pictures
    self.pictureFolder = pictureFolder
    self.anchor = anchor
    self.page = page
  }

  /// The verdict and failures first, then the overview, scenarios, method and notes.
  package var blocks: [Block] {
    let groups = ScenarioGroup.all(in: document)
    let link = groups.count < 2 ? { _ in nil } : detail == .linked ? page : anchor
    var blocks: [Block] = [.heading(level: 1, "\(unit.title): \(document.suite)")]
    blocks += verdict + failures + Overview(document).blocks(link: link)
    blocks += detail == .linked && groups.count > 1 ? list(groups) : groups.flatMap(section)
    return (blocks + [.heading(level: 2, Self.methodTitle), method]).withNotes
  }

  static let methodTitle: RichText = "Machine and method"

  private var method: Block {
    .details(
      summary: "The machine, the method, and how to measure it again",
      [.table(document.environmentTable)] + document.methodBlocks(program: program))
  }

  private func list(_ groups: [ScenarioGroup]) -> [Block] {
    let items = groups.map { group -> RichText in
      let name = RichText.strong(group.name)
      let linked = page(group.name).map { "\(name, link: $0)" } ?? name
      let parts: [RichText] = [group.summary, RichText(group.verdict.headline)]
      return "\(linked): \(parts.filter { !$0.isEmpty }.joined(separator: " "))"
    }
    return [.heading(level: 2, "Scenarios"), .list(items)]
  }

  private func section(_ group: ScenarioGroup) -> [Block] {
    let opening = [.heading(level: 2, "\(group.name)")] + group.words
    let figures = group.figures(pictures, pictureFolder, headingLevel: 3)
    guard detail == .folded, ScenarioGroup.all(in: document).count > 1 else { return opening + figures }
    let charts = page(group.name).map { link -> [Block] in
      [.paragraph("\("The same with the charts of every \(group.unit.sample)", link: link)")]
    }
    return opening + [.details(summary: "Figures of \(group.name)", figures)] + (charts ?? [])
  }

  private var failures: [Block] {
    guard !document.failures.isEmpty else { return [] }
    let count = Format.plural(document.failures.count, "benchmark")
    let outputs = document.failures.filter { !$0.standardError.isEmpty }.flatMap { failure -> [Block] in
      [.paragraph("\(code: failure.id):"), .codeBlock(failure.briefStandardError)]
    }
    let reasons = document.failures.map { "\(code: $0.id): \($0.briefReason)" as RichText }
    let rest = Array(reasons.dropFirst(10))
    return [.paragraph(.strong("\(count) could not be measured:", .bad)), .list(Array(reasons.prefix(10)))]
      + (rest.isEmpty ? [] : [.details(summary: "\(Format.plural(rest.count, "more failure"))", [.list(rest)])])
      + (outputs.isEmpty ? [] : [.details(summary: "What the failed benchmarks wrote to stderr", outputs)])
  }

  private var unit: WorkUnit { document.unit }

  private var verdict: [Block] {
    let verdict = Verdict(document)
    let options = document.options
    let rate = unit == .frame ? " at \(options.refreshRateHertz) Hz" : ""
    let runs: RichText = """
      \(options.runsPhrase(document.benchmarks)) of \(options.samplesPhrase(document.benchmarks))\(rate)
      """
    let start = "\(document.startedAt.prefix(10)) \(document.startedAt.dropFirst(11).prefix(5)) UTC"
    let parts = [RichText(start), document.environmentLine, runs] + warnings
    return verdict.caveats.map { .paragraph(.strong($0)) } + [
      .paragraph(.strong(verdict.summary)), .paragraph(parts.joined(separator: " · ")),
    ]
  }

  /// Marks of all warnings; those of a benchmark appear at its column, too.
  private var warnings: [RichText] {
    guard !document.warnings.isEmpty else { return [] }
    return [document.warnings.reduce("\(Format.plural(document.warnings.count, "warning"))") { $0 + $1.mark }]
  }
}

extension ScenarioGroup {
  /// The work of its frames; empty without a summary.
  fileprivate var summary: RichText { document.summaries?[scenario].map(RichText.text) ?? "" }

  /// The report's sentences about it.
  fileprivate var words: [Block] {
    let verdict = verdict
    return (summary.isEmpty ? [] : [.paragraph(summary)]) + [.paragraph(.strong(verdict.headline))]
      + (verdict.details.isEmpty ? [] : [.list(verdict.details.map(RichText.text))])
  }

  /// Charts and tables.
  ///
  /// - Parameters: As for `RunReport`.
  fileprivate func figures(_ pictures: [Picture], _ pictureFolder: String, headingLevel: Int) -> [Block] {
    func images(_ size: Int?, _ kind: Picture.Kind) -> [Block] {
      pictures.filter { ($0.scenario, $0.size, $0.kind) == (name, size, kind) }.map { picture in
        let alternative = "\(picture.title). \(picture.description)"
        return .paragraph(RichText([.image(alternative: alternative, source: pictureFolder + picture.name)]))
      }
    }
    var blocks = images(nil, .growth) + images(nil, .phases)
    for size in sizes {
      blocks.append(.heading(level: headingLevel, "\(title(ofSize: size))"))
      blocks += images(size, .frames)
      blocks += SizeTable(self, size: size).blocks
      blocks += images(size, .distribution)
    }
    if unit == .frame {
      blocks += [.heading(level: headingLevel, "Growth and headroom")] + growthBlocks + headroomBlocks
      blocks += budgetBlocks
    } else if sizes.count > 1 {
      blocks += [.heading(level: headingLevel, "Growth")] + growthBlocks
    }
    return blocks + capacityBlocks(headingLevel: headingLevel) + [rawBlock]
  }

  /// How to read the figures, for a page without an overview.
  fileprivate var legend: RichText {
    let runs = options.runsPhrase(recordsByStrategy)
    let basis = "Each \(unit.sample)'s time is the minimum of \(runs)."
    guard let reference = reference, !challengers.isEmpty else { return "\(basis)" }
    return "\(basis) Ratios are cost ÷ \(reference)'s: below 1× is cheaper, = is equal, ~ is rounded."
  }
}

/// The pages of the scenarios of a run, one each, beside its report. A run of a single scenario has none:
/// its report has everything.
package struct ScenarioPages: Sendable {
  let document: RunDocument
  /// File names of the scenarios in their order, without suffix.
  let stems: [(scenario: String, stem: String)]

  package init(_ document: RunDocument) {
    self.document = document
    let names = ScenarioGroup.all(in: document).map(\.name)
    var files = FileNames()
    stems = names.count > 1 ? names.map { ($0, files.next($0)) } : []
  }

  package var isEmpty: Bool { stems.isEmpty }

  /// The file of a scenario's page without its folder: `springs.md`; nil if it has none.
  package func fileName(_ scenario: String, _ suffix: String) -> String? {
    stems.first { $0.scenario == scenario }.map { "\($0.stem).\(suffix)" }
  }

  /// The pages as markdown, by file name.
  ///
  /// - Parameters:
  ///   - report: Percent-encoded link from a page to the report.
  ///   - pictures: The document's pictures to show.
  ///   - pictureFolder: Link from a page to their folder, as for `RunReport`.
  package func markdown(report: String, pictures: [Picture], pictureFolder: String) -> [(name: String, text: String)] {
    stems.map { scenario, stem in ("\(stem).md", blocks(scenario, report, pictures, pictureFolder).markdown()) }
  }

  func title(_ scenario: String) -> String {
    "\(WorkUnit(document.benchmarks.filter { $0.id.variant == scenario }).title): \(scenario)"
  }

  /// - Parameters: As for `markdown`.
  func blocks(_ scenario: String, _ report: String, _ pictures: [Picture], _ pictureFolder: String) -> [Block] {
    guard let group = ScenarioGroup.all(in: document).first(where: { $0.name == scenario }) else { return [] }
    var blocks: [Block] = [.heading(level: 1, RichText(title(scenario)))]
    blocks += group.words
    blocks.append(.paragraph("\("All scenarios, the machine and the method: the report of the run", link: report)"))
    blocks += [.paragraph(group.legend)] + group.figures(pictures, pictureFolder, headingLevel: 2)
    return blocks.withNotes
  }
}

extension [Block] {
  /// With the section of the footnotes, if there are any.
  fileprivate var withNotes: [Block] {
    Footnotes(self).notes.isEmpty ? self : self + [.heading(level: 2, "Notes"), .footnotes]
  }
}

extension Warning {
  /// The mark of its footnote.
  var mark: RichText { "\(footnote: RichText(text))" }

  /// A line for a terminal.
  var line: RichText { "warning: \(text)" }

  private var text: String { benchmark.map { "\($0): \(message)" } ?? message }
}

extension BenchmarkFailure {
  /// A line for a terminal.
  var line: RichText { .strong("failed: \(id): \(briefReason)", .bad) }
}

// MARK: - As HTML

extension RunDocument {
  /// A run as one self-contained HTML file: the content of `RunReport`, with the pictures in it, each
  /// twice: for wide and for narrow windows. With several scenarios the charts of single frames, which are
  /// most of the bytes, are left out. The same text for the same document.
  ///
  /// - Parameters:
  ///   - program: As for `RunReport`.
  ///   - isVerbose: With the charts of every frame of every scenario, and nothing folded: some megabytes
  ///   for a
  ///     large suite.
  ///   - page: Link from the report to the page of a scenario; nil if it has none.
  package func htmlReport(
    program: String? = nil, isVerbose: Bool = false, page: @escaping @Sendable (String) -> String? = { _ in nil }
  ) -> String {
    let isWhole = isVerbose || ScenarioPages(self).isEmpty
    let (pictures, figures) = htmlPictures(isOfAllSizes: !isWhole)
    let report = RunReport(
      self, program: program, detail: isWhole ? .whole : .folded, pictures: pictures,
      anchor: { "#\(HTMLRenderer.anchor($0))" }, page: page)
    return report.blocks.html(title: "\(unit.title): \(suite)", figures: figures)
  }

  /// The pictures for wide windows, and the HTML by their names.
  ///
  /// - Parameter isOfAllSizes: Leaves out charts of the frames of one size.
  fileprivate func htmlPictures(isOfAllSizes: Bool = false) -> (pictures: [Picture], html: [String: String]) {
    let drawn = Pictures(self)
    let wide = drawn.pictures(width: Pictures.wideWidth, isOfAllSizes: isOfAllSizes)
    // Names of pictures never contain this mark.
    let narrow = drawn.pictures(width: Pictures.narrowWidth, mark: "~narrow", isOfAllSizes: isOfAllSizes)
    let html = zip(wide, narrow).map { wide, narrow in
      (wide.name, SVG.figure(wide: wide.svg, narrow: narrow.svg, readout: wide.readout))
    }
    return (wide, Dictionary(html, uniquingKeysWith: { first, _ in first }))
  }
}

extension ScenarioPages {
  /// The pages as HTML, by file name, with the pictures in them.
  ///
  /// - Parameter report: As for `markdown`.
  package func html(report: String) -> [(name: String, text: String)] {
    let (pictures, figures) = document.htmlPictures()
    return stems.map { scenario, stem in
      let page = blocks(scenario, report, pictures, "").html(title: title(scenario), figures: figures)
      return ("\(stem).html", page)
    }
  }
}
