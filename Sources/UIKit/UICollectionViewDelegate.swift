import Foundation

/// The content of a collection view. The view asks for numbers of items, and for a cell only if a caller requests it.
public protocol UICollectionViewDataSource: NSObjectProtocol {
  /// The number of sections, 1 by default.
  func numberOfSections(in collectionView: UICollectionView) -> Int
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
  func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell
  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView
}

extension UICollectionViewDataSource {
  public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
  public func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath)
    -> UICollectionViewCell
  { UICollectionViewCell() }
  public func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView { UICollectionReusableView() }

  /// Lets `dataSource.numberOfSections?(in: view)` compile: without Objective-C a protocol has no optional methods.
  public var numberOfSections: UIOptionalSectionsMethod? { UIOptionalSectionsMethod(dataSource: self) }
}

/// The method `numberOfSections(in:)` of a data source, which can be called like an optional method.
public struct UIOptionalSectionsMethod {
  let dataSource: any UICollectionViewDataSource

  public func callAsFunction(in view: UICollectionView) -> Int { dataSource.numberOfSections(in: view) }
}

/// An object that a collection view notifies. All methods are optional and have the defaults of UIKit.
public protocol UICollectionViewDelegate: UIScrollViewDelegate {
  /// Returns the offset for the view after an update or a change of the layout.
  func collectionView(
    _ collectionView: UICollectionView, targetContentOffsetForProposedContentOffset proposedContentOffset: CGPoint
  ) -> CGPoint
  func collectionView(
    _ collectionView: UICollectionView, transitionLayoutForOldLayout fromLayout: UICollectionViewLayout,
    newLayout toLayout: UICollectionViewLayout
  ) -> UICollectionViewTransitionLayout
  // The order of these calls during a tap is that of UICollectionView.h: the methods about highlighting when the finger
  // comes down, those about the selection when it is lifted, and the one about unhighlighting at the end.
  func collectionView(_ collectionView: UICollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool
  func collectionView(_ collectionView: UICollectionView, didHighlightItemAt indexPath: IndexPath)
  func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool
  func collectionView(_ collectionView: UICollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool
  func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
  func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath)
  func collectionView(_ collectionView: UICollectionView, didUnhighlightItemAt indexPath: IndexPath)
  // The delegate receives blank views, because the data source creates cells only on request.
  func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath)
  func collectionView(
    _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell, forItemAt indexPath: IndexPath)
  func collectionView(
    _ collectionView: UICollectionView, willDisplaySupplementaryView view: UICollectionReusableView,
    forElementKind elementKind: String, at indexPath: IndexPath)
  func collectionView(
    _ collectionView: UICollectionView, didEndDisplayingSupplementaryView view: UICollectionReusableView,
    forElementOfKind elementKind: String, at indexPath: IndexPath)
}

extension UICollectionViewDelegate {
  public func collectionView(
    _ collectionView: UICollectionView, targetContentOffsetForProposedContentOffset proposedContentOffset: CGPoint
  ) -> CGPoint { proposedContentOffset }
  public func collectionView(
    _ collectionView: UICollectionView, transitionLayoutForOldLayout fromLayout: UICollectionViewLayout,
    newLayout toLayout: UICollectionViewLayout
  ) -> UICollectionViewTransitionLayout {
    UICollectionViewTransitionLayout(currentLayout: fromLayout, nextLayout: toLayout)
  }
  public func collectionView(_ collectionView: UICollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool {
    true
  }
  public func collectionView(_ collectionView: UICollectionView, didHighlightItemAt indexPath: IndexPath) {}
  public func collectionView(_ collectionView: UICollectionView, didUnhighlightItemAt indexPath: IndexPath) {}
  public func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
    true
  }
  public func collectionView(_ collectionView: UICollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool {
    true
  }
  public func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {}
  public func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {}
  public func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath
  ) {}
  public func collectionView(
    _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell, forItemAt indexPath: IndexPath
  ) {}
  public func collectionView(
    _ collectionView: UICollectionView, willDisplaySupplementaryView view: UICollectionReusableView,
    forElementKind elementKind: String, at indexPath: IndexPath
  ) {}
  public func collectionView(
    _ collectionView: UICollectionView, didEndDisplayingSupplementaryView view: UICollectionReusableView,
    forElementOfKind elementKind: String, at indexPath: IndexPath
  ) {}

  /// Lets `delegate.collectionView?(view, didSelectItemAt: path)` compile, as for an optional method.
  public var collectionView: UIOptionalSelectionMethods? { UIOptionalSelectionMethods(delegate: self) }
}

/// The methods of a `UICollectionViewDelegate` that apps call themselves when they select an item.
public struct UIOptionalSelectionMethods {
  let delegate: any UICollectionViewDelegate

  public func callAsFunction(_ view: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
    delegate.collectionView(view, shouldSelectItemAt: indexPath)
  }
  public func callAsFunction(_ view: UICollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool {
    delegate.collectionView(view, shouldDeselectItemAt: indexPath)
  }
  public func callAsFunction(_ view: UICollectionView, didSelectItemAt indexPath: IndexPath) {
    delegate.collectionView(view, didSelectItemAt: indexPath)
  }
  public func callAsFunction(_ view: UICollectionView, didDeselectItemAt indexPath: IndexPath) {
    delegate.collectionView(view, didDeselectItemAt: indexPath)
  }
}

/// The sizes and distances of a flow layout. All methods are optional and return the layout's properties by default.
public protocol UICollectionViewDelegateFlowLayout: UICollectionViewDelegate {
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    sizeForItemAt indexPath: IndexPath
  ) -> CGSize
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    insetForSectionAt section: Int
  ) -> UIEdgeInsets
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumLineSpacingForSectionAt section: Int
  ) -> CGFloat
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumInteritemSpacingForSectionAt section: Int
  ) -> CGFloat
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForHeaderInSection section: Int
  ) -> CGSize
  func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForFooterInSection section: Int
  ) -> CGSize
}

extension UICollectionViewDelegateFlowLayout {
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    sizeForItemAt indexPath: IndexPath
  ) -> CGSize { (collectionViewLayout as? UICollectionViewFlowLayout)?.normalSize ?? .zero }
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    insetForSectionAt section: Int
  ) -> UIEdgeInsets { (collectionViewLayout as? UICollectionViewFlowLayout)?.sectionInset ?? .zero }
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumLineSpacingForSectionAt section: Int
  ) -> CGFloat { (collectionViewLayout as? UICollectionViewFlowLayout)?.minimumLineSpacing ?? 0 }
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    minimumInteritemSpacingForSectionAt section: Int
  ) -> CGFloat { (collectionViewLayout as? UICollectionViewFlowLayout)?.minimumInteritemSpacing ?? 0 }
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForHeaderInSection section: Int
  ) -> CGSize { (collectionViewLayout as? UICollectionViewFlowLayout)?.headerReferenceSize ?? .zero }
  public func collectionView(
    _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
    referenceSizeForFooterInSection section: Int
  ) -> CGSize { (collectionViewLayout as? UICollectionViewFlowLayout)?.footerReferenceSize ?? .zero }

  /// Lets `delegate.collectionView?(view, layout: self, sizeForItemAt: path)` compile: without Objective-C a protocol
  /// has no optional methods.
  public var collectionView: UIOptionalFlowDelegateMethods? { UIOptionalFlowDelegateMethods(delegate: self) }
}

/// The methods of a `UICollectionViewDelegateFlowLayout`, which can be called like optional methods.
public struct UIOptionalFlowDelegateMethods {
  let delegate: any UICollectionViewDelegateFlowLayout

  public func callAsFunction(
    _ view: UICollectionView, layout: UICollectionViewLayout, sizeForItemAt indexPath: IndexPath
  ) -> CGSize { delegate.collectionView(view, layout: layout, sizeForItemAt: indexPath) }

  public func callAsFunction(_ view: UICollectionView, layout: UICollectionViewLayout, insetForSectionAt section: Int)
    -> UIEdgeInsets
  { delegate.collectionView(view, layout: layout, insetForSectionAt: section) }

  public func callAsFunction(
    _ view: UICollectionView, layout: UICollectionViewLayout, minimumLineSpacingForSectionAt section: Int
  ) -> CGFloat { delegate.collectionView(view, layout: layout, minimumLineSpacingForSectionAt: section) }

  public func callAsFunction(
    _ view: UICollectionView, layout: UICollectionViewLayout, minimumInteritemSpacingForSectionAt section: Int
  ) -> CGFloat { delegate.collectionView(view, layout: layout, minimumInteritemSpacingForSectionAt: section) }

  public func callAsFunction(
    _ view: UICollectionView, layout: UICollectionViewLayout, referenceSizeForHeaderInSection section: Int
  ) -> CGSize { delegate.collectionView(view, layout: layout, referenceSizeForHeaderInSection: section) }

  public func callAsFunction(
    _ view: UICollectionView, layout: UICollectionViewLayout, referenceSizeForFooterInSection section: Int
  ) -> CGSize { delegate.collectionView(view, layout: layout, referenceSizeForFooterInSection: section) }
}

// MARK: - Views of a collection view

open class UICollectionReusableView: UIView {
  /// A copy of the attributes by which the view was last placed.
  private final var attributes: UICollectionViewLayoutAttributes?

  final func place(_ attributes: UICollectionViewLayoutAttributes) {
    guard attributes != self.attributes else { return }
    self.attributes = attributes.copy(at: attributes.indexPath)
    (center, transform) = (attributes.center, attributes.transform)
    bounds = CGRect(origin: bounds.origin, size: attributes.size)
    (alpha, isHidden) = (attributes.alpha, attributes.isHidden)
    apply(attributes)
  }

  open var reuseIdentifier: String? { nil }
  open func prepareForReuse() {}
  open func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {}
  open func willTransition(from oldLayout: UICollectionViewLayout, to newLayout: UICollectionViewLayout) {}
  open func didTransition(from oldLayout: UICollectionViewLayout, to newLayout: UICollectionViewLayout) {}
  open func preferredLayoutAttributesFitting(_ layoutAttributes: UICollectionViewLayoutAttributes)
    -> UICollectionViewLayoutAttributes
  { layoutAttributes }
}

open class UICollectionViewCell: UICollectionReusableView {
  /// A view as large as the cell, created at the first access.
  public private(set) final lazy var contentView: UIView = {
    let view = UIView(frame: bounds)
    view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    insertSubview(view, at: 0)
    return view
  }()
  open var backgroundView: UIView?
  open var selectedBackgroundView: UIView?
  open var isSelected = false
  open var isHighlighted = false

  public override init(frame: CGRect) { super.init(frame: frame) }
  public required init?(coder: NSCoder) { super.init(coder: coder) }
}

/// A row of a list.
open class UICollectionViewListCell: UICollectionViewCell {
  open var indentationLevel = 0
  /// The width of one level of indentation, points.
  open var indentationWidth: CGFloat = 10
  open var indentsAccessories = true
}
