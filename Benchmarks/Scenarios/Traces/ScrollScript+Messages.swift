/// The part of the screen that shows the list, points.
public struct ScrollViewport: Sendable, Hashable {
  public var width: Double
  public var height: Double

  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The screen of the phones that first ran the springy list: 320 × 568 points.
  public static let phone = ScrollViewport(width: 320, height: 568)
}

extension ScrollScript {
  /// Someone reading a list of messages: slow drags, flicks of up to 6,000 points/s, double flicks whose
  /// speeds add up, changes of direction, catches, short looks and long rests.
  ///
  /// - The first two seconds hold a quick fling in each direction.
  /// - All kinds of gestures come up in every dozen seconds or so, in an order that the seed draws.
  /// - A rest of six seconds or more begins after 7 to 14 seconds; the next ones 16 to 25
  ///   seconds after the end of the one before.
  /// - Directions and velocities are chosen so that offsets stay inside `0...extent`; nothing is
  ///   clipped. Touches stay inside the viewport.
  /// - A longer script begins with the shorter one of the same seed, extent and viewport.
  ///
  /// - Parameters:
  ///   - seed: Any number; different seeds give different scrolls.
  ///   - duration: Seconds to fill; the last gesture may end later.
  ///   - extent: Points that the offset may cover, at least 200.
  ///   - viewport: At least 100 points each way.
  public static func messages(seed: UInt64, duration: Double, extent: Double = 3_000, viewport: ScrollViewport = .phone)
    -> ScrollScript
  {
    var reader = MessageReader(seed: seed, extent: extent, viewport: viewport)
    return reader.read(forSeconds: duration)
  }
}
