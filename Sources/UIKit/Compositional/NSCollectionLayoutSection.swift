import Foundation

/// How a section scrolls on its own, at a right angle to the scroll direction of the layout.
public enum UICollectionLayoutSectionOrthogonalScrollingBehavior: Int, Sendable {
  case none
  case continuous
  /// The section comes to rest at the beginning of a group.
  case continuousGroupLeadingBoundary
  /// The section scrolls page by page. A page is as long as the view.
  case paging
  /// The section scrolls group by group.
  case groupPaging
  /// The section scrolls group by group, and centers a group in the view.
  case groupPagingCentered
}

public enum UIContentInsetsReference: Int, Sendable { case automatic, none, safeArea, layoutMargins, readableContent }

/// A visible view of a section, which the section's `visibleItemsInvalidationHandler` may change.
public protocol NSCollectionLayoutVisibleItem: NSObjectProtocol, UIDynamicItem {
  var alpha: CGFloat { get set }
  var zIndex: Int { get set }
  var isHidden: Bool { get set }
  var transform3D: CATransform3D { get set }
  /// The kind of a supplementary or a decoration view; empty for an item.
  var name: String { get }
  var indexPath: IndexPath { get }
  /// The frame before the scroll offset of the section is applied, points.
  var frame: CGRect { get }
  var representedElementCategory: UICollectionView.ElementCategory { get }
  var representedElementKind: String? { get }
}

extension NSCollectionLayoutVisibleItem { public var name: String { representedElementKind ?? "" } }

extension UICollectionViewLayoutAttributes: NSCollectionLayoutVisibleItem {}

/// A function that receives the visible views, the scroll offset in points, and the layout environment.
public typealias NSCollectionLayoutSectionVisibleItemsInvalidationHandler = (
  [any NSCollectionLayoutVisibleItem], CGPoint, any NSCollectionLayoutEnvironment
) -> Void

/// A section of groups, one after the other along the scroll direction of the layout, or at a right angle to it if
/// `orthogonalScrollingBehavior` is not `none`.
open class NSCollectionLayoutSection: NSObject, NSCopying {
  final let group: NSCollectionLayoutGroup
  /// Insets around the groups, points.
  open var contentInsets = NSDirectionalEdgeInsets.zero
  /// Distance between groups, points.
  open var interGroupSpacing: CGFloat = 0
  /// Has no effect: insets always refer to the safe area, as with `.automatic`.
  open var contentInsetsReference = UIContentInsetsReference.automatic
  /// Has no effect: boundary items follow `supplementariesFollowContentInsets`, as with `.automatic`.
  open var supplementaryContentInsetsReference = UIContentInsetsReference.automatic
  open var orthogonalScrollingBehavior = UICollectionLayoutSectionOrthogonalScrollingBehavior.none
  open var boundarySupplementaryItems: [NSCollectionLayoutBoundarySupplementaryItem] = []
  /// Whether boundary items stay within the leading and trailing insets.
  open var supplementariesFollowContentInsets = true
  open var decorationItems: [NSCollectionLayoutDecorationItem] = []
  /// The empty space above the headers of a list, points.
  final var headerTopPadding: CGFloat = 0
  /// Called once after each `prepare()` with the visible views, before they are shown.
  open var visibleItemsInvalidationHandler: NSCollectionLayoutSectionVisibleItemsInvalidationHandler?

  public init(group: NSCollectionLayoutGroup) { self.group = group }

  /// Returns the section itself. Later changes of the section take effect when the layout is prepared again.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
