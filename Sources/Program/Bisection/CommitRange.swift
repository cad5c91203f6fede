import Foundation
import TextFormat

/// The commits between two, as a line.
struct CommitRange: Sendable {
  struct Commit: Sendable, Hashable {
    var hash: String
    var date: String
    var subject: String

    var shortHash: String { String(hash.prefix(10)) }
  }

  var good: Commit
  /// After the good one, oldest first; the last is the bad one.
  var commits: [Commit]
  /// Whether only the first parents of merges are in it.
  var isFirstParent: Bool

  /// Along first parents, where those lead from the bad commit to the good one, so that a merged branch is one
  /// step; else all commits that descend from the good one.
  static func between(_ good: String, _ bad: String, _ git: Git) async throws -> CommitRange {
    let goodHash = try await git.state(of: good).checkout
    let badHash = try await git.state(of: bad).checkout
    guard goodHash != badHash else {
      throw UsageError("--good and --bad", "both are \(goodHash.prefix(10))", remedy: "name two commits")
    }
    guard try await git.run(["merge-base", "--is-ancestor", goodHash, badHash]).isSuccess else {
      let isReverse = try await git.run(["merge-base", "--is-ancestor", badHash, goodHash]).isSuccess
      throw UsageError(
        "--good", "\(good) is not an ancestor of \(bad)",
        remedy: isReverse
          ? "swap them: --good \(bad) --bad \(good)"
          : "name the commit where the branches diverge: git merge-base \(good) \(bad)")
    }
    let duty = "list the commits from \(good) to \(bad)"
    let line = try await git.output(["rev-list", "--first-parent", badHash], to: duty).split(separator: "\n")
    let isFirstParent = line.contains { $0 == goodHash }
    let hashes =
      isFirstParent
      ? line.prefix { $0 != goodHash }.reversed().map(String.init)
      : try await git.output(
        ["rev-list", "--reverse", "--topo-order", "--ancestry-path", "\(goodHash)..\(badHash)"], to: duty
      ).split(separator: "\n").map(String.init)
    var commits: [Commit] = []
    for hash in [goodHash] + hashes { commits.append(try await commit(hash, git)) }
    return CommitRange(good: commits[0], commits: Array(commits.dropFirst()), isFirstParent: isFirstParent)
  }

  private static func commit(_ hash: String, _ git: Git) async throws -> Commit {
    let text = try await git.output(
      ["show", "--no-patch", "--no-show-signature", "--format=%cd%x09%s", "--date=short", hash],
      to: "read commit \(hash)")
    let parts = text.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return Commit(hash: hash, date: parts[0], subject: oneLine(parts.count > 1 ? parts[1] : ""))
  }
}
