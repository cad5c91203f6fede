import Dynamics

/// The straight path of an item from one look (place, opacity, transform) to another. Thousands of items can move, but
/// few of them are on the screen. So the rest of the look is computed only if the place is visible.
struct LookPath {
  private(set) var from: AnimatedAttributes
  private(set) var to: AnimatedAttributes
  /// Whether all looks on the path are free of scaling, rotation and distortion.
  fileprivate let isUpright: Bool
  /// Whether the look at the end is opaque and untransformed.
  private let endsPlain: Bool

  init(from: AnimatedAttributes, to: AnimatedAttributes) {
    (self.from, self.to) = (from, to)
    let endsUpright = to.isUpright
    isUpright = endsUpright && from.isUpright
    endsPlain = endsUpright && to.alpha == 1
  }

  /// Returns the look at a fraction of the path, from 0 for the first look to 1 for the second. The result has the
  /// second look's index and, before the end, the larger of the two z indices.
  func look(at share: Double) -> AnimatedAttributes {
    var look = withUnsafePointer(to: self) { AnimatedAttributes($0.place(at: share), alpha: $0.alpha(at: share)) }
    guard !isUpright else { return look }
    func between(_ a: Double, _ b: Double) -> Double { a.interpolated(to: b, share) }
    look.scale = between(from.scale, to.scale)
    look.rotation = between(from.rotation, to.rotation)
    let (a, b) = (from.distortion, to.distortion)
    look.distortion = AnimatedAttributes.Distortion(
      heightExcess: between(a.heightExcess, b.heightExcess), shear: between(a.shear, b.shear),
      translation: Vector(
        dx: between(a.translation.dx, b.translation.dx), dy: between(a.translation.dy, b.translation.dy)))
    return look
  }

  /// Shifts the whole path, after the origin of the coordinates has moved.
  mutating func move(by offset: Point) {
    from = from.moved(by: offset)
    to = to.moved(by: offset)
  }

  /// Makes the path end at a place, opaque and untransformed.
  @inline(__always) mutating func lead(to place: LayoutAttributes) {
    if endsPlain { to.attributes = place } else { self = LookPath(from: from, to: AnimatedAttributes(place)) }
  }

  mutating func lead(to look: AnimatedAttributes) { self = LookPath(from: from, to: look) }

  /// Moves the beginning of the path to another center. Nothing else about the look there changes.
  mutating func begin(at center: Point) { from.attributes.center = center }
}

/// These methods take the address of a path. Otherwise the compiler would copy the whole path for each call.
extension UnsafePointer<LookPath> {
  @inline(__always) func place(at share: Double) -> LayoutAttributes {
    let (a, b) = (pointee.from.attributes, pointee.to.attributes)
    func between(_ a: Double, _ b: Double) -> Double { a.interpolated(to: b, share) }
    var place = LayoutAttributes(
      index: b.index, center: Point(x: between(a.center.x, b.center.x), y: between(a.center.y, b.center.y)),
      size: Size(width: between(a.size.width, b.size.width), height: between(a.size.height, b.size.height)))
    place.zIndex = share < 1 ? max(a.zIndex, b.zIndex) : b.zIndex
    return place
  }

  @inline(__always) fileprivate func alpha(at share: Double) -> Double {
    pointee.from.alpha.interpolated(to: pointee.to.alpha, share)
  }

  /// Adds the look at a fraction of the path, if it is visible in the rectangle.
  @inline(__always) func append(at share: Double, to shown: inout [AnimatedAttributes], ifIn rect: Rect) {
    guard pointee.isUpright else { return appendTurned(at: share, to: &shown, ifIn: rect) }
    let place = place(at: share)
    guard place.frame.intersects(rect) else { return }
    shown.append(AnimatedAttributes(place, alpha: alpha(at: share)))
  }

  @inline(never) private func appendTurned(at share: Double, to shown: inout [AnimatedAttributes], ifIn rect: Rect) {
    let look = pointee.look(at: share)
    if look.frame.intersects(rect) { shown.append(look) }
  }
}

extension Double {
  @inline(__always) fileprivate func interpolated(to other: Double, _ share: Double) -> Double {
    self + (other - self) * share
  }
}
