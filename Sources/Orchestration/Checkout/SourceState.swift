/// The source of a build, named by git.
struct SourceState: Equatable, Sendable {
  /// What is checked out.
  var checkout: String
  /// What is told; nil for a working tree that has no commit yet.
  var commit: String?
  var tree: String
  var isDirty: Bool
}
