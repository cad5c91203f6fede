import Formats
import Foundation
import FrameBench
import Markup
import Pages
import Platform
import TextFormat

/// A value of the option `--report`, such as `junit=checks.xml`: a format and a file. Without a file, the report goes
/// to stdout.
struct ReportRequest: Equatable {
  enum Format: String, CaseIterable {
    case markdown, html, json, junit, github, document
    case githubComment = "github-comment"
    case githubAnnotations = "github-annotations"
  }

  var format: Format
  var path: String?

  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let format = Format(rawValue: parts[0]) else {
      throw UsageError(
        "--report", "unknown format \"\(parts[0])\"",
        remedy: Suggestion.remedy(for: parts[0], among: Format.allCases.map(\.rawValue), called: "the formats are"))
    }
    self.format = format
    path = parts.count > 1 ? parts[1] : nil
    if let path { try OutputFile(path: path, option: "--report").checkWritable() }
  }

  static func parse(_ texts: [String]) throws -> [ReportRequest] {
    let requests = try texts.map(ReportRequest.init)
    guard requests.filter({ $0.path == nil }).count <= 1 else {
      throw UsageError("--report", "two formats for stdout", remedy: "name a file, as in --report junit=checks.xml")
    }
    try checkApart(requests.compactMap(\.path))
    return requests
  }

  /// Refuses two reports for one file, because the second would replace the first.
  static func checkApart(_ paths: [String]) throws(UsageError) {
    var files: Set<String> = []
    for path in paths {
      let target = Paths.target(path)
      let folder = Paths.parent(target)
      guard files.insert(Paths.joined(Paths.real(folder) ?? folder, Paths.name(target))).inserted else {
        throw UsageError("--report", "two formats for \(path)", remedy: "give each a file of its own")
      }
    }
  }
}

/// Writes the findings of a command in all requested formats. In a GitHub job, also writes annotations and a summary.
struct ReportDelivery {
  var requests: [ReportRequest]
  /// Builds the page for readers. Its argument is a function that returns the link to a file, or nil if readers of the
  /// page cannot open the file.
  var blocks: (@escaping FileLink) -> [Block]
  var json: String
  var checks: CheckReport

  /// Writes to stdout first, so that the verdict is not lost if a file cannot be written. If no report is requested for
  /// stdout, `text` is written there.
  /// - Returns: Whether a report was written to stdout.
  @discardableResult func deliver(_ context: CommandContext, otherwise text: @autoclosure () -> String) throws -> Bool {
    let printed = requests.first { $0.path == nil }
    if let printed, printed.format == .githubAnnotations {
      try context.console.writeUnchanged(try render(printed, context))
    } else {
      try context.console.write(try printed.map { try render($0, context) } ?? text())
    }
    for request in requests {
      guard let path = request.path else { continue }
      try OutputFile(path: path).write(Data(try render(request, context).utf8))
    }
    try tellGitHub(context, printed)
    return printed != nil
  }

  /// The last line of a pull request comment that reports no change. docs/ci/github-comment.yml searches for this line,
  /// and does not post such a comment as a new one.
  private static let nothingChanged = "\n<!-- nothing changed -->\n"

  private func render(_ request: ReportRequest, _ context: CommandContext) throws -> String {
    let link: FileLink = { fileLink(from: request.path, to: $0) }
    return switch request.format {
    case .document: String(decoding: try checks.comparison?.encoded() ?? Data(), as: UTF8.self)
    case .markdown: blocks(link).markdown()
    case .html: checks.html(blocks(link))
    case .json: json
    case .junit: checks.junit()
    case .github: summary(context)
    case .githubComment:
      summary(context, GitHubSummary.commentLimit) + (checks.changesNothing ? Self.nothingChanged : "")
    case .githubAnnotations: annotations(context)
    }
  }

  private func annotations(_ context: CommandContext) -> String {
    checks.githubAnnotations { context.environment["GITHUB_ACTIONS"] == "true" ? Paths.absolute($0) : $0 }
  }

  private func summary(_ context: CommandContext, _ limit: Int = GitHubSummary.gitHubLimit) -> String {
    let link: FileLink = { Self.link(toArtifact: $0, context.environment) }
    return blocks(link).gitHubSummary(limit: limit, elsewhere: "the report from --report markdown")
  }

  /// Returns the address of a file of the CI job, for links in a comment. GitHub shows no single files, so its links
  /// lead to the list of the run's artifacts. Nil outside of a CI job.
  static func link(toArtifact path: String, _ environment: [String: String]) -> String? {
    if let job = environment["CI_JOB_URL"], let folder = environment["CI_PROJECT_DIR"] {
      return "\(job)/artifacts/file/\(fileLink(from: Paths.joined(folder, "page"), to: path))"
    }
    guard let server = environment["GITHUB_SERVER_URL"], let repository = environment["GITHUB_REPOSITORY"],
      let run = environment["GITHUB_RUN_ID"]
    else { return nil }
    return "\(server)/\(repository)/actions/runs/\(run)#artifacts"
  }

  /// Throws if the step summary of GitHub Actions cannot be written. Without this early check, the command would fail
  /// only after measuring for an hour.
  static func check(_ context: CommandContext) throws(RunError) {
    guard let path = summaryPath(context) else { return }
    // GitHub creates the file, but someone who tries a job by hand may not.
    if !FileManager.default.fileExists(atPath: path) { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    try attempt(try FileHandle(forUpdating: URL(fileURLWithPath: path)).close()) { summaryError(path, $0) }
  }

  private static func summaryPath(_ context: CommandContext) -> String? {
    let path = context.environment["GITHUB_ACTIONS"] == "true" ? context.environment["GITHUB_STEP_SUMMARY"] : nil
    return path == "" ? nil : path
  }

  private static func summaryError(_ path: String, _ error: any Error) -> RunError {
    RunError("GITHUB_STEP_SUMMARY (\(path)) cannot be written: \(systemReason(error))")
  }

  /// - Parameter printed: The report on stdout. Nil if there is none.
  private func tellGitHub(_ context: CommandContext, _ printed: ReportRequest?) throws {
    guard context.environment["GITHUB_ACTIONS"] == "true" else { return }
    // GitHub's runner reads annotations from both streams. They go to stderr if stdout has a report, such as JSON for a
    // script. If that report is the annotations, they are there already.
    if printed == nil {
      try context.console.writeUnchanged(annotations(context))
    } else if printed?.format != .githubAnnotations {
      context.console.writeErrorUnchanged(annotations(context))
    }
    guard let path = Self.summaryPath(context) else { return }
    do {
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      let room = GitHubSummary.gitHubLimit - Int(min(try file.seekToEnd(), 1 << 30))
      guard room > 2_000 else { return context.console.report("the step summary is full, so the report is not in it") }
      try file.write(contentsOf: Data(summary(context, room).utf8))
      try file.close()
    } catch { throw Self.summaryError(path, error) }
  }
}

extension CheckReport {
  var status: ExitStatus { Self.status(of: Set(checks.filter { $0.outcome == .failed }.map(\.kind))) }

  /// Returns the exit status for the kinds of checks that failed. Among several, the first of 1, 5, 2, 3, 4 and 6 wins.
  static func status(of failed: Set<Check.Kind>) -> ExitStatus {
    let statuses: KeyValuePairs<Check.Kind, ExitStatus> = [
      .failure: .failure, .behaviorChanged: .behaviorChanged, .missing: .behaviorChanged, .regression: .regression,
      .budget: .budgetExceeded, .notInBaseline: .notComparable, .inconclusive: .inconclusive,
    ]
    return statuses.first { failed.contains($0.key) }?.value ?? .success
  }
}

/// Returns the relative link from a page to a file, percent-encoded. Symbolic links are not resolved.
/// - Parameter page: The path of the page. Nil means that the page goes to stdout, and is read from the current folder.
func fileLink(from page: String?, to path: String) -> String {
  func standard(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
  return Paths.encoded(Paths.relative(standard(path), from: standard(page.map(Paths.parent) ?? ".")))
}

extension CommandContext {
  /// Returns a function that returns the command line for repeating this `compare` or `gate` with the given benchmarks,
  /// or with all if none are given. The line has all options that affect the verdict, but none about reports.
  /// - Parameter added: Options that the user did not give, such as a random seed.
  func repeating(adding added: [String] = [], of arguments: [String]? = nil) -> @Sendable ([BenchmarkID]) -> String {
    { [arguments = arguments ?? self.arguments] benchmarks in
      var words: [String] = []
      var rest = (arguments + added)[...]
      while let word = rest.popFirst() {
        let name = String(word.prefix { $0 != "=" })
        if ["--json", "--markdown"].contains(word) { continue }
        // Options that select benchmarks are replaced by the ids of `benchmarks`.
        let isSelection = !benchmarks.isEmpty && ["--filter", "--skip", "--shard", "--shard-durations"].contains(name)
        if name == "--report" || isSelection {
          if name == word { _ = rest.popFirst() }
          continue
        }
        words.append(word)
      }
      return ShellWord.quoted(["springbench"] + words + benchmarks.flatMap { ["--filter", RegexText.whole("\($0)")] })
    }
  }
}
