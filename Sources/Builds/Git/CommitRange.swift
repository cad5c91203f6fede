import Foundation
import Platform
import TextFormat

/// The commits from a good one to a bad one, as a linear sequence.
package struct CommitRange: Sendable {
  package struct Commit: Sendable, Hashable {
    package var hash: String
    package var time: Int
    package var isMerge: Bool
    /// The day in the committer's time zone, such as `2026-11-21`.
    package var date: String
    package var subject: String

    package var shortHash: String { String(hash.prefix(10)) }
  }

  package var good: Commit
  /// The commits after the good one, oldest first. The last one is the bad commit.
  package var commits: [Commit]
  /// Whether the range follows only the first parents of merges.
  package var isFirstParent: Bool

  /// Returns the range from a good to a bad revision. It follows first parents if they lead to the good commit, so that
  /// a merged branch is one step. Otherwise it contains all commits that descend from the good one.
  /// - Parameter flag: The options to name in error messages.
  /// - Throws: `UsageError` if the good commit is not an ancestor of the bad one.
  package static func between(_ good: String, _ bad: String, _ git: Git, flag: String) async throws -> CommitRange {
    let goodHash = try await git.state(of: good).checkout
    let badHash = try await git.state(of: bad).checkout
    guard goodHash != badHash else {
      throw UsageError(flag, "both are \(goodHash.prefix(10))", remedy: "name two commits")
    }
    let duty = "list the commits from \(good) to \(bad)"
    guard try await git.isAncestor(goodHash, of: badHash) else {
      var remedy = "name the commit where the branches diverge: git merge-base \(good) \(bad)"
      if try await git.isAncestor(badHash, of: goodHash) {
        remedy = "swap them"
      } else if try await git.isShallow() {
        remedy = Git.deepening
      }
      throw UsageError(flag, "\(good) is not an ancestor of \(bad)", remedy: remedy)
    }
    let line = try await git.output(["rev-list", "--first-parent", badHash], to: duty).split(separator: "\n")
    let isFirstParent = line.contains { $0 == goodHash }
    let ancestry = ["rev-list", "--reverse", "--topo-order", "--ancestry-path", "\(goodHash)..\(badHash)"]
    let hashes =
      isFirstParent
      ? line.prefix { $0 != goodHash }.reversed() : try await git.output(ancestry, to: duty).split(separator: "\n")
    // The hashes of a long range would not fit into a command line.
    let lines = try await git.end(
      of: [
        "show", "--stdin", "--no-patch", "--no-show-signature", "--format=%H%x09%ct%x09%P%x09%cd%x09%s", "--date=short",
      ], to: duty, input: Data(([goodHash[...]] + hashes).joined(separator: "\n").utf8)
    ).text.split(separator: "\n")
    let commits = lines.map { line in
      let parts = line.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
      return Commit(
        hash: parts[0], time: Int(parts[1]) ?? 0, isMerge: parts[2].contains(" "), date: parts[3],
        subject: oneLine(parts[4]))
    }
    return CommitRange(good: commits[0], commits: Array(commits.dropFirst()), isFirstParent: isFirstParent)
  }
}
