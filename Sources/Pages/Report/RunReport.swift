import FrameBench
import Markup
import Measurements
import TextFormat

/// The amount of detail in a report on several scenarios. A report on a single scenario is always complete.
package enum ReportDetail: Sendable {
  case whole
  /// All details, but tables are folded.
  case folded
  /// A line for each scenario, with a link to its page if there is one.
  case linked
}

extension RunDocument {
  /// The run as a page: the verdict, a line for every benchmark, the scenarios, and the method. The page depends only
  /// on the document.
  /// - Parameters:
  ///   - pictures: The pictures of the document to show. The name of a picture is the name of its file.
  ///   - pictureFolder: The link to the folder of the pictures' files, with a slash at its end. Empty if the files lie
  ///     next to the page.
  ///   - hasAnchors: Whether the sections of this page can be linked to, as in HTML.
  ///   - page: Returns the percent-encoded link from this page to the page of a scenario. Nil if the scenario has none.
  package func report(
    detail: ReportDetail = .whole, pictures: [Picture] = [], pictureFolder: String = "", hasAnchors: Bool = false,
    page: @escaping (String) -> String? = { _ in nil }
  ) -> [Block] {
    let groups = ScenarioGroup.all(in: self)
    let (isSingle, isLinked) = (groups.count < 2, detail == .linked && groups.count > 1)
    var blocks: [Block] = [.heading(level: 1, "\(unit.title): \(suite)")] + verdictBlocks + failureBlocks
    blocks += pictures.filter { $0.kind == .overview }.map { $0.block(in: pictureFolder) }
    blocks += Overview(self).blocks { scenario in
      isLinked ? page(scenario) : hasAnchors && !isSingle ? "#\(HTMLRenderer.anchor(scenario))" : nil
    }
    if isLinked {
      let items = groups.map { group -> RichText in
        let name = RichText.strong(group.name)
        let linked = page(group.name).map { "\(name, link: $0)" } ?? name
        let parts: [RichText] = [group.summary, RichText(group.headline)]
        return "\(linked): \(parts.filter { !$0.isEmpty }.joined(separator: " "))"
      }
      blocks += [.heading(level: 2, "Scenarios"), .list(items)]
    }
    let byScenario = Dictionary(grouping: pictures, by: \.scenario)
    for group in groups where !isLinked {
      blocks += [.heading(level: 2, "\(group.name)")] + group.words
      let figures = group.figures(byScenario[group.name] ?? [], pictureFolder, headingLevel: 3)
      let isFolded = detail == .folded && !isSingle
      blocks += isFolded ? [.details(summary: "Figures of \(group.name)", figures)] : figures
      if isFolded, let link = page(group.name) {
        blocks.append(.paragraph("\("The same with the charts of every \(group.unit.sample)", link: link)"))
      }
    }
    let method = [.table(environmentTable)] + methodBlocks
    blocks += [
      .heading(level: 2, Self.methodTitle),
      .details(summary: "The machine, the method, and how to measure it again", method),
    ]
    return blocks.withNotes
  }

  /// The run as one self-contained HTML file: its report with pictures. With several scenarios, it folds tables and
  /// leaves out the charts of single sizes, which make up most of the file, unless `isVerbose` is true.
  package func htmlReport(isVerbose: Bool = false, page: @escaping (String) -> String? = { _ in nil }) -> String {
    let isWhole = isVerbose || ScenarioGroup.all(in: self).count < 2
    let pictures = pictures.filter { isWhole || $0.size == nil }
    let report = report(detail: isWhole ? .whole : .folded, pictures: pictures, hasAnchors: true, page: page)
    return report.html(title: "\(unit.title): \(suite)", figures: pictures.figures)
  }

  package static let methodTitle: RichText = "Machine and method"

  private var failureBlocks: [Block] {
    guard !failures.isEmpty else { return [] }
    let count = Format.plural(failures.count, "benchmark")
    let outputs = failures.filter { !$0.standardError.isEmpty }.flatMap { failure -> [Block] in
      [.paragraph("\(code: failure.id):"), .codeBlock(failure.briefStandardError)]
    }
    let reasons = failures.map { "\(code: $0.id): \($0.briefReason)" as RichText }
    let rest = Array(reasons.dropFirst(10))
    return [.paragraph(.strong("\(count) could not be measured:", .bad)), .list(Array(reasons.prefix(10)))]
      + (rest.isEmpty ? [] : [.details(summary: "\(Format.plural(rest.count, "more failure"))", [.list(rest)])])
      + (outputs.isEmpty ? [] : [.details(summary: "What the failed benchmarks wrote to stderr", outputs)])
  }

  private var verdictBlocks: [Block] {
    let rate = unit == .call ? "" : " at \(options.refreshRateHertz) Hz"
    let runs = "\(options.runsPhrase(benchmarks)) of \(options.samplesPhrase(benchmarks))\(rate)"
    let start = "\(startedAt.prefix(10)) \(startedAt.dropFirst(11).prefix(5)) UTC"
    // The footnote marks of all warnings. The mark of a warning about a benchmark is also at its row or column.
    let marks = (["\(Format.plural(warnings.count, "warning"))"] + warnings.map(\.mark)).joined(separator: "")
    let parts = [RichText(start), environmentLine, RichText(runs)] + (warnings.isEmpty ? [] : [marks])
    return caveats.map { .paragraph(.strong($0)) } + [
      .paragraph(.strong(verdict)), .paragraph(parts.joined(separator: " · ")),
    ]
  }
}

extension ScenarioGroup {
  /// The suite's summary of what the frames of the scenario do. Empty if there is none.
  fileprivate var summary: RichText { document.summaries?[scenario].map(RichText.text) ?? "" }

  fileprivate var words: [Block] {
    (summary.isEmpty ? [] : [.paragraph(summary)]) + [.paragraph(.strong(headline)), .list(details.map(RichText.text))]
  }

  fileprivate func figures(_ pictures: [Picture], _ pictureFolder: String, headingLevel: Int) -> [Block] {
    func images(_ size: Int?, _ kind: Picture.Kind) -> [Block] {
      pictures.filter { ($0.size, $0.kind) == (size, kind) }.map { $0.block(in: pictureFolder) }
    }
    var blocks = images(nil, .growth) + images(nil, .phases)
    for size in sizes {
      blocks.append(.heading(level: headingLevel, "\(title(ofSize: size))"))
      blocks += images(size, .frames) + SizeTable(self, size: size).blocks + images(size, .distribution)
    }
    if unit == .frame {
      blocks += [.heading(level: headingLevel, "Growth and headroom")] + growthBlocks + headroomBlocks + budgetBlocks
    } else if sizes.count > 1 {
      blocks += [.heading(level: headingLevel, "Growth")] + growthBlocks
    }
    return blocks + capacityBlocks(headingLevel: headingLevel) + [rawBlock]
  }

  fileprivate var pageTitle: String { "\(unit.title): \(name)" }

  fileprivate func page(_ report: String, _ pictures: [Picture], _ pictureFolder: String) -> [Block] {
    let opening = [.heading(level: 1, RichText(pageTitle))] + words
    let closing = [.paragraph(legend)] + figures(pictures, pictureFolder, headingLevel: 2)
    let link: RichText = "\("All scenarios, the machine and the method: the report of the run", link: report)"
    return (opening + [.paragraph(link)] + closing).withNotes
  }

  /// How to read the figures, for a page without an overview.
  private var legend: RichText {
    let basis = "Each \(unit.sample)'s time is the minimum of \(options.runsPhrase(recordsByStrategy))."
    guard let reference, !challengers.isEmpty else { return RichText(basis) }
    return "\(basis) Ratios are cost ÷ \(reference)'s: below 1× is cheaper, = is equal, ~ is rounded."
  }
}

/// The pages of the scenarios of a run, which lie next to its report. A run of a single scenario has no such pages,
/// because its report is complete.
package struct ScenarioPages: Sendable {
  private let document: RunDocument
  /// The scenarios in their order, with their file names without a suffix.
  private let scenarios: [(group: ScenarioGroup, stem: String)]
  private let stems: [String: String]

  package init(_ document: RunDocument) {
    self.document = document
    let groups = ScenarioGroup.all(in: document)
    var files = FileNames()
    scenarios = groups.count > 1 ? groups.map { ($0, files.next($0.name)) } : []
    stems = Dictionary(scenarios.map { ($0.group.name, $0.stem) }) { first, _ in first }
  }

  /// The file name of a scenario's page: `springs.md`. Nil if the scenario has no page.
  package func fileName(_ scenario: String, _ suffix: String) -> String? { stems[scenario].map { "\($0).\(suffix)" } }

  /// The pages as markdown, by file name, with percent-encoded links to the report and to the pictures.
  package func markdown(report: String, pictures: [Picture], pictureFolder: String) -> [(name: String, text: String)] {
    let pictures = Dictionary(grouping: pictures, by: \.scenario)
    return scenarios.map { group, stem in
      ("\(stem).md", group.page(report, pictures[group.name] ?? [], pictureFolder).markdown())
    }
  }

  package func html(report: String) -> [(name: String, text: String)] {
    let pictures = Dictionary(grouping: document.pictures, by: \.scenario)
    return scenarios.map { group, stem in
      let own = pictures[group.name] ?? []
      return ("\(stem).html", group.page(report, own, "").html(title: group.pageTitle, figures: own.figures))
    }
  }
}

extension [Block] {
  fileprivate var withNotes: [Block] {
    Footnotes(self).notes.isEmpty ? self : self + [.heading(level: 2, "Notes"), .footnotes]
  }
}

extension Picture {
  fileprivate func block(in folder: String) -> Block {
    .paragraph(RichText([.image(alternative: "\(drawing.title). \(drawing.description)", source: folder + name)]))
  }
}

extension [Picture] {
  fileprivate var figures: [String: String] { Dictionary(uniqueKeysWithValues: map { ($0.name, $0.figure) }) }
}

extension Warning {
  package var mark: RichText { "\(footnote: RichText(text))" }
  package var line: RichText { "warning: \(text)" }

  private var text: String { benchmark.map { "\($0): \(message)" } ?? message }
}
