/// A feed of posts whose rows hang on springs, scrolled by three flings.
///
/// The kinds of changes in Judging/kinds.py each edit a line or two of these sources.
public final class Feed {
  public static let frameCount = 1_200
  private static let flingLength = 400
  private static let postsPerFling = 100
  private static let rowHeight = 88.0
  private static let shadowPerRow = 32

  private let posts: [Post]
  private let liked: Set<PostID>
  /// The rows on screen, counted from the first row that is laid out. Another quarter of a screen is laid out on each
  /// side.
  private let screen: Range<Int>
  private let arrivals: Arrivals?
  private let impressions: Impressions
  private var springs: [Spring]
  private var shadow: Shadow
  private var thumbnails = Thumbnails()
  private var first = 0

  public init(_ workload: Workload) {
    let margin = (workload.postsOnScreen + 3) / 4
    screen = margin..<margin + workload.postsOnScreen
    let count = Self.postsPerFling * Self.frameCount / Self.flingLength + screen.upperBound + margin + 1
    posts = Post.first(count)
    liked = Set(posts.lazy.filter { $0.likes.isMultiple(of: 2) }.map(\.id))
    arrivals = workload.isLive ? Arrivals() : nil
    impressions = Impressions(postCount: count)
    springs = Spring.swinging(screen.upperBound + margin)
    shadow = Shadow(length: Self.shadowPerRow * workload.postsOnScreen, spread: 2)
  }

  /// The whole scroll. Says what it has shown, as a checksum.
  public func scroll() -> UInt64 {
    restart()
    return (0..<Self.frameCount).reduce(0) { $0 &* 31 ^ frame($1) }
  }

  /// Returns to the top of the feed.
  private func restart() {
    first = 0
    springs = Spring.swinging(springs.count)
    thumbnails.removeAll()
  }

  /// One frame of the scroll. Returns a checksum of what it shows.
  public func frame(_ number: Int) -> UInt64 {
    let offset = Self.offset(number)
    move(to: Int(offset))
    stepSprings()
    var picture = UInt64(arrivals.map { number.isMultiple(of: 10) ? $0.countNew() : 0 } ?? 0)
    let rows = visibleRows(offset)
    impressions.note(rows)
    for row in rows { row.draw(into: &picture) }
    let length = shadow.softened.count
    shadow.draw(length)
    return picture ^ shadow.softened[length - 1].bitPattern
  }

  /// Where the list has been scrolled to, in posts. Each fling is fast at first and then comes to rest.
  private static func offset(_ frame: Int) -> Double {
    let (fling, place) = frame.quotientAndRemainder(dividingBy: flingLength)
    let left = 1 - Double(place) / Double(flingLength)
    return Double(postsPerFling) * (Double(fling) + 1 - left * left)
  }

  private func move(to post: Int) {
    while first < post {
      first += 1
      enter(first + springs.count - 1)
    }
  }

  /// Prepares a post that comes near the screen.
  private func enter(_ number: Int) {
    thumbnails.add(number)
    let fadeIn = FadeIn()
    fadeIn.onCompletion { [weak fadeIn] in fadeIn?.finish() }
    fadeIn.run()
  }

  private func stepSprings() { Spring.step(&springs) }

  private func visibleRows(_ offset: Double) -> [Cell] {
    let springs = springs
    var rows: [Cell] = []
    rows.reserveCapacity(screen.count)
    for slot in springs.indices {
      guard screen.contains(slot) else { continue }
      let post = posts[first + slot]
      let top = (Double(first + slot) - offset) * Self.rowHeight + springs[slot].displacement
      let weight = Self.weight(post.caption.prefix(8))
      let isLiked = liked.contains(post.id)
      let label = post.likesText
      let row = Row(
        index: first + slot, top: top, captionWeight: weight, labelLength: label.utf8.count, isLiked: isLiked)
      rows.append(row)
    }
    return rows
  }

  private static func weight(_ text: some Sequence<UInt8>) -> Int { text.reduce(0) { $0 &* 31 &+ Int($1) } }
}

/// The spring of a row. It swings forever, so that no number becomes subnormal.
struct Spring {
  private(set) var displacement: Double
  private var velocity = 0.0

  static func swinging(_ count: Int) -> [Spring] { (0..<count).map { Spring(displacement: Double($0 % 7) - 3) } }

  private init(displacement: Double) { self.displacement = displacement }

  /// Advances all springs by one frame.
  static func step(_ springs: inout [Spring]) {
    for slot in springs.indices {
      springs[slot].velocity -= springs[slot].displacement * 0.0625
      springs[slot].displacement += springs[slot].velocity
    }
  }
}
