/// Runs behaviours, one step at a time (UIKit: `UIDynamicAnimator`, whose display link `step(by:)` replaces).
///
/// Springs with a fixed anchor and no length are linear and independent of each other, so each step is their
/// exact solution, in batches, whatever the timestep. Two kinds of behaviour are solved so: single
/// attachments (`AttachmentBehavior`), and whole ranges of them (`AttachmentRangeBehavior`). What couples
/// items with one another belongs in a solver of its own beside them.
public final class DynamicAnimator {
  /// In the order in which they were added.
  public var behaviors: [DynamicBehavior] { added }
  public weak var delegate: (any DynamicAnimatorDelegate)?
  /// Whether anything moves. Turns false when all items have come to rest, and true again when one is moved.
  public var isRunning: Bool { running }
  /// An item rests, and is put exactly on its anchor, when it is no further away than this, points, and can
  /// not get further by what velocity it has left.
  public let restTolerance: Double
  // Private, so that the compiler sees all accesses and need not check them at run time.
  private var added: [DynamicBehavior] = []
  private var running = false
  private var anchored = AnchoredSprings()
  /// The states of the ranges among the behaviours; bare pointers, because retaining and releasing each
  /// behaviour would cost as much as its step.
  private var ranges: [UnsafeMutablePointer<AttachmentRangeBehavior.State>] = []

  /// - Parameter restTolerance: Points. The default is a hundred thousand times finer than a pixel, so that
  ///   simulations of the same springs that fall asleep at different moments still agree within 1e-6.
  public init(restTolerance: Double = 1e-7) {
    precondition(restTolerance >= 0, "a rest tolerance of \(restTolerance) points")
    self.restTolerance = restTolerance
  }

  deinit {
    for behavior in added { behavior.animator = nil }
  }

  /// Advances everything that moves by so many seconds, and pauses when nothing moves any more.
  public func step(by timestep: Double) {
    precondition(timestep >= 0 && timestep.isFinite, "a timestep of \(timestep) seconds")
    guard running else { return }
    var rests = anchored.step(by: timestep, restTolerance: restTolerance)
    // By index: without optimisation, iterating over the array would allocate an element.
    for index in ranges.indices {
      rests = ranges[index].pointee.step(by: timestep, restTolerance: restTolerance) && rests
    }
    if rests {
      running = false
      delegate?.dynamicAnimatorDidPause(self)
    }
  }

  func resume() {
    guard !running else { return }
    delegate?.dynamicAnimatorWillResume(self)
    running = true
  }
}

// MARK: - Behaviours

extension DynamicAnimator {
  /// Starts to run the behaviour.
  /// - Throws: `DynamicsError` for a value that makes no sense, an item that has a behaviour already, or a
  ///   behaviour that belongs to an animator; this animator is then as it was.
  public func addBehavior(_ behavior: DynamicBehavior) throws(DynamicsError) {
    guard behavior.dynamicAnimator == nil else {
      throw .behaviorBelongsToAnimator(item: behavior.itemName)
    }
    switch behavior {
    case let attachment as AttachmentBehavior:
      try anchored.add(attachment)
    case let range as AttachmentRangeBehavior:
      ranges.append(range.state)
    default:
      preconditionFailure("\(type(of: behavior)) is no behaviour that this animator can run")
    }
    added.append(behavior)
    behavior.animator = self
    resume()
  }

  /// Stops running the behaviour; its items stay where they are. Does nothing for one of another animator.
  /// - Complexity: O(behaviours).
  public func removeBehavior(_ behavior: DynamicBehavior) {
    guard behavior.dynamicAnimator === self else { return }
    if let attachment = behavior as? AttachmentBehavior { anchored.remove(attachment) }
    if let range = behavior as? AttachmentRangeBehavior { ranges.removeAll { $0 == range.state } }
    added.removeAll { $0 === behavior }
    behavior.animator = nil
  }

  public func removeAllBehaviors() {
    for behavior in added { behavior.animator = nil }
    added = []
    ranges = []
    anchored.removeAll()
  }
}

// MARK: - Items

extension DynamicAnimator {
  /// The items, of those that hang on a behaviour of their own, whose rectangles share more than an edge
  /// with this one. Ranges have no item objects; ask the range for its centres.
  /// - Complexity: O(items).
  public func items(in rect: Rect) -> [any DynamicItem] {
    anchored.items(in: rect)
  }

  /// Reads the item's centre anew after something else moved it; its velocity stays.
  /// - Throws: `DynamicsError.unknownItem`, or `.centerNotFinite`; nothing has changed then.
  public func updateItem(usingCurrentState item: any DynamicItem) throws(DynamicsError) {
    try anchored.readCenter(of: item)
    resume()
  }

  func anchorMoved(of behavior: AttachmentBehavior, from old: Point) {
    anchored.anchorMoved(of: behavior, from: old)
    resume()
  }
}
