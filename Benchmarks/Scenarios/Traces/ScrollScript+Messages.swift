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
  /// Scrolls like someone who reads a list of messages: slow drags, flicks of up to 6,000 points/s, double flicks whose
  /// speeds add up, changes of direction, catches, short looks and long rests.
  ///
  /// - The first two seconds contain a quick fling in each direction.
  /// - Each kind of gesture occurs about every dozen seconds, in an order that the seed determines.
  /// - A rest of six seconds or more begins after 7 to 14 seconds. Each later rest begins 16 to 25 seconds after the
  ///   end of the previous rest.
  /// - Offsets stay inside `0...extent` without being clipped, because the directions and velocities are chosen so that
  ///   the list never reaches an end. Touches stay inside the viewport.
  /// - A script with a longer duration begins exactly like a shorter one with the same seed, extent and viewport.
  ///
  /// - Parameters:
  ///   - seed: Any number. Different seeds give different scrolls.
  ///   - duration: Seconds to fill. The last gesture may end later.
  ///   - extent: The range of the offset in points, at least 200.
  ///   - viewport: A size of at least 100 points in each direction.
  public static func messages(seed: UInt64, duration: Double, extent: Double = 3_000, viewport: ScrollViewport = .phone)
    -> ScrollScript
  {
    var reader = MessageReader(seed: seed, extent: extent, viewport: viewport)
    return reader.read(forSeconds: duration)
  }
}
