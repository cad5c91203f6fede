/// What `springbench clean` removed.
struct Removed: Equatable, Sendable {
  var count = 0
  var bytes = 0
  /// Builds that stayed, since other processes use them.
  var inUse = 0
}
