/// A post of the feed.
struct Post {
  let id: PostID
  let caption: [UInt8]
  let likes: Int
  /// The text for `likes`. It is formatted before the scroll, because formatting takes too long for a frame.
  let likesText: String

  /// - Returns: The first `count` posts of the feed, the same in every run.
  static func first(_ count: Int) -> [Post] {
    var random = Numbers(seed: 1)
    let captions = (0..<64).map { _ in (0..<24).map { _ in UInt8(32 + random.next(below: 90)) } }
    return (0..<count).map { number in
      let likes = random.next(below: 100_000)
      return Post(
        id: PostID(number: number), caption: captions[random.next(below: captions.count)], likes: likes,
        likesText: "\(likes) likes")
    }
  }
}

/// The place of a post in the feed, which comes in pages of twenty.
struct PostID: Hashable {
  let page: Int
  let place: Int

  init(number: Int) { (page, place) = number.quotientAndRemainder(dividingBy: 20) }
}

/// Pseudorandom numbers that are the same on every machine, from Knuth's MMIX generator.
struct Numbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A number from 0 up to, but not including, `bound`.
  mutating func next(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}
