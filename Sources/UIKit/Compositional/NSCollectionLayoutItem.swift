import Foundation

/// An item of a compositional layout, or a group of items.
open class NSCollectionLayoutItem: NSObject, NSCopying {
  public final let layoutSize: NSCollectionLayoutSize
  final var attached: [NSCollectionLayoutSupplementaryItem]
  /// The distances of the item's frame from the edges of the area that `layoutSize` describes, points.
  open var contentInsets = NSDirectionalEdgeInsets.zero
  /// The distances that are kept free around the area that `layoutSize` describes.
  open var edgeSpacing: NSCollectionLayoutEdgeSpacing?

  public init(layoutSize: NSCollectionLayoutSize, supplementaryItems: [NSCollectionLayoutSupplementaryItem] = []) {
    (self.layoutSize, attached) = (layoutSize, supplementaryItems)
  }

  open var supplementaryItems: [NSCollectionLayoutSupplementaryItem] { attached }

  /// Returns a copy of a plain item. A supplementary or decoration item, or an instance of an app's own subclass, returns
  /// itself.
  open func copy(with zone: NSZone? = nil) -> Any {
    guard type(of: self) == NSCollectionLayoutItem.self else { return self }
    let copy = NSCollectionLayoutItem(layoutSize: layoutSize, supplementaryItems: attached)
    (copy.contentInsets, copy.edgeSpacing) = (contentInsets, edgeSpacing)
    return copy
  }

  final var copied: NSCollectionLayoutItem { copy(with: nil) as? NSCollectionLayoutItem ?? self }
}

/// A supplementary view that is fixed to an item or a group.
open class NSCollectionLayoutSupplementaryItem: NSCollectionLayoutItem {
  public final let elementKind: String
  public final let containerAnchor: NSCollectionLayoutAnchor
  public final let itemAnchor: NSCollectionLayoutAnchor?
  open var zIndex = 1

  /// Fixes the point `itemAnchor` of the view to the point `containerAnchor` of its container. If `itemAnchor` is nil,
  /// it is the same point of the view, such as a corner, so that the view lies inside.
  public init(
    layoutSize: NSCollectionLayoutSize, elementKind: String, containerAnchor: NSCollectionLayoutAnchor,
    itemAnchor: NSCollectionLayoutAnchor? = nil
  ) {
    (self.elementKind, self.containerAnchor, self.itemAnchor) = (elementKind, containerAnchor, itemAnchor)
    super.init(layoutSize: layoutSize)
  }

  final func frame(on host: CGRect) -> CGRect {
    let size = layoutSize.size(in: host.size)
    let place = containerAnchor.point(of: host, fixing: size)
    let own = CGRect(origin: .zero, size: size)
    let point = itemAnchor?.point(of: own, fixing: size) ?? containerAnchor.edges.point(of: own)
    return CGRect(x: place.x - point.x, y: place.y - point.y, width: size.width, height: size.height).inset(
      by: contentInsets)
  }
}

/// A header, a footer, or the like, at an edge of a section or of the whole layout.
open class NSCollectionLayoutBoundarySupplementaryItem: NSCollectionLayoutSupplementaryItem {
  public final let alignment: NSRectAlignment
  /// The distance from the place that `alignment` specifies, points.
  public final let offset: CGPoint
  /// Whether the item lies before or after the content instead of over it.
  open var extendsBoundary = true
  /// Whether the item stays in view as long as its section is in view.
  open var pinToVisibleBounds = false

  public init(
    layoutSize: NSCollectionLayoutSize, elementKind: String, alignment: NSRectAlignment, absoluteOffset: CGPoint = .zero
  ) {
    (self.alignment, offset) = (alignment, absoluteOffset)
    let anchor = NSCollectionLayoutAnchor(edges: alignment.edges)
    super.init(layoutSize: layoutSize, elementKind: elementKind, containerAnchor: anchor)
  }
}

/// A background of a section.
open class NSCollectionLayoutDecorationItem: NSCollectionLayoutItem {
  public final let elementKind: String
  open var zIndex = -1

  private init(_ elementKind: String) {
    self.elementKind = elementKind
    super.init(
      layoutSize: NSCollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .fractionalHeight(1)))
  }

  open class func background(elementKind: String) -> NSCollectionLayoutDecorationItem {
    NSCollectionLayoutDecorationItem(elementKind)
  }
}

/// The place of an item in a custom group.
open class NSCollectionLayoutGroupCustomItem: NSObject, NSCopying {
  /// The frame in the group, points.
  public final let frame: CGRect
  public final let zIndex: Int

  public init(frame: CGRect, zIndex: Int = 0) { (self.frame, self.zIndex) = (frame, zIndex) }

  /// Returns the place itself, because it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

public typealias NSCollectionLayoutGroupCustomItemProvider = (any NSCollectionLayoutEnvironment) ->
  [NSCollectionLayoutGroupCustomItem]

/// A group of items in a row, in a column, or at custom positions. It keeps copies of the items that it is made of.
open class NSCollectionLayoutGroup: NSCollectionLayoutItem {
  enum Content {
    /// The items in order, repeated as often as they fit.
    case row(FlowAxis, [NSCollectionLayoutItem])
    /// One item, `count` times. If `fills` is true, the items share the length of the group equally.
    case repeated(FlowAxis, NSCollectionLayoutItem, count: Int, fills: Bool)
    case custom(NSCollectionLayoutGroupCustomItemProvider)
  }

  final let content: Content
  /// The distance between the items.
  open var interItemSpacing: NSCollectionLayoutSpacing?

  init(_ layoutSize: NSCollectionLayoutSize, _ content: Content) {
    self.content =
      switch content {
      case .row(let axis, let items): .row(axis, items.map(\.copied))
      case .repeated(let axis, let item, let count, let fills): .repeated(axis, item.copied, count: count, fills: fills)
      case .custom: content
      }
    super.init(layoutSize: layoutSize)
  }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSCollectionLayoutGroup(layoutSize, content)
    (copy.contentInsets, copy.edgeSpacing) = (contentInsets, edgeSpacing)
    (copy.attached, copy.interItemSpacing) = (attached, interItemSpacing)
    return copy
  }

  /// Returns a group of these items from left to right, repeated as often as they fit.
  open class func horizontal(layoutSize: NSCollectionLayoutSize, subitems: [NSCollectionLayoutItem])
    -> NSCollectionLayoutGroup
  { NSCollectionLayoutGroup(layoutSize, .row(acrossText, filled(subitems))) }

  /// Returns a group of `count` items side by side, which share the width equally.
  open class func horizontal(layoutSize: NSCollectionLayoutSize, subitem: NSCollectionLayoutItem, count: Int)
    -> NSCollectionLayoutGroup
  { NSCollectionLayoutGroup(layoutSize, .repeated(acrossText, subitem, count: checked(count), fills: true)) }

  /// Returns a group of `count` items side by side, each with the size of `subitem`.
  open class func horizontal(
    layoutSize: NSCollectionLayoutSize, repeatingSubitem subitem: NSCollectionLayoutItem, count: Int
  ) -> NSCollectionLayoutGroup {
    NSCollectionLayoutGroup(layoutSize, .repeated(acrossText, subitem, count: checked(count), fills: false))
  }

  /// Returns a group of these items from top to bottom, repeated as often as they fit.
  open class func vertical(layoutSize: NSCollectionLayoutSize, subitems: [NSCollectionLayoutItem])
    -> NSCollectionLayoutGroup
  { NSCollectionLayoutGroup(layoutSize, .row(downText, filled(subitems))) }

  /// Returns a group of `count` items one below the other, which share the height equally.
  open class func vertical(layoutSize: NSCollectionLayoutSize, subitem: NSCollectionLayoutItem, count: Int)
    -> NSCollectionLayoutGroup
  { NSCollectionLayoutGroup(layoutSize, .repeated(downText, subitem, count: checked(count), fills: true)) }

  /// Returns a group of `count` items one below the other, each with the size of `subitem`.
  open class func vertical(
    layoutSize: NSCollectionLayoutSize, repeatingSubitem subitem: NSCollectionLayoutItem, count: Int
  ) -> NSCollectionLayoutGroup {
    NSCollectionLayoutGroup(layoutSize, .repeated(downText, subitem, count: checked(count), fills: false))
  }

  /// - Parameter itemProvider: Returns the places of items in a group. Called once for all groups of a section.
  open class func custom(
    layoutSize: NSCollectionLayoutSize, itemProvider: @escaping NSCollectionLayoutGroupCustomItemProvider
  ) -> NSCollectionLayoutGroup { NSCollectionLayoutGroup(layoutSize, .custom(itemProvider)) }

  private static let acrossText = FlowAxis(isVertical: false)
  private static let downText = FlowAxis(isVertical: true)

  private static func filled(_ subitems: [NSCollectionLayoutItem]) -> [NSCollectionLayoutItem] {
    if subitems.isEmpty { raise("a group without subitems") }
    return subitems
  }

  private static func checked(_ count: Int) -> Int {
    if count < 1 { raise("a group of \(count) items") }
    return count
  }

  open var subitems: [NSCollectionLayoutItem] {
    switch content {
    case .row(_, let items): items
    case .repeated(_, let item, _, _): [item]
    case .custom: []
    }
  }

  /// Views that are fixed to the group.
  open override var supplementaryItems: [NSCollectionLayoutSupplementaryItem] {
    get { attached }
    set { attached = newValue }
  }
}
