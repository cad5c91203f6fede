import ArgumentParser
import Execution
import Formats
import Foundation
import Markup
import Platform
import TextFormat

struct ReportCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Converts a finished run to another format.",
    discussion: """
      FORMATS
        \(formatNames.prefix(6).joined(separator: ", ")),
        \(formatNames.dropFirst(6).prefix(4).joined(separator: ", ")),
        \(formatNames.dropFirst(10).joined(separator: ", "))
        docs/formats.md says what reads each of them.

      With --output report.md, pictures go to report-pictures, and the pages of scenarios to report-scenarios.

      EXAMPLES
        springbench report latest
        springbench report latest --output report.md
        springbench report latest --verbose          every scenario, in one page
        springbench report latest --format csv --output frames.csv
        springbench report results/desk/20261121T064712Z-6a73046 --format junit
        springbench report run.json --format github >> "$GITHUB_STEP_SUMMARY"
      """)

  private static let formatNames = ReportFormat.allCases.map(\.rawValue)

  @Argument(
    help: ArgumentHelp(
      "A run.json, the folder of a run, or \"latest\": the newest run below --results.", valueName: "run")) var run:
    String
  @Option(
    parsing: .unconditional, help: ArgumentHelp("What to write (default: markdown).", valueName: "format"),
    transform: { text in
      guard let format = ReportFormat(rawValue: text) else {
        throw ValueError(Suggestion.remedy(for: text, among: formatNames, called: "the formats are"))
      }
      return format
    }) var format: ReportFormat = .markdown
  @Option("The file to write (default: stdout); replaced whole.", "file") var output: String?
  @Flag(help: "Put every scenario in full into one page of markdown or HTML, instead of a page for each.") var verbose =
    false
  @Option("Folder in which \"latest\" looks for runs.", "dir") var results = ResultOptions.defaultFolder

  func run(in context: CommandContext) async throws -> ExitStatus {
    let isPage = [.markdown, .html].contains(format)
    guard isPage || !verbose else {
      throw UsageError(
        "--verbose", "only markdown and html have a verbose form", remedy: "leave it out of --format \(format.rawValue)"
      )
    }
    if let output { try OutputFile(path: output).checkWritable() }
    let stored = try StoredRun(argument: run, results: results)
    let document = try stored.read()
    if isPage {
      let page = StoredReport(document, path: stored.path, isHTML: format == .html, isVerbose: verbose)
      if let output { try page.write(to: OutputFile(path: output)) } else { try context.console.write(page.text) }
      return .success
    }
    let text = try attempt(try format.render(document)) { RunError("\($0)") }
    if output == nil, format == .githubAnnotations {
      try context.console.writeUnchanged(text)
    } else {
      try context.console.write(text, to: output)
    }
    return .success
  }
}
