/// The source of a build, named by git.
struct SourceState: Sendable {
  /// What is checked out: a commit, or the tree of `snapshot`.
  var checkout: String
  /// What is told; nil for a working tree that has no commit yet.
  var commit: String?
  var tree: String
  /// Of a working tree that differs from its commit: where its files are.
  var snapshot: Snapshot?

  var isDirty: Bool { snapshot != nil }
}
