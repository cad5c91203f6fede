import Foundation

/// The commit that the current directory is checked out at.
package struct GitState: Equatable {
  /// Full hash.
  var commit: String
  /// Whether the working tree differs from it; nil where git does not say.
  var isDirty: Bool?

  package var shortCommit: String { String(commit.prefix(7)) }

  /// Nil outside a git checkout, before its first commit, and where there is no git.
  ///
  /// - Parameter written: What does not make a working tree differ from its commit.
  package static func current(except written: WrittenPaths = WrittenPaths()) async -> GitState? {
    guard let head = await output(["rev-parse", "--verify", "HEAD"])?.trimmed,
      head.count >= 40, head.allSatisfy(\.isHexDigit)
    else { return nil }
    let root = await output(["rev-parse", "--show-toplevel"])?.trimmed
    let excluded = root.map(written.within) ?? []
    let status = await output(
      ["status", "--porcelain", "--", ":/"] + excluded.map { ":(top,exclude,literal)\($0)" })
    return GitState(commit: head, isDirty: status.map { !$0.trimmed.isEmpty })
  }

  private static func output(_ arguments: [String]) async -> String? {
    let process = ChildProcess(
      executable: .name("git"), arguments: ["--no-optional-locks"] + arguments, timeout: .seconds(20))
    guard let end = try? await process.run(input: Data()), end.isSuccess else { return nil }
    return String(decoding: end.output, as: UTF8.self)
  }
}
