import Foundation
import TextFormat

extension Git {
  /// The top folder of the checkout that `folder` is in, free of symbolic links.
  func checkoutRoot() async throws -> String {
    let end = try await run(["rev-parse", "--show-toplevel"])
    if end.isSuccess, !end.output.isEmpty { return end.output }
    let bare = try await run(["rev-parse", "--is-bare-repository"])
    if bare.isSuccess, bare.output == "true" { throw RevisionError.bareRepository(folder: folder) }
    throw RevisionError.noRepository(folder: folder, reason: end.reason)
  }

  /// The commit that a name stands for.
  func state(of name: String) async throws -> SourceState {
    guard !name.isEmpty else { throw RevisionError.emptyName }
    guard !name.hasPrefix("-") else { throw RevisionError.beginsWithDash(name) }
    let end = try await run(["rev-parse", "--verify", "\(name)^{commit}"])
    if end.error.contains(" is ambiguous") { throw RevisionError.ambiguous(name) }
    guard end.isSuccess, end.output.count >= 40, end.output.allSatisfy(\.isHexDigit) else {
      throw try await problem(with: name)
    }
    let tree = try await output(["rev-parse", "--verify", "\(end.output)^{tree}"], to: "read \(name)")
    return SourceState(checkout: end.output, commit: end.output, tree: tree)
  }

  private func problem(with name: String) async throws -> RevisionError {
    // Exists, but is a file or a folder.
    if try await run(["cat-file", "-e", name]).isSuccess { return .notACommit(name) }
    if try await run(["rev-parse", "--is-shallow-repository"]).output == "true" {
      return .unknown(
        name,
        remedy: "this clone is shallow and may lack it: git fetch --unshallow (on GitHub: fetch-depth: 0)")
    }
    let list = try await run(["for-each-ref", "--format=%(refname:short)"])
    let known = list.output.split(separator: "\n").map(String.init)
    if let remote = known.first(where: { $0.hasSuffix("/\(name)") }) {
      return .unknown(name, remedy: "did you mean \"\(remote)\"?")
    }
    if let near = Suggestion.nearest(to: name, among: known) {
      return .unknown(name, remedy: "did you mean \"\(near)\"?")
    }
    return .unknown(name, remedy: "git branch --all and git tag list what there is")
  }

  /// The text of a file in a commit; nil where there is none.
  func text(of path: String, in commit: String) async throws -> String? {
    let end = try await run(["cat-file", "blob", "\(commit):\(path)"])
    return end.isSuccess ? end.output : nil
  }

  /// What lies in the checkout, as a tree in the snapshot, so that nothing in the user's repository changes.
  ///
  /// - Parameter excluded: Folders that are left out, as paths from the top folder, which is `folder`.
  func workingTreeState(excluding excluded: [String], into snapshot: Snapshot) async throws -> SourceState {
    let head = try await run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
    let commit = head.isSuccess ? head.output : nil
    let ownIndex = try await path(of: "index")
    if FileManager.default.fileExists(atPath: ownIndex) {
      do {
        try copyIndex(ownIndex, to: snapshot.indexPath)
      } catch {
        throw RevisionError.file(snapshot.indexPath, error)
      }
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
    try await output(
      ["add", "--all", "--"] + paths, to: "read the working tree",
      environment: environment)
    let tree = try await output(["write-tree"], to: "write the working tree", environment: environment)
    if let commit {
      let headTree = try await output(["rev-parse", "--verify", "\(commit)^{tree}"], to: "read HEAD")
      if headTree == tree { return SourceState(checkout: commit, commit: commit, tree: tree) }
    }
    return SourceState(checkout: tree, commit: commit, tree: tree, snapshot: snapshot)
  }

  /// A copy knows which files have not changed, and spares reading them. It must not be younger than the index: git
  /// reads a file again whose time is that of the index, in whole seconds, since it may have been written after it
  /// (gitformat-index, "racy Git").
  private func copyIndex(_ index: String, to copy: String) throws {
    let files = FileManager.default
    let time = try files.attributesOfItem(atPath: index)[.modificationDate] as? Date ?? .distantPast
    try files.copyItem(atPath: index, toPath: copy)
    let second = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
    try files.setAttributes([.modificationDate: second], ofItemAtPath: copy)
  }

  /// Where a file of the repository lies.
  private func path(of name: String) async throws -> String {
    try await output(["rev-parse", "--path-format=absolute", "--git-path", name], to: "find its \(name)")
  }
}
