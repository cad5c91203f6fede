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
    return SourceState(checkout: end.output, commit: end.output, tree: tree, isDirty: false)
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

  /// What lies in the checkout as a commit, tied to no branch: through an index file of its own, so that
  /// neither the user's index nor any reference changes. The same files give the same commit.
  ///
  /// - Parameters:
  ///   - excluded: Folders that are left out, as paths from the top folder, which is `folder`.
  ///   - indexPath: Where the index may lie meanwhile.
  func workingTreeState(excluding excluded: [String], indexPath: String) async throws -> SourceState {
    defer { try? FileManager.default.removeItem(atPath: indexPath) }
    let head = try await run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
    let commit = head.isSuccess ? head.output : nil
    let ownIndex = try await output(
      ["rev-parse", "--path-format=absolute", "--git-path", "index"], to: "find its index")
    if FileManager.default.fileExists(atPath: ownIndex) {
      // A copy knows which files have not changed, and spares reading them.
      do {
        try FileManager.default.copyItem(atPath: ownIndex, toPath: indexPath)
      } catch {
        throw RevisionError.file(indexPath, error)
      }
    }
    let environment = ["GIT_INDEX_FILE": indexPath]
    var paths = ["."]
    // Of what it ignores anyway git wants to hear nothing.
    for folder in Set(excluded) where try await !run(["check-ignore", "--quiet", "--", folder]).isSuccess {
      paths.append(":(top,exclude,literal)\(folder)")
    }
    try await output(
      ["add", "--all", "--"] + paths, to: "read the working tree",
      environment: environment)
    let tree = try await output(["write-tree"], to: "write the working tree", environment: environment)
    if let commit {
      let headTree = try await output(["rev-parse", "--verify", "\(commit)^{tree}"], to: "read HEAD")
      if headTree == tree { return SourceState(checkout: commit, commit: commit, tree: tree, isDirty: false) }
    }
    let snapshot = try await output(
      ["commit-tree", tree, "-m", "The working tree"] + (commit.map { ["-p", $0] } ?? []),
      to: "write the working tree", environment: Self.fixedSignature)
    return SourceState(checkout: snapshot, commit: commit, tree: tree, isDirty: true)
  }

  /// A name and a time that do not change, so that the commit does not either.
  private static let fixedSignature = [
    "GIT_AUTHOR_NAME": "springbench", "GIT_AUTHOR_EMAIL": "springbench@localhost",
    "GIT_AUTHOR_DATE": "2000-01-01T00:00:00Z", "GIT_COMMITTER_NAME": "springbench",
    "GIT_COMMITTER_EMAIL": "springbench@localhost", "GIT_COMMITTER_DATE": "2000-01-01T00:00:00Z",
  ]
}
