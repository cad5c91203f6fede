import Dynamics

// UIKit's calls that change the layout.
extension CollectionView {
  /// The same as `layout`. To set it goes over to another layout at once; see `setCollectionViewLayout(_:animated:)`.
  /// - Precondition: The layout belongs to no view and can be prepared, and no transition is under way.
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

  /// Goes over to another layout of the same items, at once or in the time of `AnimationOptions`. What is nearest to
  /// the middle of the view stays there, as far as the ends of the content allow.
  ///
  /// - Parameters:
  ///   - layout: Of the same items.
  ///   - animated: Whether it takes its time.
  ///   - completion: Called when the transition has ended.
  /// - Throws: Where the layout cannot be prepared, or a transition is under way.
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

  /// Begins a transition that a hand moves: by the `transitionProgress` of the layout between both.
  /// - Parameters:
  ///   - layout: Of the same items.
  ///   - completion: Called when the transition has ended; with false where it was cancelled.
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
  /// - Throws: Where none is under way.
  public func finishInteractiveTransition() throws(LayoutError) { try finishTransition() }

  /// Lets the transition run back to the layout before from where it is.
  /// - Throws: Where none is under way.
  public func cancelInteractiveTransition() throws(LayoutError) { try cancelTransition() }

  func transitionEnded(isFinished: Bool) {
    let completion = transitionCompletion
    transitionCompletion = nil
    completion?(isFinished)
  }
}
