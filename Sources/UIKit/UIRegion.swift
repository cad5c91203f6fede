import Foundation

/// An area around the position of a field.
open class UIRegion: NSObject, NSCopying {
  private indirect enum Shape {
    case everywhere
    /// A circle around the position of the field. The radius is in points.
    case circle(radius: CGFloat)
    case rectangle(CGSize)
    case outside(Shape)
    case both(Shape, Shape)

    func contains(_ point: CGPoint) -> Bool {
      switch self {
      case .everywhere: true
      case .circle(let radius): point.x * point.x + point.y * point.y <= radius * radius
      case .rectangle(let size): 2 * abs(point.x) <= size.width && 2 * abs(point.y) <= size.height
      case .outside(let shape): !shape.contains(point)
      case .both(let one, let other): one.contains(point) && other.contains(point)
      }
    }
  }

  private final let shape: Shape

  private init(_ shape: Shape) { self.shape = shape }

  open class var infinite: UIRegion { UIRegion(.everywhere) }

  /// Creates a circle around the position of the field. `radius` is in points.
  public convenience init(radius: CGFloat) { self.init(.circle(radius: radius)) }

  /// Creates a rectangle around the position of the field. `size` is in points.
  public convenience init(size: CGSize) { self.init(.rectangle(size)) }

  /// Returns the region itself, because it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns the region outside this one.
  open func inverse() -> UIRegion { UIRegion(.outside(shape)) }

  open func byUnion(with region: UIRegion) -> UIRegion {
    UIRegion(.outside(.both(.outside(shape), .outside(region.shape))))
  }

  /// Returns the points of this region that are not in the other.
  open func byDifference(from region: UIRegion) -> UIRegion { UIRegion(.both(shape, .outside(region.shape))) }

  open func byIntersection(with region: UIRegion) -> UIRegion { UIRegion(.both(shape, region.shape)) }

  /// - Parameter location: A point relative to the position of the field, in points. The edge of a circle or rectangle
  ///   belongs to it, and so not to its inverse.
  open func contains(_ location: CGPoint) -> Bool { shape.contains(location) }
}
