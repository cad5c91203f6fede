import Foundation
import Testing

@testable import Builds
@testable import Formats
@testable import Markup
@testable import Platform
@testable import Program

/// A command line that writes a file or a folder. `everyOptionThatNamesAFileIsKnown` checks that no option is missing
/// here.
struct WritingCommand: CustomTestStringConvertible {
  /// The command without its options, such as `history export`.
  var command: String
  /// The option that names the output, or that makes the command write. Nil if an argument without an option names the
  /// output.
  var option: String?
  var arguments: [String]
  /// Files that may change even if the command fails, as a pattern for `diff -x`.
  var mayChange: String?

  var testDescription: String { ([command] + arguments).joined(separator: " ") }

  init(_ command: String, _ option: String?, _ arguments: [String], mayChange: String? = nil) {
    self.command = command
    self.option = option
    self.arguments = arguments
    self.mayChange = mayChange
  }

  private static let quick = [
    "--filter", "doubtful", "--frames", "4", "--warm-up", "1", "--runs", "1", "--machine", "m",
  ]
  private static let checkFormats = ["markdown", "html", "json", "junit", "github", "github-annotations"]
  private static let gate = ["--run", "run.json", "--baseline", "./run.json"]

  /// All cases. The commands write to `disk`. They read the stored run `run.json`, the budgets `limits.yml`, which no
  /// run exceeds, and the history `nights`.
  static let all: [WritingCommand] =
    [
      WritingCommand("run", "--output", ["--output", "disk/out"] + quick),
      WritingCommand("gate", "--output", ["--budgets", "limits.yml", "--output", "disk/out"] + quick),
      WritingCommand("nightly", "--output", ["--output", "disk/out", "--history", "h", "--site", "s"] + quick),
      // `undelivered.json` says that a verdict may be missing, so it may change if the command fails.
      WritingCommand(
        "nightly", "--history", ["--output", "out", "--history", "disk/h", "--site", "s"] + quick,
        mayChange: "undelivered.json"),
      WritingCommand("nightly", "--site", ["--output", "out", "--history", "h", "--site", "disk/s"] + quick),
      WritingCommand("history show", "--site", ["--history", "nights", "--site", "disk/s"]),
      WritingCommand("history show", "--import", ["--history", "disk/h", "--import", "run.json"]),
      WritingCommand("merge", "--output", ["run.json", "--output", "disk/merged.json"]),
      WritingCommand(
        "baseline save", "--output", ["main", "--results", "disk", "--machine", "desk", "--run", "run.json"]),
      WritingCommand(
        "acknowledge", "--budgets",
        [
          "doubtful/mine/10", "--metric", "frameNanoseconds", "--reason", "wanted", "--until", "2099-01-01",
          "--budgets", "disk/limits.yml",
        ]),
      WritingCommand(
        "profile", "--output",
        [
          "doubtful/mine/10", "--run-frames", "4", "--warm-up", "1", "--samples", "1", "--no-instructions", "--output",
          "disk/out", "--machine", "m",
        ]),
      WritingCommand(
        "calibrate", "--output",
        [
          "--filter", "steady/tiled/10$", "--trials", "1", "--planted", "0%", "--seconds", "1", "--machine", "m",
          "--output", "disk/out",
        ]),
    ]
    + HistoryFormat.allCases.map {
      WritingCommand(
        "history export", "--output",
        ["--history", "nights", "--format", $0.rawValue, "--output", "disk/nights.\($0.rawValue)"])
    }
    + ReportFormat.allCases.map {
      WritingCommand(
        "report", "--output", ["run.json", "--format", $0.rawValue, "--output", "disk/page.\($0.rawValue)"])
    }
    + checkFormats.map {
      WritingCommand("compare", "--report", ["run.json", "./run.json", "--report", "\($0)=disk/page.\($0)"])
    }
    + (checkFormats + ["gitlab"]).map {
      WritingCommand("gate", "--report", gate + ["--report", "\($0)=disk/page.\($0)"])
    }

  /// The first case of each group of cases that differ only in the format.
  static var oneForEachOption: [WritingCommand] {
    var seen = Set<[String?]>()
    return all.filter { seen.insert([$0.command, $0.option]).inserted }
  }

  /// The command line without the program's name.
  var words: [String] { command.split(separator: " ").map(String.init) + arguments }

  /// Writes the input of all commands, and creates `disk`.
  static func prepare(_ folder: TemporaryFolder) async throws {
    for (name, start) in [("run", "2026-11-21T06:47:12Z"), ("next", "2026-11-22T06:47:12Z")] {
      let document = try StoredRuns.document(startedAt: start)
      try StoredRuns.write(document, to: "\(folder.path)/\(name).json")
    }
    try FileManager.default.createDirectory(atPath: folder.path + "/disk", withIntermediateDirectories: true)
    for path in ["limits.yml", "disk/limits.yml"] {
      try limits.write(toFile: "\(folder.path)/\(path)", atomically: true, encoding: .utf8)
    }
    let history = try await FixtureProcess.run(
      ["history", "--history", "nights", "--import", "run.json", "next.json"], in: folder.path)
    #expect(history.status == 0, "\(history.error)")
  }

  private static let limits = """
    version: 1
    budgets:
      - ids: "**"
        limits: {frameNanoseconds.p99: 1000s}
    """

  private enum HistoryFormat: String, CaseIterable { case csv, jsonl }

  private static let measured = ["--package-path": "is built", "--program": "is run", "--shard-durations": "is read"]

  /// Options and arguments for files and folders that a command only reads or empties, keyed by command. The values are
  /// the reasons why `all` has no cases for them.
  static let others: [String: [String: String]] = [
    "run": measured.merging(["--trace": "is read"]) { $1 }, "list": measured,
    "gate": measured.merging(["--trace": "is read", "--budgets": "is read", "--comparison": "is read"]) { $1 },
    "compare": measured, "bisect": measured, "build-revision": measured, "acknowledge": measured,
    "nightly": measured.merging(["--trace": "is read", "--budgets": "is read"]) { $1 },
    "history show": ["--history": "as --import", "--budgets": "is read"], "history export": ["--history": "is read"],
    "report": ["--results": "is read"], "baseline list": ["--output": "is read"],
    "baseline show": ["--output": "is read"], "baseline remove": ["--output": "is made less"],
    "profile": measured.merging(["--trace": "is read"]) { $1 },
    "calibrate": measured.merging(["--read": "is read"]) { $1 },
    "clean": ["--output": "is made less", "--package-path": "its builds are removed"],
    "doctor": ["--system-root": "is read"], "init": ["--layout": "is read"],
  ]

  /// Commands without an option that names a file, with what they do instead.
  static let silent: [String: String] = ["change-points": "prints", "help": "prints"]
}

/// The output of `--experimental-dump-help`, which describes all commands of the program as JSON.
struct CommandDescription: Decodable {
  var command: Command

  struct Command: Decodable {
    var commandName: String
    var subcommands: [Command]?
    var arguments: [Argument]?

    /// Returns the commands without subcommands, with their full names.
    func leaves(_ path: [String] = []) -> [(name: String, arguments: [Argument])] {
      guard let subcommands, !subcommands.isEmpty else { return [(path.joined(separator: " "), arguments ?? [])] }
      return subcommands.flatMap { $0.leaves(path + [$0.commandName]) }
    }
  }

  struct Argument: Decodable {
    var kind: String
    var valueName: String?
    var names: [Name]?

    struct Name: Decodable {
      var kind: String
      var name: String
    }

    /// The name, such as `--output`. For an argument without a name, it is the name of the value.
    var name: String {
      guard let long = names?.first(where: { $0.kind == "long" }) else { return valueName ?? "" }
      return "--\(long.name)"
    }

    var namesAFile: Bool { kind != "flag" && ["file", "dir", "path"].contains { (valueName ?? "").contains($0) } }
  }
}
