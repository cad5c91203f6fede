import Foundation
import SystemPackage
import TextFormat

/// Runs git in one folder, unaffected by the user's hooks and the variables that a hook sets.
struct Git: Sendable {
  var folder: String
  /// The snapshot whose objects it sees in addition to the repository's.
  var snapshot: Snapshot?

  /// Variables of a git hook, a rebase or a filter, which would mislead git.
  static let cleanEnvironment: [String: String?] = Dictionary(
    uniqueKeysWithValues: [
      "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR",
      "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_QUARANTINE_PATH",
    ].map { ($0, nil) })

  private static let settings = [
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.untrackedCache=false", "core.splitIndex=false",
    "core.warnAmbiguousRefs=true", "advice.detachedHead=false", "advice.addEmbeddedRepo=false", "gc.auto=0",
    "maintenance.auto=false",
  ]

  /// Whether a revision names a commit here.
  func knowsCommit(_ revision: String) async -> Bool {
    await answer(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(revision)^{commit}"]) != nil
  }

  /// The output of a command; nil if it fails or git cannot be started.
  private func answer(_ arguments: [String]) async -> String? {
    (try? await run(arguments)).flatMap { $0.isSuccess ? $0.text : nil }
  }

  func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> ChildProcess.End {
    let own: [String: String?] = [
      "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0",
      "GIT_ALTERNATE_OBJECT_DIRECTORIES": snapshot.map { Self.quoted($0.objects) },
    ]
    let variables = Self.cleanEnvironment.merging(own) { $1 }.merging(environment.mapValues(Optional.some)) { $1 }
    let process = ChildProcess(
      executable: .name("git"), arguments: ["-C", folder] + Self.settings.flatMap { ["-c", $0] } + arguments,
      environment: variables, timeout: .seconds(600))
    return try await process.run { _ in RevisionError.missingTool("git", remedy: "install it, or put it on the PATH") }
  }

  /// A path as one entry of a list that git splits at colons.
  static func quoted(_ path: String) -> String {
    "\"\(path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  /// The output of a command that should succeed.
  /// - Parameter duty: For the message: "git could not …".
  @discardableResult func output(_ arguments: [String], to duty: String, environment: [String: String] = [:])
    async throws -> String
  {
    let end = try await run(arguments, environment: environment)
    guard end.isSuccess else {
      let isDiskFull = ["No space left on device", "quota exceeded"].contains(where: end.errorTail.contains)
      throw isDiskFull
        ? RevisionError.diskFull(folder: folder) : RevisionError(.failure, "git could not \(duty): \(end.reason)")
    }
    return end.text
  }

  /// The top folder of the checkout around `folder`, without symbolic links.
  func checkoutRoot() async throws -> String {
    let end = try await run(["rev-parse", "--show-toplevel"])
    if end.isSuccess, !end.text.isEmpty { return end.text }
    let bare = try await run(["rev-parse", "--is-bare-repository"])
    if bare.isSuccess, bare.text == "true" {
      throw RevisionError(.usage, "\(folder) is a bare repository; clone it and work in the clone")
    }
    throw RevisionError.noRepository(folder: folder, reason: end.reason)
  }

  /// The checked-out commit of a folder.
  struct Head: Equatable {
    var commit: String
    /// Whether the working tree differs from it; nil if git does not tell.
    var isDirty: Bool?
  }

  /// Nil outside a git checkout, before its first commit, and without git.
  /// - Parameter written: Paths whose changes do not count.
  func head(except written: [String] = []) async -> Head? {
    guard let commit = await answer(["rev-parse", "--verify", "HEAD"]), commit.count >= 40,
      commit.allSatisfy(\.isHexDigit)
    else { return nil }
    let excluded = await answer(["rev-parse", "--show-toplevel"]).map(written.within) ?? []
    let status = await answer(["status", "--porcelain", "--", ":/"] + excluded.map { ":(top,exclude,literal)\($0)" })
    return Head(commit: commit, isDirty: status.map { !$0.isEmpty })
  }

  func state(of name: String) async throws -> SourceState {
    guard !name.isEmpty else { throw RevisionError.notACommit("\"\" is not a git revision") }
    guard !name.hasPrefix("-") else {
      throw RevisionError(
        .usage,
        "\"\(name)\" is not a git revision: it begins with a dash; options come with their own names, and a branch of"
          + " such a name can be given as refs/heads/\(name)")
    }
    let end = try await run(["rev-parse", "--verify", "\(name)^{commit}"])
    if end.errorTail.contains(" is ambiguous") {
      throw RevisionError(
        .usage,
        "\"\(name)\" is ambiguous: it names more than one thing; write refs/heads/\(name), refs/tags/\(name) or more"
          + " digits of the hash")
    }
    guard end.isSuccess, end.text.count >= 40, end.text.allSatisfy(\.isHexDigit) else {
      throw try await problem(with: name)
    }
    let tree = try await output(["rev-parse", "--verify", "\(end.text)^{tree}"], to: "read \(name)")
    return SourceState(checkout: end.text, commit: end.text, tree: tree)
  }

  private func problem(with name: String) async throws -> RevisionError {
    // Exists, but is a file or a folder.
    if try await run(["cat-file", "-e", name]).isSuccess { return .notACommit("\"\(name)\" is not a commit") }
    var remedy = "this clone is shallow and may lack it: git fetch --unshallow (on GitHub: fetch-depth: 0)"
    if try await run(["rev-parse", "--is-shallow-repository"]).text != "true" {
      let list = try await run(["for-each-ref", "--format=%(refname:short)"])
      let known = list.text.split(separator: "\n").map(String.init)
      let guess = known.first { $0.hasSuffix("/\(name)") } ?? Suggestion.nearest(to: name, among: known)
      remedy = guess.map { "did you mean \"\($0)\"?" } ?? "git branch --all and git tag list what there is"
    }
    return RevisionError(.usage, "git knows no revision \"\(name)\"; \(remedy)")
  }

  /// The text of a file in a commit; nil if there is none.
  func text(of path: String, in commit: String) async throws -> String? {
    let end = try await run(["cat-file", "blob", "\(commit):\(path)"])
    return end.isSuccess ? end.text : nil
  }

  /// The content of the checkout, as a tree in the snapshot.
  /// - Parameter excluded: Folders that are left out, as paths from the top folder, which is `folder`.
  func workingTreeState(excluding excluded: [String], into snapshot: Snapshot) async throws -> SourceState {
    let head = try await run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
    let commit = head.isSuccess ? head.text : nil
    let ownIndex = try await path(of: "index")
    if FileManager.default.fileExists(atPath: ownIndex) {
      try RevisionError.naming(snapshot.indexPath) { try copyIndex(ownIndex, to: snapshot.indexPath) }
    }
    let environment = [
      "GIT_INDEX_FILE": snapshot.indexPath, "GIT_OBJECT_DIRECTORY": snapshot.objects,
      "GIT_ALTERNATE_OBJECT_DIRECTORIES": Self.quoted(try await path(of: "objects")),
    ]
    var paths = ["."]
    // Git rejects exclusions of paths that it ignores anyway.
    for folder in Set(excluded) where try await !run(["check-ignore", "--quiet", "--", folder]).isSuccess {
      paths.append(":(top,exclude,literal)\(folder)")
    }
    try await output(["add", "--all", "--"] + paths, to: "read the working tree", environment: environment)
    let tree = try await output(["write-tree"], to: "write the working tree", environment: environment)
    if let commit {
      let headTree = try await output(["rev-parse", "--verify", "\(commit)^{tree}"], to: "read HEAD")
      if headTree == tree { return SourceState(checkout: commit, commit: commit, tree: tree) }
    }
    return SourceState(checkout: tree, commit: commit, tree: tree, snapshot: snapshot)
  }

  /// Copies the index, so that unchanged files need not be read. The copy must not be younger than the index: git reads
  /// a file again whose time is that of the index, in whole seconds, since it may have been written after it
  /// (gitformat-index, "racy Git").
  private func copyIndex(_ index: String, to copy: String) throws {
    let files = FileManager.default
    let time = try files.attributesOfItem(atPath: index)[.modificationDate] as? Date ?? .distantPast
    try files.copyItem(atPath: index, toPath: copy)
    let second = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
    try files.setAttributes([.modificationDate: second], ofItemAtPath: copy)
  }

  private func path(of name: String) async throws -> String {
    try await output(["rev-parse", "--path-format=absolute", "--git-path", name], to: "find its \(name)")
  }
}

/// The source of a build in terms of git.
struct SourceState: Sendable {
  /// A commit, or the tree of `snapshot`.
  var checkout: String
  /// The commit for reports; nil for a working tree without any.
  var commit: String?
  var tree: String
  var snapshot: Snapshot?

  var isDirty: Bool { snapshot != nil }
}

/// An index and an object store for the state of a checkout, so that nothing of it stays in the user's repository.
final class Snapshot: Sendable {
  private let folder: HiddenEntry

  var indexPath: String { "\(folder.path)/index" }
  var objects: String { "\(folder.path)/objects" }

  init(in store: String) throws(RevisionError) {
    folder = try HiddenEntry.scratch(in: store, prefix: Self.prefix)
    guard mkdir("\(folder.path)/objects", 0o700) == 0 else { throw .file(folder.path, Errno.last) }
  }

  private static let prefix = "snapshot-"

  static func sweep(_ store: String) { HiddenEntry.sweep(store, prefix: prefix) }
}

extension ChildProcess.End {
  /// Git's line with the reason.
  fileprivate var reason: String {
    let lines = errorTail.split(separator: "\n")
    let line = lines.last { $0.hasPrefix("fatal: ") || $0.hasPrefix("error: ") } ?? lines.last
    return line.map { String($0.trimmingPrefix(#/fatal: |error: /#)) } ?? "it gave no reason"
  }
}
