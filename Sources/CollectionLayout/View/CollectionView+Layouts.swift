import Dynamics

// UIKit's calls that change the layout.
extension CollectionView {
  /// The same as `layout`. Setting it changes to another layout at once; see
  /// `setCollectionViewLayout(_:animated:)`.
  /// - Precondition: The layout belongs to no view and can be prepared, and no transition is in progress.
  public var collectionViewLayout: CollectionViewLayout {
    get { layout }
    set {
      do throws(LayoutError) {
        try setCollectionViewLayout(newValue, animated: false)
      } catch {
        preconditionFailure("\(error)")
      }
    }
  }

  /// Changes to another layout of the same items, at once or in the time of `AnimationOptions`. The item
  /// nearest to the middle of the view stays there, as far as the ends of the content allow.
  ///
  /// - Parameters:
  ///   - layout: A layout of the same items.
  ///   - animated: Whether the change is animated.
  ///   - completion: Called when the transition has ended.
  /// - Throws: If the layout cannot be prepared, or a transition is in progress.
  public func setCollectionViewLayout(
    _ layout: CollectionViewLayout, animated: Bool, completion: ((Bool) -> Void)? = nil
  ) throws(LayoutError) {
    guard layout !== self.layout else {
      completion?(true)
      return
    }
    var options = AnimationOptions()
    if !animated { options.duration = 0 }
    try startTransition(to: layout, options: options, isInteractive: true)
    transitionCompletion = completion
    try finishTransition()
  }

  /// Begins an interactive transition, driven by the `transitionProgress` of the transition layout.
  /// - Parameters:
  ///   - layout: A layout of the same items.
  ///   - completion: Called when the transition has ended; with false if it was cancelled.
  /// - Throws: As `setCollectionViewLayout(_:animated:completion:)`.
  @discardableResult
  public func startInteractiveTransition(
    to layout: CollectionViewLayout, completion: ((Bool) -> Void)? = nil
  ) throws(LayoutError) -> TransitionLayout {
    try startTransition(to: layout, isInteractive: true)
    guard let between = transition?.layout else { throw .noTransition }
    transitionCompletion = completion
    return between
  }

  /// Lets the transition run to its end from where it is.
  /// - Throws: If none is in progress.
  public func finishInteractiveTransition() throws(LayoutError) { try finishTransition() }

  /// Lets the transition run back to the layout before from where it is.
  /// - Throws: If none is in progress.
  public func cancelInteractiveTransition() throws(LayoutError) { try cancelTransition() }

  func transitionEnded(isFinished: Bool) {
    let completion = transitionCompletion
    transitionCompletion = nil
    completion?(isFinished)
  }
}
