import Foundation

/// The commit that a folder is checked out at.
struct GitState: Equatable {
  /// Full hash.
  var commit: String
  /// Whether the working tree differs from it; nil where git does not say.
  var isDirty: Bool?

  var shortCommit: String { String(commit.prefix(7)) }

  /// Nil outside a git checkout, before its first commit, and where there is no git.
  ///
  /// - Parameters:
  ///   - folder: Of the package that is measured.
  ///   - written: What does not make a working tree differ from its commit.
  static func current(
    in folder: String, except written: WrittenPaths = WrittenPaths()
  ) async -> GitState? {
    let git = Git(folder: folder)
    guard let head = await output(git, ["rev-parse", "--verify", "HEAD"]), head.count >= 40,
      head.allSatisfy(\.isHexDigit)
    else { return nil }
    let root = await output(git, ["rev-parse", "--show-toplevel"])
    let excluded = root.map(written.within) ?? []
    let status = await output(
      git, ["status", "--porcelain", "--", ":/"] + excluded.map { ":(top,exclude,literal)\($0)" })
    return GitState(commit: head, isDirty: status.map { !$0.isEmpty })
  }

  private static func output(_ git: Git, _ arguments: [String]) async -> String? {
    guard let end = try? await git.run(arguments), end.isSuccess else { return nil }
    return end.output
  }
}
