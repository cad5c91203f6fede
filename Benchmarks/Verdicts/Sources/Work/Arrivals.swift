/// Posts that come in from a server while the feed is scrolled.
struct Arrivals {
  private let shown: [PostID]
  private let received: [PostID]

  init() {
    shown = (0..<380).map { PostID(number: $0) }
    received = (0..<380).map { PostID(number: $0 + 20) }
  }

  /// - Returns: The number of received posts that are not shown yet.
  @inline(never) func countNew() -> Int {
    let known = Set(shown)
    return received.reduce(0) { known.contains($1) ? $0 : $0 + 1 }
  }
}
