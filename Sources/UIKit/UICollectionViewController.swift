import Foundation

/// A controller whose view contains a collection view. The controller is the data source and the delegate of that view.
open class UICollectionViewController: UIViewController, UICollectionViewDelegate, UICollectionViewDataSource {
  /// The initial layout, or the layout that the collection view had when another controller took it over.
  open private(set) var collectionViewLayout: UICollectionViewLayout
  /// Whether a navigation controller shows this controller's layout in the collection view of the previous controller.
  /// The previous controller remains the data source and the delegate. Settings of this controller's own collection
  /// view are lost.
  open var useLayoutToLayoutNavigationTransitions = false
  /// Whether the items are deselected each time the view is about to appear.
  open var clearsSelectionOnViewWillAppear = true
  private final var list: UICollectionView?

  public init(collectionViewLayout layout: UICollectionViewLayout) {
    collectionViewLayout = layout
    super.init(nibName: nil, bundle: nil)
  }

  /// Creates a controller with a flow layout.
  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    collectionViewLayout = UICollectionViewFlowLayout()
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }

  /// Creates a controller with a flow layout.
  public required init?(coder: NSCoder) {
    collectionViewLayout = UICollectionViewFlowLayout()
    super.init(coder: coder)
  }

  // The property is implicitly unwrapped, as in UIKit.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var collectionView: UICollectionView! {
    get {
      loadViewIfNeeded()
      return list
    }
    set {
      list?.removeFromSuperview()
      list = newValue
      guard let list else { return }
      list.frame = view.bounds
      list.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      view.addSubview(list)
    }
  }

  open override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    guard clearsSelectionOnViewWillAppear, !useLayoutToLayoutNavigationTransitions, let list else { return }
    for path in list.indexPathsForSelectedItems ?? [] { list.deselectItem(at: path, animated: animated) }
  }

  open override func loadView() {
    super.loadView()
    // Gives the view another layout for now, so that the view of another controller can use this controller's layout.
    let layout = useLayoutToLayoutNavigationTransitions ? UICollectionViewFlowLayout() : collectionViewLayout
    let list = UICollectionView(frame: view.bounds, collectionViewLayout: layout)
    (list.dataSource, list.delegate) = (self, self)
    collectionView = list
  }

  /// Takes over the other controller's collection view for a layout-to-layout transition. Returns false, without taking
  /// the view, if the change is not such a transition.
  final func takesView(of other: UIViewController?, _ operation: UINavigationController.Operation) -> Bool {
    let pushed = operation == .push ? self : other as? UICollectionViewController
    guard pushed?.useLayoutToLayoutNavigationTransitions == true, let other = other as? UICollectionViewController
    else { return false }
    let list = other.collectionView
    list?.settleTransition()
    other.collectionViewLayout = list?.collectionViewLayout ?? other.collectionViewLayout
    collectionView = list
    return true
  }

  final func showLayout(animated: Bool, completion: @escaping () -> Void) {
    list?.setCollectionViewLayout(collectionViewLayout, animated: animated) { _ in completion() }
  }

  /// Shows the layout in the controller's own view. Called if there is no other collection view to take over.
  final func useOwnView() { if useLayoutToLayoutNavigationTransitions { showLayout(animated: false) {} } }

  // MARK: What a subclass overrides

  open func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
  open func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 0 }
  open func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath)
    -> UICollectionViewCell
  { UICollectionViewCell(frame: .zero) }
  open func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView { UICollectionReusableView(frame: .zero) }
  open func collectionView(
    _ collectionView: UICollectionView, targetContentOffsetForProposedContentOffset proposedContentOffset: CGPoint
  ) -> CGPoint { proposedContentOffset }
  open func collectionView(
    _ collectionView: UICollectionView, transitionLayoutForOldLayout fromLayout: UICollectionViewLayout,
    newLayout toLayout: UICollectionViewLayout
  ) -> UICollectionViewTransitionLayout {
    UICollectionViewTransitionLayout(currentLayout: fromLayout, nextLayout: toLayout)
  }
  open func collectionView(_ collectionView: UICollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool {
    true
  }
  open func collectionView(_ collectionView: UICollectionView, didHighlightItemAt indexPath: IndexPath) {}
  open func collectionView(_ collectionView: UICollectionView, didUnhighlightItemAt indexPath: IndexPath) {}
  open func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool { true }
  open func collectionView(_ collectionView: UICollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool {
    true
  }
  open func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {}
  open func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {}
  open func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath
  ) {}
  open func collectionView(
    _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell, forItemAt indexPath: IndexPath
  ) {}
  open func collectionView(
    _ collectionView: UICollectionView, willDisplaySupplementaryView view: UICollectionReusableView,
    forElementKind elementKind: String, at indexPath: IndexPath
  ) {}
  open func collectionView(
    _ collectionView: UICollectionView, didEndDisplayingSupplementaryView view: UICollectionReusableView,
    forElementOfKind elementKind: String, at indexPath: IndexPath
  ) {}
  open func scrollViewDidScroll(_ scrollView: UIScrollView) {}
  open func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {}
  open func scrollViewWillEndDragging(
    _ scrollView: UIScrollView, withVelocity velocity: CGPoint, targetContentOffset: UnsafeMutablePointer<CGPoint>
  ) {}
  open func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {}
  open func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView) {}
  open func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {}
  open func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {}
}
