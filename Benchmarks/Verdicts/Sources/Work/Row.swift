protocol Drawable: Sendable {
  var index: Int { get }
  var top: Double { get }
  func draw(into picture: inout UInt64)
}

/// A post at its place on the screen.
struct Row: Drawable {
  let index: Int
  let top: Double
  let captionWeight: Int
  let labelLength: Int
  let isLiked: Bool

  func draw(into picture: inout UInt64) {
    picture = picture &* 31 ^ top.bitPattern
    picture = picture &* 31 ^ UInt64(captionWeight &* 64 &+ labelLength &* 2 &+ (isLiked ? 1 : 0))
  }
}

typealias Cell = Row

/// How long each post has been on the screen.
final class Impressions: @unchecked Sendable {
  private struct Impression {
    var frameCount = 0
    var attention = 0.0
  }

  private var impressions: [Impression]

  init(postCount: Int) { impressions = Array(repeating: Impression(), count: postCount) }

  func note(_ rows: [Cell]) { Self.note(rows, in: &impressions) }

  private static func note(_ rows: [Cell], in impressions: inout [Impression]) {
    for row in rows {
      impressions[row.index].frameCount += 1
      impressions[row.index].attention = impressions[row.index].attention * 0.75 + 1
    }
  }
}
