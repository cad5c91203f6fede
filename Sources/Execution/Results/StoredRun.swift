import Foundation
import Markup
import Measurements
import Pages
import Platform

/// A run document that was named on the command line.
package struct StoredRun {
  package static let latest = "latest"

  package let path: String

  package init(path: String) { self.path = path }

  /// - Parameter argument: The path of a document or of the folder of a run, or `latest` for the newest run below
  ///   `results`.
  package init(argument: String, results: String) throws(UsageError) {
    if argument == Self.latest {
      guard let folder = OutputFolder(path: results).newestRun() else {
        throw UsageError(
          "latest: there is no run below \"\(results)\"",
          remedy: "measure with springbench run, or name another folder with --results")
      }
      path = folder + "/run.json"
      return
    }
    guard !argument.isEmpty, access(argument, F_OK) == 0 else {
      throw UsageError("\"\(argument)\" is not there", remedy: "name a run.json, the folder of a run, or \"latest\"")
    }
    path = Paths.isFolder(argument) ? Paths.joined(argument, "run.json") : argument
    guard access(path, F_OK) == 0 else {
      throw UsageError(
        "the folder \"\(argument)\" has no run.json",
        remedy: "name the folder of a run, as in results/<machine>/<run>, or \"latest\"")
    }
  }

  package func read() throws(RunError) -> RunDocument {
    let data = try attempt(try InputFile(path).read()) { RunError("\(path) \($0)") }
    return try attempt(try RunDocument(contentsOf: data)) { RunError("\(path): \($0)") }
  }
}

/// The report of a stored run as markdown or HTML, with its pictures and the pages of its scenarios.
package struct StoredReport {
  private let document: RunDocument
  private let path: String
  private let isHTML: Bool
  private let isVerbose: Bool
  private let pages: ScenarioPages

  /// - Parameter isVerbose: Whether the whole report is on one page, without collapsed sections.
  package init(_ document: RunDocument, path: String, isHTML: Bool, isVerbose: Bool = false) {
    (self.document, self.path, self.isHTML, self.isVerbose) = (document, path, isHTML, isVerbose)
    pages = ScenarioPages(document)
  }

  private var suffix: String { isHTML ? "html" : "md" }

  /// The report for stdout. It links only to pictures and pages that exist next to the document. The links are relative
  /// to the current folder.
  package var text: String {
    let folder = Paths.parent(path)
    @Sendable func isThere(_ name: String) -> Bool { access(Paths.joined(folder, name), F_OK) == 0 }
    let link = Self.link(folder)
    return page(pictures: document.pictures.filter { isThere($0.name) }, folder: link) { scenario in
      pages.fileName(scenario, suffix).map { "\(RunDocument.scenarioFolder)/\($0)" }.flatMap {
        isThere($0) ? link + $0 : nil
      }
    }
  }

  /// Writes the page. Its pictures and the pages of its scenarios go to folders next to it. For `night.md`, these
  /// folders are `night-pictures` and `night-scenarios`. All files are written together, so that no page is left next
  /// to pictures of another run.
  package func write(to file: OutputFile) throws(RunError) {
    guard file.isReplaceable else { return try file.write(Data(text.utf8)) }
    let stem = (file.path as NSString).deletingPathExtension
    let report = "../" + Self.link(Paths.name(file.path)).dropLast()
    let pictures = isHTML ? [] : document.pictures
    let pictureFolder = Self.link(Paths.name(stem + "-pictures"))
    let scenarioFolder = Self.link(Paths.name(stem + "-scenarios"))
    let texts =
      isVerbose
      ? []
      : isHTML
        ? pages.html(report: report)
        : pages.markdown(report: report, pictures: pictures, pictureFolder: "../" + pictureFolder)
    let text = page(pictures: pictures, folder: pictureFolder) { scenario in
      pages.fileName(scenario, suffix).map { scenarioFolder + $0 }
    }
    let folders = [
      (stem + "-pictures", pictures.map { (name: $0.name, data: Data($0.svg.utf8)) }),
      (stem + "-scenarios", texts.map { (name: $0.name, data: Data($0.text.utf8)) }),
    ].filter { !$0.1.isEmpty }
    guard !folders.isEmpty else { return try file.write(Data(text.utf8)) }
    var made: [String] = []
    do {
      for (folder, _) in folders where !Paths.isFolder(folder) {
        try Paths.makeFolder(folder)
        made.append(folder)
      }
      try WholeFile(Paths.target(file.path)).replace(Data(text.utf8)) { () throws(WholeFile.Problem) in
        for (folder, files) in folders { try WholeFolder(path: folder).add(files) }
      }
    } catch {
      // `rmdir` does not remove a folder with content.
      for folder in made { rmdir(folder) }
      throw RunError("\"\(file.path)\" and its pictures and pages could not be written: \(error)")
    }
  }

  private func page(pictures: [Picture], folder: String, _ page: @escaping @Sendable (String) -> String?) -> String {
    if isHTML { return document.htmlReport(isVerbose: isVerbose, page: page) }
    return document.report(detail: isVerbose ? .whole : .linked, pictures: pictures, pictureFolder: folder, page: page)
      .markdown()
  }

  /// Returns the path of a folder as the beginning of a link, with a trailing slash. Empty for the current folder.
  private static func link(_ folder: String) -> String {
    folder.isEmpty || folder.hasSuffix("/") ? Paths.encoded(folder) : Paths.encoded(folder) + "/"
  }
}

extension RunDocument {
  /// The name of the folder with the pages of scenarios, in the folder of a run.
  package static let scenarioFolder = "scenarios"

  /// Returns the files of a run's folder: the document, the pages in both formats, and the pictures of the markdown
  /// pages.
  package func files() throws -> [(name: String, data: Data)] {
    let pictures = self.pictures
    let pages = ScenarioPages(self)
    let folder = Self.scenarioFolder
    let report = report(detail: .linked, pictures: pictures) { pages.fileName($0, "md").map { "\(folder)/\($0)" } }
    let html = htmlReport { pages.fileName($0, "html").map { "\(folder)/\($0)" } }
    var texts = [("report.md", report.markdown()), ("report.html", html)]
    texts += pictures.map { ($0.name, $0.svg) }
    let ofScenarios =
      pages.markdown(report: "../report.md", pictures: pictures, pictureFolder: "../")
      + pages.html(report: "../report.html")
    texts += ofScenarios.map { ("\(folder)/\($0.name)", $0.text) }
    return [("run.json", try encoded())] + texts.map { ($0.0, Data($0.1.utf8)) }
  }
}
