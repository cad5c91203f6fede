import Foundation

/// What is to be built.
enum Revision: Hashable, Sendable {
  /// Anything that git takes for a commit: a branch, a tag, a hash, `HEAD~2`.
  case revision(String)
  /// The checkout as it lies there: changes that are not committed, and new files that git does not
  /// ignore, included.
  case workingTree

  var name: String {
    switch self {
    case .revision(let name): return name
    case .workingTree: return "the working tree"
    }
  }
}

/// An executable to measure.
struct BuiltRevision: Sendable {
  var url: URL
  /// The name of the product.
  var product: String { url.lastPathComponent }
  /// As it was asked for.
  var revision: Revision
  /// Full hash. Of the working tree, the commit that it is checked out at; nil before its first one.
  var commit: String?
  /// Whether the working tree, from which it was built, differs from `commit`.
  var isDirty: Bool
  /// Full hash of git's tree object: equal where the sources are.
  var tree: String
  /// The first line of `swift --version`.
  var toolchain: String
  /// Added to `swift build`.
  var flags: [String]
  var isCached: Bool
  /// Of the build, wherever it was done.
  var buildSeconds: Double
  /// What a reader should know about how it was built.
  var notes: [String]
  /// Keeps the executable from being evicted while it is measured.
  var lease: FileLock
  /// Nil if the program cannot be relinked.
  var recipe: LinkRecipe?
  /// Why not.
  var linkProblem: String?
}
