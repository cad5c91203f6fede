import Foundation

/// An edge, the center or the length of a view or a layout guide, along one axis.
open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
  let place: LayoutPlace

  init(_ place: LayoutPlace) { self.place = place }

  open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0) -> NSLayoutConstraint {
    NSLayoutConstraint(place, anchor.place, constant: c)
  }

  open func constraint(greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0)
    -> NSLayoutConstraint
  { NSLayoutConstraint(place, anchor.place, .greaterThanOrEqual, constant: c) }

  open func constraint(lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0)
    -> NSLayoutConstraint
  { NSLayoutConstraint(place, anchor.place, .lessThanOrEqual, constant: c) }
}

public final class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}

public final class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

public final class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
  public func constraint(equalToConstant c: CGFloat) -> NSLayoutConstraint {
    NSLayoutConstraint(place, nil, constant: c)
  }

  public func constraint(greaterThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint {
    NSLayoutConstraint(place, nil, .greaterThanOrEqual, constant: c)
  }

  public func constraint(lessThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint {
    NSLayoutConstraint(place, nil, .lessThanOrEqual, constant: c)
  }

  public func constraint(equalTo anchor: NSLayoutDimension, multiplier m: CGFloat, constant c: CGFloat = 0)
    -> NSLayoutConstraint
  { NSLayoutConstraint(place, anchor.place, multiplier: m, constant: c) }

  public func constraint(greaterThanOrEqualTo anchor: NSLayoutDimension, multiplier m: CGFloat, constant c: CGFloat = 0)
    -> NSLayoutConstraint
  { NSLayoutConstraint(place, anchor.place, .greaterThanOrEqual, multiplier: m, constant: c) }

  public func constraint(lessThanOrEqualTo anchor: NSLayoutDimension, multiplier m: CGFloat, constant c: CGFloat = 0)
    -> NSLayoutConstraint
  { NSLayoutConstraint(place, anchor.place, .lessThanOrEqual, multiplier: m, constant: c) }
}

/// How important a constraint is, from 1 to 1,000.
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
  public let rawValue: Float
  public init(rawValue: Float) { self.rawValue = rawValue }
  public init(_ rawValue: Float) { self.rawValue = rawValue }

  public static let required = UILayoutPriority(1_000)
  public static let defaultHigh = UILayoutPriority(750)
  public static let defaultLow = UILayoutPriority(250)
  public static let fittingSizeLevel = UILayoutPriority(50)
}

/// Makes an edge, the center or the length of a view equal to that of another view, or to a constant.
public final class NSLayoutConstraint: NSObject {
  /// An inequality with a constant limits the length that the content of a view prefers. Other inequalities count as
  /// equations, which determine only what nothing else does.
  public enum Relation: Int, Sendable { case lessThanOrEqual = -1, equal, greaterThanOrEqual }

  let first: LayoutPlace
  let second: LayoutPlace?
  public let relation: Relation
  public let multiplier: CGFloat
  public var constant: CGFloat { didSet { first.view?.setNeedsLayout() } }
  /// If constraints contradict each other, the one with the highest priority applies.
  public var priority = UILayoutPriority.required
  /// The view that has the constraint: as in UIKit, the nearest common superview of the views that it refers to.
  fileprivate weak var owner: UIView?

  init(
    _ first: LayoutPlace, _ second: LayoutPlace?, _ relation: Relation = .equal, multiplier: CGFloat = 1,
    constant: CGFloat
  ) {
    (self.first, self.second, self.relation) = (first, second, relation)
    (self.multiplier, self.constant) = (multiplier, constant)
  }

  public var isActive: Bool {
    get { owner != nil }
    set {
      var shared = first.view
      while let view = shared, second?.view?.isDescendant(of: view) == false { shared = view.superview }
      setOwner(newValue ? shared ?? first.view : nil)
    }
  }

  func setOwner(_ view: UIView?) {
    owner?.constraints.removeAll { $0 === self }
    owner = view
    view?.constraints.append(self)
  }

  public class func activate(_ constraints: [NSLayoutConstraint]) { for each in constraints { each.isActive = true } }
  public class func deactivate(_ constraints: [NSLayoutConstraint]) {
    for each in constraints { each.isActive = false }
  }
}

/// An edge, the center or the length of an area of a view, which a constraint sets or refers to.
struct LayoutPlace: Equatable {
  enum Part { case start, end, center, length }
  /// The part of the view to which the edge, center or length belongs.
  enum Area { case all, margins, safeArea, aboveSafeArea, belowSafeArea }

  weak var view: UIView?
  let area: Area
  let isVertical: Bool
  let part: Part
}

public protocol UILayoutSupport: NSObjectProtocol {
  var topAnchor: NSLayoutYAxisAnchor { get }
  var bottomAnchor: NSLayoutYAxisAnchor { get }
}

/// An area of a view to which constraints can refer.
public final class UILayoutGuide: NSObject, UILayoutSupport {
  public private(set) weak var owningView: UIView?
  private let area: LayoutPlace.Area

  init(of view: UIView, _ area: LayoutPlace.Area) { (owningView, self.area) = (view, area) }

  private func place(_ part: LayoutPlace.Part, isVertical: Bool = false) -> LayoutPlace {
    LayoutPlace(view: owningView, area: area, isVertical: isVertical, part: part)
  }

  // Constraints assume that text runs from left to right, so leading is left.
  public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(place(.start)) }
  public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(place(.end)) }
  public var leftAnchor: NSLayoutXAxisAnchor { leadingAnchor }
  public var rightAnchor: NSLayoutXAxisAnchor { trailingAnchor }
  public var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(place(.center)) }
  public var widthAnchor: NSLayoutDimension { NSLayoutDimension(place(.length)) }
  public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(place(.start, isVertical: true)) }
  public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(place(.end, isVertical: true)) }
  public var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(place(.center, isVertical: true)) }
  public var heightAnchor: NSLayoutDimension { NSLayoutDimension(place(.length, isVertical: true)) }
}

extension UIView {
  private var whole: UILayoutGuide { UILayoutGuide(of: self, .all) }
  public var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide(of: self, .safeArea) }
  /// The part of the safe area inside the view's layout margins.
  public var layoutMarginsGuide: UILayoutGuide { UILayoutGuide(of: self, .margins) }
  public var leadingAnchor: NSLayoutXAxisAnchor { whole.leadingAnchor }
  public var trailingAnchor: NSLayoutXAxisAnchor { whole.trailingAnchor }
  public var leftAnchor: NSLayoutXAxisAnchor { whole.leadingAnchor }
  public var rightAnchor: NSLayoutXAxisAnchor { whole.trailingAnchor }
  public var centerXAnchor: NSLayoutXAxisAnchor { whole.centerXAnchor }
  public var widthAnchor: NSLayoutDimension { whole.widthAnchor }
  public var topAnchor: NSLayoutYAxisAnchor { whole.topAnchor }
  public var bottomAnchor: NSLayoutYAxisAnchor { whole.bottomAnchor }
  public var centerYAnchor: NSLayoutYAxisAnchor { whole.centerYAnchor }
  public var heightAnchor: NSLayoutDimension { whole.heightAnchor }

  public func addConstraint(_ constraint: NSLayoutConstraint) { constraint.setOwner(self) }
  public func addConstraints(_ constraints: [NSLayoutConstraint]) { constraints.forEach(addConstraint) }
  /// Does nothing if another view has the constraint.
  public func removeConstraint(_ constraint: NSLayoutConstraint) {
    if constraint.owner === self { constraint.isActive = false }
  }
  public func removeConstraints(_ constraints: [NSLayoutConstraint]) { constraints.forEach(removeConstraint) }

  /// Removes the constraints between this view, or a view inside it, and a view outside.
  final func dropConstraintsToSuperviews() {
    for view in sequence(first: self, next: \.superview).dropFirst() {
      NSLayoutConstraint.deactivate(
        view.constraints.filter { [$0.first, $0.second].contains { $0?.view?.isDescendant(of: self) == true } })
    }
  }

  /// Computes the frames of the views that constraints place, from the constraints and the frames of all other views.
  final func applyConstraints() {
    var (constraints, free): ([NSLayoutConstraint], [UIView]) = ([], [])
    func visit(_ view: UIView) {
      constraints += view.constraints
      if !view.translatesAutoresizingMaskIntoConstraints, view !== self { free.append(view) }
      view.subviews.forEach(visit)
    }
    visit(self)
    guard !free.isEmpty else { return }
    // Constraints between a view here and one outside belong to a superview. They do not count if constraints place the
    // view outside, because its frame is out of date until its own superview is laid out.
    for view in sequence(first: self, next: \.superview).dropFirst() {
      constraints += view.constraints.filter { [$0.first.view, $0.second?.view].allSatisfy(hasKnownFrame) }
    }
    guard !constraints.isEmpty else { return }
    constraints.sort { $0.priority.rawValue > $1.priority.rawValue }
    let contents = free.map { (view: $0, size: $0.intrinsicContentSize) }
    var solver = ConstraintSolver(root: self, free: free)
    for part in [constraints.filter { $0.relation == .equal }, constraints] {
      repeat {
        while part.contains(where: { solver.apply($0) }) {}
      } while contents.contains(where: { solver.apply($0.size, to: $0.view, within: constraints) })
    }
    for view in free {
      guard let superview = view.superview else { continue }
      let frame = convertPlainly(solver.frame(of: view), to: superview)
      if frame != view.frame { view.frame = frame }
    }
  }
}

extension UIView {
  /// Whether a layout pass of this view can rely on the frame of `view`: the pass computes it, or constraints do not
  /// determine it, or `view` contains this view. Also true for nil.
  private func hasKnownFrame(_ view: UIView?) -> Bool {
    guard let view else { return true }
    return view.translatesAutoresizingMaskIntoConstraints || view.isDescendant(of: self) || isDescendant(of: view)
  }
}

/// Computes unknown edges, centers and lengths from known ones, one constraint at a time, in coordinates of `root`.
private struct ConstraintSolver {
  /// The known edges, center and length of a view along one axis.
  struct Span {
    var numbers: [LayoutPlace.Part: CGFloat] = [:]

    /// Stores the start, the end, the center or the length. When two of these four are known, computes the other two.
    mutating func set(_ part: LayoutPlace.Part, _ value: CGFloat) {
      numbers[part] = value
      guard numbers.count == 2 else { return }
      let (start, end, middle) = (numbers[.start], numbers[.end], numbers[.center])
      let half = numbers[.length].map { $0 / 2 } ?? middle.map { $0 - (start ?? 2 * $0 - (end ?? 0)) }
      let center = middle ?? half.flatMap { half in start.map { $0 + half } ?? end.map { $0 - half } }
      let low = start ?? (center ?? 0) - (half ?? 0)
      self = Span(low, end ?? 2 * (center ?? low) - low)
    }

    init() {}

    init(_ start: CGFloat, _ end: CGFloat) {
      numbers = [.start: start, .end: end, .center: (start + end) / 2, .length: end - start]
    }
  }

  let root: UIView
  /// The spans of each view along x and y.
  var spans: [ObjectIdentifier: [Span]]

  init(root: UIView, free: [UIView]) {
    self.root = root
    spans = Dictionary(uniqueKeysWithValues: free.map { (ObjectIdentifier($0), [Span(), Span()]) })
  }

  private func value(of place: LayoutPlace) -> CGFloat? {
    guard let view = place.view else { return nil }
    let (rect, isVertical) = (view.convertPlainly(view.bounds, to: root), place.isVertical)
    let inset = place.area == .margins ? view.safeAreaInsets + view.layoutMargins : view.safeAreaInsets
    let whole =
      spans[ObjectIdentifier(view)]?[isVertical ? 1 : 0]
      ?? (isVertical ? Span(rect.minY, rect.maxY) : Span(rect.minX, rect.maxX))
    guard place.area != .all else { return whole.numbers[place.part] }
    guard let start = whole.numbers[.start], let end = whole.numbers[.end] else { return nil }
    let (low, high) = isVertical ? (inset.top, inset.bottom) : (inset.left, inset.right)
    let area =
      switch place.area {
      case .aboveSafeArea: Span(start, start + low)
      case .belowSafeArea: Span(end - high, end)
      case .safeArea, .margins, .all: Span(start + low, end - high)
      }
    return area.numbers[place.part]
  }

  /// Applies a constraint. Returns whether this has determined an edge, a center or a length that was unknown.
  mutating func apply(_ constraint: NSLayoutConstraint) -> Bool {
    let first = value(of: constraint.first)
    guard let place = constraint.second else { return first == nil && set(constraint.first, constraint.constant) }
    switch (first, value(of: place)) {
    case (nil, let known?): return set(constraint.first, known * constraint.multiplier + constraint.constant)
    case (let known?, nil): return set(place, (known - constraint.constant) / constraint.multiplier)
    default: return false
    }
  }

  private mutating func set(_ place: LayoutPlace, _ value: CGFloat) -> Bool {
    guard place.area == .all, let key = place.view.map({ ObjectIdentifier($0) }), value.isFinite else { return false }
    return spans[key]?[place.isVertical ? 1 : 0].set(place.part, value) != nil
  }

  /// Gives a view one unknown length from the size that its content prefers, within the limits of inequalities. Returns
  /// whether there was such a length.
  mutating func apply(_ content: CGSize, to view: UIView, within constraints: [NSLayoutConstraint]) -> Bool {
    for isVertical in [false, true] {
      let place = LayoutPlace(view: view, area: .all, isVertical: isVertical, part: .length)
      var length = isVertical ? content.height : content.width
      guard value(of: place) == nil, length >= 0 else { continue }
      for limit in constraints.reversed() where limit.second == nil && limit.first == place {
        length = limit.relation == .lessThanOrEqual ? min(length, limit.constant) : max(length, limit.constant)
      }
      return set(place, length)
    }
    return false
  }

  /// Returns the frame of a view. What nothing determines comes from its present frame.
  func frame(of view: UIView) -> CGRect {
    let now = view.convertPlainly(view.bounds, to: root)
    func complete(_ axis: Int, _ start: CGFloat, _ length: CGFloat) -> (CGFloat, CGFloat) {
      var span = spans[ObjectIdentifier(view)]?[axis] ?? Span()
      if span.numbers[.length] == nil { span.set(.length, length) }
      return (span.numbers[.start] ?? start, span.numbers[.length] ?? length)
    }
    let (x, width) = complete(0, now.minX, now.width)
    let (y, height) = complete(1, now.minY, now.height)
    return CGRect(x: x, y: y, width: max(0, width), height: max(0, height))
  }
}
