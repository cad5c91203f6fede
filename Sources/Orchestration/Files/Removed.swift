/// What `springbench clean` removed.
package struct Removed: Equatable, Sendable {
  package var count = 0
  package var bytes = 0
  /// Builds that stayed, since other processes use them.
  package var inUse = 0
}
