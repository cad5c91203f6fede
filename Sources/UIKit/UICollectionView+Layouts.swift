import CollectionLayout
import Dynamics
import Foundation

// These methods change the layout. If a change is impossible, the program ends with a message.
extension UICollectionView {
  /// An interactive change of the layout that is in progress.
  struct Transition {
    let from: UICollectionViewLayout
    let to: UICollectionViewLayout
    let between: UICollectionViewTransitionLayout
    let completion: (Bool) -> Void
  }

  /// The current layout, or the transition layout during a transition. Setting it changes the layout without animation.
  public var collectionViewLayout: UICollectionViewLayout {
    get { transition?.between ?? current }
    set { setCollectionViewLayout(newValue, animated: false) }
  }

  /// Changes to another layout of the same items at once. The item nearest to the middle of the view stays there,
  /// unless the content is too short, or the layout or the delegate chooses another offset. Within a batch of updates,
  /// the change is animated together with the updates and keeps the offset.
  /// - Parameters:
  ///   - layout: A layout that no view uses.
  ///   - animated: Whether the items are shown on their way to their new places, for a quarter of a second.
  ///   - completion: Called when the items have reached their places.
  public func setCollectionViewLayout(
    _ layout: UICollectionViewLayout, animated: Bool, completion: ((Bool) -> Void)? = nil
  ) {
    settleTransition()
    guard layout !== current else {
      completion?(true)
      return
    }
    guard pendingBatch == nil else {
      exchange(for: layout)
      if let completion { completeLater(completion) }
      return
    }
    if transition != nil { raise(LayoutError.transitionUnderWay.description) }
    let (old, engineLayout) = (current, adopt(layout))
    guard old.engineLayout?.passCount ?? 0 > 0 else {
      // A layout that has not been shown yet is replaced without a transition, as in UIKit.
      engine.replaceLayout(engineLayout)
      (current, old.owner) = (layout, nil)
      completion?(true)
      return
    }
    var options = ItemAnimation()
    if !animated || !UIView.areAnimationsEnabled { options.duration = 0 }
    prepareLayout()
    layout.change = ListChange(
      oldSections: sections, map: IndexMap(oldCount: sections.itemCount, newCount: sections.itemCount), oldLayout: old)
    changeBounds {
      mustSucceed { () throws(LayoutError) in try engine.changeLayout(to: engineLayout, options: options) }
      (current, displayedFor) = (layout, nil)
    }
    (layout.change, old.owner) = (nil, nil)
    if let completion { options.duration > 0 ? completeLater(completion) : completion(true) }
  }

  private func exchange(for layout: UICollectionViewLayout) {
    let (old, engineLayout) = (current, adopt(layout))
    old.prepareForTransition(to: layout)
    layout.prepareForTransition(from: old)
    engine.replaceLayout(engineLayout)
    current = layout
    layout.shownBeforeChange = old.shownBeforeChange
    old.changeEnds()
    old.finalizeLayoutTransition()
    layout.finalizeLayoutTransition()
    old.owner = nil
  }

  /// Begins an interactive transition. The `transitionProgress` of the returned layout drives it.
  /// - Parameters:
  ///   - layout: A layout that no view uses.
  ///   - completion: Called when the transition has ended. `finish` is false if it was canceled.
  @discardableResult public func startInteractiveTransition(
    to layout: UICollectionViewLayout, completion: ((_ completed: Bool, _ finish: Bool) -> Void)? = nil
  ) -> UICollectionViewTransitionLayout {
    settleTransition()
    if transition != nil { raise(LayoutError.transitionUnderWay.description) }
    countItems()
    let engineLayout = adopt(layout)
    let between =
      delegate?.collectionView(self, transitionLayoutForOldLayout: current, newLayout: layout)
      ?? UICollectionViewTransitionLayout(currentLayout: current, nextLayout: layout)
    mustSucceed { () throws(LayoutError) in
      try engine.startTransition(to: engineLayout, options: ItemAnimation(), isInteractive: true)
    }
    between.owner = self
    between.engineTransition = engine.transitionLayout
    transition = Transition(from: current, to: layout, between: between) { completion?(true, $0) }
    return between
  }

  /// Animates the transition from its present progress to the new layout.
  public func finishInteractiveTransition() {
    mustSucceed { () throws(LayoutError) in try engine.finishTransition() }
    endTransitionIfThere()
  }

  /// Animates the transition from its present progress back to the old layout.
  public func cancelInteractiveTransition() {
    mustSucceed { () throws(LayoutError) in try engine.cancelTransition() }
    endTransitionIfThere()
  }

  /// If a transition is being finished or canceled, completes it at once. In UIKit, the app would already see the
  /// transition as ended while its animation still runs on the screen.
  final func settleTransition() {
    guard transition != nil, let end = engine.transitionLayout?.end else { return }
    mustSucceed { () throws(LayoutError) in
      try engine.updateTransition(progress: end)
      if end == 1 { try engine.finishTransition() } else { try engine.cancelTransition() }
    }
    endTransitionIfThere()
  }

  final func endTransitionIfThere() {
    guard let transition, engine.transitionLayout == nil else { return }
    let winner = (engine.layout as? ObjectLayout)?.layout ?? transition.to
    let loser = winner === transition.to ? transition.from : transition.to
    (self.transition, current) = (nil, winner)
    (loser.owner, transition.between.owner) = (nil, nil)
    transition.completion(winner === transition.to)
  }

  /// Changes the size of the view, as a rotation of the device does, and animates the items from their old places to
  /// their new ones.
  public final func rotate(to size: CGSize) {
    guard size.width > 0, size.height > 0, size.width.isFinite, size.height.isFinite else {
      return bounds = CGRect(origin: bounds.origin, size: size)
    }
    settleTransition()
    stopScrolling()
    pathsBeforeRotation = indexPathsForVisibleItems
    defer { pathsBeforeRotation = nil }
    current.changeBegins()
    current.change = ListChange(
      oldSections: sections, map: IndexMap(oldCount: sections.itemCount, newCount: sections.itemCount))
    // The corner of the view stays where it is.
    center = CGPoint(x: center.x + (size.width - bounds.width) / 2, y: center.y + (size.height - bounds.height) / 2)
    changeBounds { mustSucceed { () throws(LayoutError) in try engine.rotate(to: Size(size)) } }
    mayBeBeyondContent = true
    formerSections[engine.latestChange] = sections
    current.changeEnds()
  }
}

/// The layout of a view during a transition between two layouts.
open class UICollectionViewTransitionLayout: UICollectionViewLayout {
  public final let currentLayout: UICollectionViewLayout
  public final let nextLayout: UICollectionViewLayout
  final weak var engineTransition: TransitionLayout?
  private final var progress: CGFloat = 0
  private final var values: [String: CGFloat] = [:]

  public init(currentLayout: UICollectionViewLayout, nextLayout newLayout: UICollectionViewLayout) {
    (self.currentLayout, nextLayout) = (currentLayout, newLayout)
    super.init()
  }

  public required init?(coder: NSCoder) { raise("a transition layout is not read from an archive") }

  /// The progress: 0 shows the current layout, and 1 shows the next layout.
  open var transitionProgress: CGFloat {
    get { engineTransition.map { CGFloat($0.transitionProgress) } ?? progress }
    set {
      progress = newValue
      engineTransition?.transitionProgress = min(max(0, Double(newValue)), 1)
    }
  }

  open func updateValue(_ value: CGFloat, forAnimatedKey key: String) { values[key] = value }
  open func value(forAnimatedKey key: String) -> CGFloat { values[key] ?? 0 }
}
