import Foundation

/// The width or the height of an item.
open class NSCollectionLayoutDimension: NSObject, NSCopying {
  private enum Kind { case fractionalWidth, fractionalHeight, absolute, estimated }

  private final let kind: Kind
  /// The length: points, or a fraction of the container's width or height.
  public final let dimension: CGFloat

  private init(_ kind: Kind, _ dimension: CGFloat) {
    guard dimension.isFinite else { raise("a dimension of \(dimension)") }
    (self.kind, self.dimension) = (kind, dimension)
  }

  /// Returns a length that is a fraction of the container's width.
  open class func fractionalWidth(_ fractionalWidth: CGFloat) -> NSCollectionLayoutDimension {
    NSCollectionLayoutDimension(.fractionalWidth, fractionalWidth)
  }

  /// Returns a length that is a fraction of the container's height.
  open class func fractionalHeight(_ fractionalHeight: CGFloat) -> NSCollectionLayoutDimension {
    NSCollectionLayoutDimension(.fractionalHeight, fractionalHeight)
  }

  /// Returns a length in points.
  open class func absolute(_ absoluteDimension: CGFloat) -> NSCollectionLayoutDimension {
    NSCollectionLayoutDimension(.absolute, absoluteDimension)
  }

  /// Returns an estimate in points. Items and boundary items have the estimated length until their views report
  /// preferred sizes. Groups get the size of their items.
  open class func estimated(_ estimatedDimension: CGFloat) -> NSCollectionLayoutDimension {
    NSCollectionLayoutDimension(.estimated, estimatedDimension)
  }

  open var isFractionalWidth: Bool { kind == .fractionalWidth }
  open var isFractionalHeight: Bool { kind == .fractionalHeight }
  open var isAbsolute: Bool { kind == .absolute }
  open var isEstimated: Bool { kind == .estimated }

  /// Returns the dimension itself, because it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns the length in points, at least 0. Fractions are rounded down to whole pixels, as in UIKit.
  fileprivate final func length(in container: CGSize, _ preferred: CGFloat?) -> CGFloat {
    switch kind {
    case .fractionalWidth: (dimension * container.width).wholePixels
    case .fractionalHeight: (dimension * container.height).wholePixels
    case .absolute: max(0, dimension)
    case .estimated: preferred ?? max(0, dimension)
    }
  }
}

open class NSCollectionLayoutSize: NSObject, NSCopying {
  public final let widthDimension: NSCollectionLayoutDimension
  public final let heightDimension: NSCollectionLayoutDimension

  public init(widthDimension width: NSCollectionLayoutDimension, heightDimension height: NSCollectionLayoutDimension) {
    (widthDimension, heightDimension) = (width, height)
  }

  /// Returns the size itself, because it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// - Parameter preferred: The preferred size in points. It replaces the dimensions that are estimated.
  final func size(in container: CGSize, preferred: CGSize? = nil) -> CGSize {
    CGSize(
      width: widthDimension.length(in: container, preferred?.width),
      height: heightDimension.length(in: container, preferred?.height))
  }

  final var isEstimated: (width: Bool, height: Bool) { (widthDimension.isEstimated, heightDimension.isEstimated) }
}

/// A distance between items.
open class NSCollectionLayoutSpacing: NSObject, NSCopying {
  /// The distance, points. A flexible spacing may be longer.
  public final let spacing: CGFloat
  public final let isFlexibleSpacing: Bool

  private init(_ spacing: CGFloat, isFlexible: Bool) { (self.spacing, isFlexibleSpacing) = (spacing, isFlexible) }

  open class func flexible(_ flexibleSpacing: CGFloat) -> NSCollectionLayoutSpacing {
    NSCollectionLayoutSpacing(flexibleSpacing, isFlexible: true)
  }

  open class func fixed(_ fixedSpacing: CGFloat) -> NSCollectionLayoutSpacing {
    NSCollectionLayoutSpacing(fixedSpacing, isFlexible: false)
  }

  open var isFixedSpacing: Bool { !isFlexibleSpacing }

  /// Returns the spacing itself, because it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Distances that are kept free around an item.
open class NSCollectionLayoutEdgeSpacing: NSObject, NSCopying {
  public final let leading: NSCollectionLayoutSpacing?
  public final let top: NSCollectionLayoutSpacing?
  public final let trailing: NSCollectionLayoutSpacing?
  public final let bottom: NSCollectionLayoutSpacing?

  public init(
    leading: NSCollectionLayoutSpacing?, top: NSCollectionLayoutSpacing?, trailing: NSCollectionLayoutSpacing?,
    bottom: NSCollectionLayoutSpacing?
  ) { (self.leading, self.top, self.trailing, self.bottom) = (leading, top, trailing, bottom) }

  /// Returns the spacing itself, because it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Edges of a rectangle. Leading and trailing depend on the direction of text.
public struct NSDirectionalRectEdge: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let top = NSDirectionalRectEdge(rawValue: 1)
  public static let leading = NSDirectionalRectEdge(rawValue: 2)
  public static let bottom = NSDirectionalRectEdge(rawValue: 4)
  public static let trailing = NSDirectionalRectEdge(rawValue: 8)
  public static let all: NSDirectionalRectEdge = [.top, .leading, .bottom, .trailing]

  /// Returns the point of a rectangle at these edges. Along an axis without an edge, this is the middle.
  func point(of rect: CGRect) -> CGPoint {
    CGPoint(
      x: contains(.leading) ? rect.minX : contains(.trailing) ? rect.maxX : rect.midX,
      y: contains(.top) ? rect.minY : contains(.bottom) ? rect.maxY : rect.midY)
  }
}

/// An edge or a corner of a rectangle.
public enum NSRectAlignment: Int, Sendable {
  case none, top, topLeading, leading, bottomLeading, bottom, bottomTrailing, trailing, topTrailing

  var edges: NSDirectionalRectEdge {
    switch self {
    case .none: []
    case .top: .top
    case .topLeading: [.top, .leading]
    case .leading: .leading
    case .bottomLeading: [.bottom, .leading]
    case .bottom: .bottom
    case .bottomTrailing: [.bottom, .trailing]
    case .trailing: .trailing
    case .topTrailing: [.top, .trailing]
    }
  }
}

/// A point of an item to which another item is fixed.
open class NSCollectionLayoutAnchor: NSObject, NSCopying {
  public final let edges: NSDirectionalRectEdge
  /// The distance from the edges, in points or, if `isFractionalOffset`, in fractions of the size of the fixed item.
  public final let offset: CGPoint
  public final let isFractionalOffset: Bool

  private init(_ edges: NSDirectionalRectEdge, _ offset: CGPoint, isFractional: Bool) {
    (self.edges, self.offset, isFractionalOffset) = (edges, offset, isFractional)
  }

  /// - Parameter absoluteOffset: The distance from the edges, points.
  public convenience init(edges: NSDirectionalRectEdge, absoluteOffset: CGPoint = .zero) {
    self.init(edges, absoluteOffset, isFractional: false)
  }

  /// - Parameter fractionalOffset: The distance from the edges, in fractions of the size of the fixed item.
  public convenience init(edges: NSDirectionalRectEdge, fractionalOffset: CGPoint) {
    self.init(edges, fractionalOffset, isFractional: true)
  }

  open var isAbsoluteOffset: Bool { !isFractionalOffset }

  /// Returns the anchor itself, because it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  final func point(of rect: CGRect, fixing size: CGSize) -> CGPoint {
    let (corner, scale) = (edges.point(of: rect), isFractionalOffset ? size : CGSize(width: 1, height: 1))
    return CGPoint(x: corner.x + offset.x * scale.width, y: corner.y + offset.y * scale.height)
  }
}

/// The area that a layout fills.
public protocol NSCollectionLayoutContainer: NSObjectProtocol {
  /// The size of the area, including the insets, points.
  var contentSize: CGSize { get }
  /// The size without the insets, points.
  var effectiveContentSize: CGSize { get }
  var contentInsets: NSDirectionalEdgeInsets { get }
  var effectiveContentInsets: NSDirectionalEdgeInsets { get }
}

public protocol NSCollectionLayoutEnvironment: NSObjectProtocol {
  var container: any NSCollectionLayoutContainer { get }
  var traitCollection: UITraitCollection { get }
}

final class LayoutEnvironment: NSObject, NSCollectionLayoutEnvironment, NSCollectionLayoutContainer {
  let contentSize: CGSize
  let contentInsets: NSDirectionalEdgeInsets

  init(_ contentSize: CGSize, _ contentInsets: NSDirectionalEdgeInsets = .zero) {
    (self.contentSize, self.contentInsets) = (contentSize, contentInsets)
  }

  var container: any NSCollectionLayoutContainer { self }
  var effectiveContentSize: CGSize { CGRect(origin: .zero, size: contentSize).inset(by: contentInsets).size }
  var effectiveContentInsets: NSDirectionalEdgeInsets { contentInsets }
  var traitCollection: UITraitCollection { .current }
}

extension CGRect {
  /// Returns the rectangle inside the insets, with the leading edge on the left. Its size is never negative.
  func inset(by insets: NSDirectionalEdgeInsets) -> CGRect {
    CGRect(
      x: minX + insets.leading, y: minY + insets.top, width: max(0, width - insets.leading - insets.trailing),
      height: max(0, height - insets.top - insets.bottom))
  }
}
