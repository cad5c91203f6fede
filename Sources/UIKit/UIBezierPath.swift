import Foundation

/// Lines and curves, stored as polylines that deviate from the curves by at most a quarter of a point.
open class UIBezierPath: NSObject, NSCopying {
  /// The corners of each polyline, points. The last point of a closed line equals the first.
  final private(set) var lines: [[CGPoint]] = []
  /// Has no effect, because nothing is drawn.
  open var lineWidth: CGFloat = 1
  open var usesEvenOddFillRule = false

  public override init() { super.init() }

  public convenience init(rect: CGRect) {
    self.init(polygon: [
      rect.origin, CGPoint(x: rect.maxX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.maxY),
      CGPoint(x: rect.minX, y: rect.maxY),
    ])
  }

  public convenience init(ovalIn rect: CGRect) {
    self.init(
      polygon: Self.arc(CGSize(width: rect.width / 2, height: rect.height / 2), from: 0, by: 2 * .pi).dropLast().map {
        CGPoint(x: rect.midX + $0.x, y: rect.midY + $0.y)
      })
  }

  /// A rectangle whose corners are quarter circles. UIKit's corners are slightly smoother.
  public convenience init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
    let radius = max(0, min(cornerRadius, rect.width / 2, rect.height / 2))
    let inner = rect.insetBy(dx: radius, dy: radius)
    let corners = [
      CGPoint(x: inner.maxX, y: inner.maxY), CGPoint(x: inner.minX, y: inner.maxY), inner.origin,
      CGPoint(x: inner.maxX, y: inner.minY),
    ]
    let size = CGSize(width: radius, height: radius)
    self.init(
      polygon: corners.enumerated().flatMap { index, corner in
        Self.arc(size, from: CGFloat(index) * .pi / 2, by: .pi / 2).map {
          CGPoint(x: corner.x + $0.x, y: corner.y + $0.y)
        }
      })
  }

  /// Creates an arc. Its angles are in radians, clockwise from the right.
  public convenience init(
    arcCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
  ) {
    self.init()
    addArc(withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
  }

  private convenience init(polygon: [CGPoint]) {
    self.init()
    lines = [polygon]
    close()
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = UIBezierPath()
    (copy.lines, copy.lineWidth, copy.usesEvenOddFillRule) = (lines, lineWidth, usesEvenOddFillRule)
    return copy
  }

  // MARK: Lines

  open func move(to point: CGPoint) { lines.append([point]) }

  /// Does nothing if there is no current point.
  open func addLine(to point: CGPoint) {
    guard !lines.isEmpty else { return }
    lines[lines.count - 1].append(point)
  }

  open func addArc(withCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool)
  {
    var angle = endAngle - startAngle
    // A full circle or more becomes one full circle. A smaller angle becomes positive if `clockwise`, else negative.
    if abs(angle) < 2 * .pi {
      if clockwise, angle < 0 { angle += 2 * .pi }
      if !clockwise, angle > 0 { angle -= 2 * .pi }
    } else {
      angle = clockwise ? 2 * .pi : -2 * .pi
    }
    for point in Self.arc(CGSize(width: radius, height: radius), from: startAngle, by: angle) {
      let point = CGPoint(x: center.x + point.x, y: center.y + point.y)
      if lines.isEmpty { move(to: point) } else { addLine(to: point) }
    }
  }

  open func addQuadCurve(to endPoint: CGPoint, controlPoint: CGPoint) {
    let start = currentPoint
    func third(_ end: CGPoint) -> CGPoint {
      CGPoint(x: end.x + 2 * (controlPoint.x - end.x) / 3, y: end.y + 2 * (controlPoint.y - end.y) / 3)
    }
    addCurve(to: endPoint, controlPoint1: third(start), controlPoint2: third(endPoint))
  }

  open func addCurve(to endPoint: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
    let (start, one, two) = (currentPoint, controlPoint1, controlPoint2)
    // If a Bézier curve B is divided into n chords, they deviate from it by at most |B″| / 8n². |B″| is at most 6 times
    // the largest second difference of the control points.
    let bend = max(
      abs(start.x - 2 * one.x + two.x) + abs(start.y - 2 * one.y + two.y),
      abs(one.x - 2 * two.x + endPoint.x) + abs(one.y - 2 * two.y + endPoint.y))
    let count = Self.chordCount((0.75 * bend / Self.tolerance).squareRoot())
    for step in 1...count {
      let t = CGFloat(step) / CGFloat(count)
      let (a, b, c, d) = ((1 - t) * (1 - t) * (1 - t), 3 * t * (1 - t) * (1 - t), 3 * t * t * (1 - t), t * t * t)
      addLine(
        to: CGPoint(
          x: a * start.x + b * one.x + c * two.x + d * endPoint.x,
          y: a * start.y + b * one.y + c * two.y + d * endPoint.y))
    }
  }

  /// Adds a segment back to the start of the current line.
  open func close() {
    guard let first = lines.last?.first, lines.last?.last != first else { return }
    addLine(to: first)
  }

  open func append(_ bezierPath: UIBezierPath) { lines += bezierPath.lines }

  open func removeAllPoints() { lines = [] }

  open func apply(_ transform: CGAffineTransform) { lines = lines.map { $0.map { $0.applying(transform) } } }

  // MARK: Queries

  open var isEmpty: Bool { lines.isEmpty }

  /// The last point of the last line, or the origin if there is none.
  open var currentPoint: CGPoint { lines.last?.last ?? .zero }

  /// The bounds of the polylines, points; zero if there are none.
  open var bounds: CGRect { lines.isEmpty ? .zero : CGRect(around: lines.flatMap { $0 }) }

  /// Whether the point lies inside the lines, all of which count as closed. The even-odd rule applies if
  /// `usesEvenOddFillRule` is true, otherwise the nonzero winding rule.
  open func contains(_ point: CGPoint) -> Bool {
    var winding = 0
    for line in lines {
      for (a, b) in zip(line, line.dropFirst() + line.prefix(1)) where (a.y <= point.y) != (b.y <= point.y) {
        let x = a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
        if x > point.x { winding += a.y < b.y ? 1 : -1 }
      }
    }
    return usesEvenOddFillRule ? !winding.isMultiple(of: 2) : winding != 0
  }

  /// The largest distance of a polyline from its curve, points.
  private static let tolerance: CGFloat = 0.25

  /// Rounds a number of chords up, to at least 1 and at most 10,000. NaN gives 1.
  private static func chordCount(_ chords: CGFloat) -> Int { chords > 1 ? Int(min(chords, 1e4).rounded(.up)) : 1 }

  /// Returns points on an arc of an ellipse around the origin, including both ends of the arc.
  private static func arc(_ radii: CGSize, from start: CGFloat, by angle: CGFloat) -> [CGPoint] {
    let radius = max(radii.width, radii.height)
    // A chord over the angle φ deviates by r·(1 − cos(φ/2)) from its arc. A quarter of a circle gets a whole number of
    // chords, so that its ends are exact.
    let chord = radius > tolerance ? 2 * acos(1 - tolerance / radius) : .pi / 2
    let quarter = max(2, (.pi / 2 / chord).rounded(.up))
    let count = chordCount(abs(angle) / (.pi / 2) * quarter - 1e-9)
    return (0...count).map { step in
      let angle = start + angle * CGFloat(step) / CGFloat(count)
      return CGPoint(x: radii.width * cos(angle), y: radii.height * sin(angle))
    }
  }
}
