/// The thumbnails of the most recent posts.
struct Thumbnails {
  private static let limit = 32
  private var pictures: [Int: Thumbnail] = [:]

  init() { pictures.reserveCapacity(Self.limit + 1) }

  mutating func removeAll() { pictures.removeAll(keepingCapacity: true) }

  mutating func add(_ number: Int) {
    pictures[number] = Thumbnail(number)
    if pictures.count > Self.limit { pictures[number - Self.limit] = nil }
  }
}

final class Thumbnail {
  private let number: Int
  private let pixels: (UInt64, UInt64, UInt64, UInt64)

  init(_ number: Int) {
    self.number = number
    let color = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    pixels = (color, color ^ 1, color ^ 2, color ^ 3)
  }
}

/// The animation with which a picture appears.
final class FadeIn {
  private(set) var isDone = false
  private var completion: (() -> Void)?

  func finish() { isDone = true }
  func onCompletion(_ action: @escaping () -> Void) { completion = action }
  @inline(never) func run() { completion?() }
}
