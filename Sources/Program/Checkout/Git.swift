import Foundation

/// Runs git in one folder, out of reach of the user's hooks and of the variables that a hook sets.
struct Git: Sendable {
  var folder: String
  /// Whose objects it sees beside those of the repository.
  var snapshot: Snapshot?

  /// What a git hook, a rebase or a filter leaves in the environment, and would lead git elsewhere.
  static let cleanEnvironment: [String: String?] = Dictionary(
    uniqueKeysWithValues: [
      "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR",
      "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_QUARANTINE_PATH",
    ].map { ($0, nil) })

  private static let settings = [
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.untrackedCache=false",
    "core.splitIndex=false", "core.warnAmbiguousRefs=true", "advice.detachedHead=false",
    "advice.addEmbeddedRepo=false", "gc.auto=0", "maintenance.auto=false",
  ]

  struct End {
    var isSuccess: Bool
    /// Without the last line feed.
    var output: String
    var error: String

    /// The line that says what is wrong.
    var reason: String {
      let lines = error.split(separator: "\n").map(String.init)
      let line = lines.last { $0.hasPrefix("fatal: ") || $0.hasPrefix("error: ") } ?? lines.last
      guard let line else { return "it gave no reason" }
      return ["fatal: ", "error: "].first { line.hasPrefix($0) }.map { String(line.dropFirst($0.count)) }
        ?? line
    }

    var isDiskFull: Bool { error.contains("No space left on device") || error.contains("quota exceeded") }
  }

  /// Whether a revision names a commit here.
  func knowsCommit(_ revision: String) async -> Bool {
    let end = try? await run(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(revision)^{commit}"])
    return end?.isSuccess ?? false
  }

  /// Throws where git cannot be started, and `CancellationError`.
  func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> End {
    var all = Self.cleanEnvironment
    for (key, value) in ["LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"] {
      all.updateValue(value, forKey: key)
    }
    if let snapshot {
      all.updateValue(Self.quoted(snapshot.objects), forKey: "GIT_ALTERNATE_OBJECT_DIRECTORIES")
    }
    for (key, value) in environment { all.updateValue(value, forKey: key) }
    let process = ChildProcess(
      executable: .name("git"),
      arguments: ["-C", folder] + Self.settings.flatMap { ["-c", $0] } + arguments, environment: all,
      timeout: .seconds(600))
    let end = try await process.run(
      orThrow: RevisionError.missingTool("git", remedy: "install it, or put it on the PATH"))
    var output = String(decoding: end.output, as: UTF8.self)
    if output.hasSuffix("\n") { output.removeLast() }
    return End(isSuccess: end.isSuccess, output: output, error: end.errorTail)
  }

  /// A path as one entry of a list that git splits at colons.
  static func quoted(_ path: String) -> String {
    "\"\(path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  /// The output of a command that should work.
  ///
  /// - Parameter duty: For the message: "git could not …".
  @discardableResult
  func output(
    _ arguments: [String], to duty: String, environment: [String: String] = [:]
  ) async throws -> String {
    let end = try await run(arguments, environment: environment)
    guard end.isSuccess else {
      throw end.isDiskFull ? RevisionError.diskFull(folder: folder) : .git(duty, reason: end.reason)
    }
    return end.output
  }
}
