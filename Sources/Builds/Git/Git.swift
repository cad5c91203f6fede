import Foundation
import Platform
import TextFormat

/// Runs git in one folder, unaffected by the user's hooks and by the variables that a hook sets.
///
/// If git fails, an error with git's own message is thrown.
package struct Git: Sendable {
  package var folder: String
  /// The snapshot whose objects git sees in addition to those of the repository.
  package var snapshot: Snapshot?

  package init(folder: String, snapshot: Snapshot? = nil) { (self.folder, self.snapshot) = (folder, snapshot) }

  /// Files of a commit can look like a bare repository, whose configuration could name commands for git to run.
  private static let settings = [
    "safe.bareRepository=explicit", "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.untrackedCache=false",
    "core.splitIndex=false", "core.ignoreStat=false", "core.safecrlf=false", "core.warnAmbiguousRefs=true",
    "advice.detachedHead=false", "advice.addEmbeddedRepo=false", "gc.auto=0", "maintenance.auto=false",
    "submodule.recurse=false",
  ]

  private static let missing = RevisionError.missingTool("git", remedy: "install it, or put it on the PATH")

  package func run(_ arguments: [String], environment: [String: String] = [:], input: Data = Data()) async throws
    -> ChildProcess.End
  {
    let own: [String: String?] = [
      "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0",
      // A hash always means the original object, even if `git replace` has replaced it in this repository.
      "GIT_NO_REPLACE_OBJECTS": "1", "GIT_ALTERNATE_OBJECT_DIRECTORIES": snapshot.map { Self.quoted($0.objects) },
    ]
    let process = ChildProcess(
      executable: "git", arguments: ["-C", folder] + Self.settings.flatMap { ["-c", $0] } + arguments,
      environment: own.merging(environment.mapValues(Optional.some)) { $1 }, timeout: .seconds(600),
      inherited: InheritedEnvironment.ofGit())
    return try await process.run(input: input) { _ in Self.missing }
  }

  /// Returns a path as one entry of a list that git splits at colons.
  package static func quoted(_ path: String) -> String {
    "\"\(path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  /// Returns the output of a command that should succeed.
  /// - Parameter duty: What the command does, to complete the error message "git could not …".
  @discardableResult package func output(_ arguments: [String], to duty: String, environment: [String: String] = [:])
    async throws -> String
  { try await end(of: arguments, to: duty, environment: environment).text }

  /// Runs git like `output(_:to:environment:)`, but file names in the output need not be UTF-8.
  @discardableResult package func end(
    of arguments: [String], to duty: String, environment: [String: String] = [:], input: Data = Data()
  ) async throws -> ChildProcess.End {
    let end = try await run(arguments, environment: environment, input: input)
    guard end.isSuccess else { throw failure(end, to: duty) }
    return end
  }

  /// Runs a command that looks for something, and returns its output. Returns nil if git says that nothing was found.
  /// Throws on any other failure.
  package func answer(_ arguments: [String], to duty: String) async throws -> String? {
    let end = try await run(arguments)
    if end.isNo { return nil }
    guard end.isSuccess else { throw failure(end, to: duty) }
    return end.text
  }

  private func failure(_ end: ChildProcess.End, to duty: String) -> RevisionError {
    let isDiskFull = ["No space left on device", "quota exceeded"].contains(where: end.errorTail.contains)
    return isDiskFull ? .diskFull(folder: folder) : RevisionError(.failure, "git could not \(duty): \(end.reason)")
  }

  /// Returns the top folder of the checkout around `folder`, without symbolic links; nil if there is none.
  package func checkoutRoot() async throws -> String? {
    let end: ChildProcess.End
    do { end = try await run(["rev-parse", "--show-toplevel"]) } catch let error as RevisionError
      where error == Self.missing && !liesInRepository
    { return nil }
    let isNone = ["not a git repository (or any", "must be run in a work tree", "cannot use bare repository"].contains(
      where: end.errorTail.contains)
    guard end.isSuccess || isNone else { throw failure(end, to: "find the checkout around \(folder)") }
    return end.isSuccess ? end.text : nil
  }

  /// Whether `folder` is in a git repository, determined without calling git.
  private var liesInRepository: Bool {
    sequence(first: Paths.real(folder) ?? "/") { $0 == "/" ? nil : Paths.parent($0) }.contains {
      FileManager.default.fileExists(atPath: Paths.joined($0, ".git"))
    }
  }

  package struct Head: Equatable {
    package var commit: String
    /// Whether the working tree differs from the commit.
    package var isDirty: Bool

    package init(commit: String, isDirty: Bool) { (self.commit, self.isDirty) = (commit, isDirty) }
  }

  /// Returns the checked-out commit around `folder`. Nil if there is no checkout, no commit yet, or no git.
  /// - Parameter written: Paths whose changes do not count.
  package func head(except written: [String] = []) async throws -> Head? {
    do {
      guard let root = try await checkoutRoot(), let commit = try await hash(of: "HEAD") else { return nil }
      return Head(commit: commit, isDirty: try await Git(folder: root).differs(except: written.within(root)))
    } catch let error as RevisionError where error == Self.missing { return nil }
  }

  /// Whether the repository has a commit of this name. False outside a checkout.
  package func knowsCommit(_ revision: String) async throws -> Bool {
    guard try await checkoutRoot() != nil else { return false }
    if try await hash(of: revision, as: "^{commit}") != nil { return true }
    // If the name refers to an object of another kind, the answer is no. If the object is missing, its kind is unknown,
    // so `object` throws an error.
    _ = try await object(revision)
    return false
  }

  /// Returns the hash of the object that a name refers to; nil if git does not know the name. A complete hash refers to
  /// itself, even if there is no such object.
  package func hash(of name: String, as kind: String = "") async throws -> String? {
    let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", name + kind]
    let hash = try await answer(arguments, to: "look for the revision \(name)")
    return hash.flatMap { $0.allSatisfy(\.isHexDigit) ? $0 : nil }
  }

  /// Whether `old` is an ancestor of `new`, or the same commit.
  package func isAncestor(_ old: String, of new: String) async throws -> Bool {
    let duty = "find out whether \(old) leads to \(new)"
    return try await answer(["merge-base", "--is-ancestor", old, new], to: duty) != nil
  }

  /// Returns the commit at which the histories of two commits diverged, and the number of commits of `base` that
  /// `candidate` lacks. The commit is nil if a shallow clone lacks it. Returns nil if one commit is an ancestor of the
  /// other, or if their histories have nothing in common.
  package func divergence(of candidate: String, from base: String) async throws -> (start: String?, count: Int)? {
    let duty = "find out where \(candidate) diverged from \(base)"
    guard let start = try await answer(["merge-base", base, candidate], to: duty) else {
      return try await isShallow() ? (nil, 0) : nil
    }
    if [base, candidate].contains(start) { return nil }
    let count = try await output(["rev-list", "--count", "\(start)..\(base)"], to: duty)
    return (start, Int(count) ?? 0)
  }

  /// Returns the hash of an object of any kind; nil if git does not know an object of this name.
  private func object(_ name: String) async throws -> String? {
    guard let hash = try await hash(of: name) else { return nil }
    if try await answer(["cat-file", "-e", hash], to: "read \(name)") != nil { return hash }
    guard hash == name.lowercased() else {
      throw RevisionError(.failure, "git could not read \(name): the object \(hash) is missing; see git fsck")
    }
    return nil
  }

  package func state(of name: String) async throws -> SourceState {
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
      throw try await knowsCommit(name) ? failure(end, to: "read \(name)") : problem(with: name)
    }
    return SourceState(checkout: end.text, commit: end.text, tree: try await tree(of: end.text))
  }

  package func tree(of commit: String) async throws -> String {
    try await output(["show", "--no-patch", "--no-show-signature", "--format=%T", commit], to: "read \(commit)")
  }

  /// Returns the error for a name that is not a commit.
  private func problem(with name: String) async throws -> RevisionError {
    // The name refers to another object, such as a file or a folder.
    if try await object(name) != nil { return .notACommit("\"\(name)\" is not a commit") }
    var remedy = Self.deepening
    if try await !isShallow() {
      let known = try await branchesAndTags()
      let others = known.isEmpty ? "it has no commits yet" : "git branch --all and git tag list what there is"
      remedy = Self.nearest(to: name, among: known).map { "did you mean \"\($0)\"?" } ?? others
    }
    return RevisionError(.usage, "git knows no revision \"\(name)\"; \(remedy)")
  }

  private func branchesAndTags() async throws -> [String] {
    let list = try await output(["for-each-ref", "--format=%(refname:short)"], to: "list the branches and tags")
    return list.split(separator: "\n").map(String.init)
  }

  private static func nearest(to name: String, among known: [String]) -> String? {
    known.first { $0.hasSuffix("/\(name)") || name.hasSuffix("/\($0)") } ?? Suggestion.nearest(to: name, among: known)
  }

  /// The branch or tag that `name` probably means; nil if there is none.
  package func nearestRevision(to name: String) async throws -> String? {
    Self.nearest(to: name, among: try await branchesAndTags())
  }

  /// Whether the repository is a shallow clone, which lacks older commits. False outside a checkout.
  package func isShallow() async throws -> Bool {
    guard try await checkoutRoot() != nil else { return false }
    return try await output(["rev-parse", "--is-shallow-repository"], to: "find out how much of the history is here")
      == "true"
  }

  package static let deepening =
    "this clone is shallow and may lack it: git fetch --unshallow (on GitHub: fetch-depth: 0)"
}

extension Git {
  /// What a revision has at a path.
  package enum Entry: Equatable {
    case file(String)
    /// The names in the folder.
    case folder([String])
    /// A symbolic link that leads out of the repository.
    case outside
    case none

    package var isFile: Bool {
      switch self {
      case .file, .outside: true
      case .folder, .none: false
      }
    }
  }

  /// Returns what a revision has at a path, after following its symbolic links.
  /// - Parameter path: A path relative to the top of the repository.
  package func entry(at path: String, in revision: String) async throws -> Entry {
    let duty = "read \(path) in \(revision)"
    let end = try await end(
      of: ["cat-file", "--batch", "--follow-symlinks"], to: duty, input: Data("\(revision):\(path)\n".utf8))
    // The first line is `HASH blob SIZE`, or says why there is no such object.
    let parts = end.output.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let fields = String(decoding: parts[0], as: UTF8.self).split(separator: " ")
    if fields.first == "symlink" { return .outside }
    guard fields.count == 3, fields[0].allSatisfy(\.isHexDigit) else {
      // This is also how git answers if it cannot read the object, but then the path is in a tree.
      let listed = try await output(["ls-tree", "--full-tree", revision, path], to: duty)
      let isObject = listed.contains(" blob ") || listed.contains(" tree ")
      if isObject, fields.last == "missing" {
        _ = try await output(["cat-file", "-p", "\(revision):\(path)"], to: duty)
      }
      return .none
    }
    if fields[1] == "blob" { return .file(String(decoding: parts[1].dropLast(), as: UTF8.self)) }
    guard fields[1] == "tree" else { return .none }
    let names = try await output(["ls-tree", "-z", "--name-only", String(fields[0])], to: duty)
    return .folder(names.split(separator: "\0").map(String.init))
  }

  /// Returns the patterns of a sparse checkout. Nil for any other checkout.
  package func sparsePatterns() async throws -> String? {
    let duty = "read its configuration"
    guard try await answer(["config", "--type=bool", "core.sparseCheckout"], to: duty) == "true" else { return nil }
    let path = try await output(
      ["rev-parse", "--path-format=absolute", "--git-path", "info/sparse-checkout"], to: duty)
    return String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}

/// The source of a build, as git objects.
package struct SourceState: Sendable {
  /// The hash of the object to check out: a commit, or the tree of `snapshot`.
  package var checkout: String
  /// The commit for reports; nil for the working tree of a repository without commits.
  package var commit: String?
  package var tree: String
  package var snapshot: Snapshot?

  package var isDirty: Bool { snapshot != nil }
}

extension ChildProcess.End {
  /// The entries of an output in which a null byte ends each entry. Entries with a file name that is not UTF-8 are left
  /// out, because such a name cannot be passed back to git. Builds then use git's version of the file.
  var entries: [String] { output.split(separator: 0).compactMap { String(validating: $0, as: UTF8.self) } }

  /// Parts of the messages with which git says that something does not exist. Any other message means that git could
  /// not find out.
  private static let denials = [
    "but the object dereferences to", "not our ref", "no such branch", "no upstream configured",
    "does not point to a branch",
  ]

  private var lines: [Substring] { errorTail.split(separator: "\n") }

  private var complaints: [Substring] {
    lines.filter { line in ["fatal: ", "error: ", "warning: ignoring broken "].contains(where: line.hasPrefix) }
  }

  /// Whether git says that the requested object does not exist. Some commands exit with 128 in this case, but also if
  /// the search failed. Only the messages tell these cases apart.
  fileprivate var isNo: Bool {
    [.exited(1), .exited(128)].contains(status) && stop == nil
      && complaints.allSatisfy { line in Self.denials.contains(where: line.contains) }
  }

  /// The line of git's stderr with the reason, and git's advice if there is any.
  fileprivate var reason: String {
    if let stop { return stop == .timeout ? "it took more than ten minutes" : "its output has no end" }
    let others = lines.filter { !$0.hasPrefix("hint: ") }.suffix(2).joined(separator: " ")
    // The last error of `git add` does not say which file is meant, or why.
    let complaint = complaints.last == "fatal: adding files failed" ? complaints.first : complaints.last
    let line = complaint ?? Substring(others.isEmpty ? "it gave no reason" : others)
    let reason = line.trimmingPrefix(#/fatal: |error: /#)
    if ["promisor remote", "from remote repository"].contains(where: errorTail.contains) {
      // The last error of git names the missing object. The first line of stderr says why it could not be fetched.
      let cause = (lines.first { !$0.hasPrefix("Preparing ") } ?? line).trimmingPrefix(#/fatal: |error: /#)
      return "\(reason) (\(cause)); this clone is partial and needs its remote"
    }
    // Git prints a helpful command in a line of its own that begins with a tab.
    let advice = lines.first { $0.hasPrefix("\t") }
    return "\(reason)\(advice.map { "; \($0.dropFirst())" } ?? "")"
  }
}
