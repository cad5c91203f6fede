import FrameBench
import Judging
import TextFormat

/// The pages of all histories: an overview, the newest night's report of each machine and suite, and a page a
/// benchmark. Pure: the same files for the same histories.
package struct Site: Sendable {
  /// A history of one machine and one suite.
  package struct Part: Sendable {
    /// Named in headings and file names.
    package var machine: String
    /// Named in headings and file names.
    package var suite: String
    /// Of the nights of that machine and suite alone.
    package var analysis: HistoryAnalysis

    package init(machine: String, suite: String, analysis: HistoryAnalysis) {
      self.machine = machine
      self.suite = suite
      self.analysis = analysis
    }

    var name: String { "\(suite) on \(machine)" }
  }

  /// A limit of a figure, to be drawn as a line.
  package struct Budget: Sendable {
    /// In the metric's own unit, as this machine measures: without the budget file's `cpuSlowdown`.
    package var value: Double
    /// Plain text.
    package var text: String

    package init(value: Double, text: String) {
      self.value = value
      self.text = text
    }
  }

  /// One file of the site.
  package struct File: Sendable, Hashable {
    /// Relative to the site's folder: `index.html`, `benchmarks/m-springs-tiled-10000.html`.
    package var path: String
    /// A whole page of HTML.
    package var text: String
  }

  /// Nights that a chart shows at most.
  static let shownNights = 730
  /// The page to begin with, at the top of the folder.
  package static let overviewName = "index.html"
  /// The names of the site's own entries in its folder.
  package static let topNames: Set<String> = [overviewName, "benchmarks", "reports"]

  private let parts: [Part]
  private let budget: @Sendable (BenchmarkID, String) -> Budget?

  /// - Parameters:
  ///   - parts: Without those that have no night.
  ///   - budget: By benchmark and name of the figure; nil where there is none.
  package init(
    _ parts: [Part], budget: @escaping @Sendable (BenchmarkID, String) -> Budget? = { _, _ in nil }
  ) {
    self.parts = parts.filter { !$0.analysis.nights.isEmpty }
    self.budget = budget
  }

  /// All files, the overview first. No two have the same path.
  package func files() -> [File] {
    var names = FileNames()
    let placed = parts.map { part in
      PlacedPart(
        part: part, report: "reports/\(names.next(part.machine, part.suite)).html",
        pages: part.analysis.benchmarks.map { id in
          (id, "benchmarks/\(names.next(part.machine, part.suite, id.description)).html")
        })
    }
    let overview = File(path: Self.overviewName, text: OverviewPage(placed).render())
    return [overview] + placed.flatMap(files)
  }

  private func files(_ placed: PlacedPart) -> [File] {
    let title = "\(placed.part.name): the newest night"
    let report = SitePage(
      title: title, links: placed.links(from: placed.report), NightReport(placed.part.analysis).blocks)
    return [File(path: placed.report, text: report.render())]
      + placed.pages.map { id, path in
        let page = BenchmarkPage(placed, id: id, path: path, budget: budget)
        return File(path: path, text: page.render())
      }
  }
}

/// A part, and where its pages are.
struct PlacedPart: Sendable {
  var part: Site.Part
  var report: String
  var pages: [(id: BenchmarkID, path: String)]

  /// Of a page in a folder of the site's.
  func links(from path: String) -> [SitePage.Link] {
    var links = [SitePage.Link("Overview", "../\(Site.overviewName)")]
    if path != report { links.append(SitePage.Link("The newest night", "../\(report)")) }
    return links + pages.filter { $0.path != path }.map { SitePage.Link($0.id.description, "../\($0.path)") }
  }

  func path(of id: BenchmarkID) -> String? { pages.first { $0.id == id }?.path }
}
