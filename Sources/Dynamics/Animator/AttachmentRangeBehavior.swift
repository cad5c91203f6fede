import CSpringKernels

/// Hangs each item of a contiguous range of indices on its own anchored spring, all with the same frequency and
/// damping, moving along one axis. It replaces one `AttachmentBehavior` of length 0 per item, without an object for
/// each: a step is one loop over arrays, and the range slides in time proportional to the items that enter and leave.
public final class AttachmentRangeBehavior: DynamicBehavior {
  /// The direction in which items move.
  public let axis: Axis
  public let parameters: SpringParameters
  /// Behind a pointer, because each access to a variable of a class is checked for exclusivity at run time, which costs
  /// more than the springs of a whole tile.
  let state: UnsafeMutablePointer<State>

  struct State: ~Copyable {
    /// The states, and beside them the anchors, along the axis and across it.
    var springs = SpringArray(extraColumns: 2)
    /// Memory in which an update rebuilds the springs; empty before the first update.
    var spare = SpringArray(extraColumns: 2)
    var firstIndex = 0
    let parameters: SpringParameters
    var timestep = 0.0
    var transition: SpringTransition
    var evaluationCount = 0
    /// Nil if items never enter with the state due to missed shifts.
    let history: UnsafeMutablePointer<ShiftHistory>?
    /// Items from an index on that were appended since the last update, while older shifts are remembered.
    var additions: [(firstIndex: Int, mark: Int)] = []
    /// Updates that still have an effect, or that follow shifts which still have one; oldest first.
    var past: [PastRearrangement] = []
    /// Items that are followed back through the updates, with their positions; reused.
    var trails = Buffer<Trail>()
    var origins = Buffer<Origin>()

    init(_ parameters: SpringParameters, remembersShifts: Bool) throws(DynamicsError) {
      self.parameters = parameters
      transition = SpringTransition(parameters, duration: 0)
      history = remembersShifts ? .holding(try ShiftHistory(parameters, timestep: 1 / 60)) : nil
      // As many as an update of a list on a screen needs.
      trails.reserve(64)
      origins.reserve(64)
    }

    deinit { history?.release() }

    var isResting: Bool {
      guard springs.isResting, let history else { return springs.isResting }
      return history.pointee.isEmpty
    }

    /// - Returns: Whether anything moves now.
    mutating func shift(by shift: ScrollShift.Projected) -> Bool {
      history?.pointee.record(shift)
      if springs.count > 0 {
        spring_shift(
          springs.displacement, springs.extra(0), springs.extra(1), springs.count, shift.delta, shift.touchMain,
          shift.touchCross, shift.inverseResistance)
        springs.wake(displacedBy: abs(shift.delta))
      }
      return !isResting
    }

    /// - Returns: Whether all items are at rest now.
    mutating func step(by newTimestep: Double, restTolerance: Double) -> Bool {
      if newTimestep != timestep {
        timestep = newTimestep
        transition = SpringTransition(parameters, duration: newTimestep)
      }
      evaluationCount += springs.step(transition, parameters, duration: newTimestep, restTolerance: restTolerance)
      history?.pointee.step(by: newTimestep, transition)
      return isResting
    }
  }

  /// - Parameters:
  ///   - frequency: Hz.
  ///   - damping: Ratio; 1 is critical.
  ///   - remembersShifts: Whether items can enter as `Entry.remembered`.
  public init(axis: Axis, frequency: Double, damping: Double, remembersShifts: Bool = false) throws(DynamicsError) {
    self.axis = axis
    parameters = try SpringParameters(frequency: frequency, damping: damping, item: "the item range")
    state = .holding(try State(parameters, remembersShifts: remembersShifts))
  }

  deinit { state.release() }

  override var itemName: String { "the items \(range)" }
  override func join(_ animator: DynamicAnimator) { animator.addRange(state) }
  override func leave(_ animator: DynamicAnimator) { animator.removeRange(state) }

  /// Indices of the items that hang on a spring.
  public var range: Range<Int> {
    let first = state.pointee.firstIndex
    return first..<(first + state.pointee.springs.count)
  }
  /// Springs evaluated by all steps so far; those at rest cost nothing and do not count.
  public var evaluationCount: Int { state.pointee.evaluationCount }
  /// Whether all items rest on their anchors, including those that are remembered outside the range.
  public var isResting: Bool { state.pointee.isResting }
  /// The largest distance of an item from its anchor, points.
  /// - Complexity: O(items).
  public var maximumDisplacement: Double { state.pointee.springs.maximumDisplacement() }
  /// An upper bound for the distance of any item from its anchor, points, in constant time.
  public var displacementBound: Double { state.pointee.springs.displacementBound }

  /// Makes room for this many items, so that growing to that number allocates nothing.
  public func reserveCapacity(_ itemCount: Int) throws(DynamicsError) { try state.pointee.springs.reserve(itemCount) }

  /// Displacement along the axis of an item of the range from its anchor, points.
  public func displacement(ofItemAt index: Int) -> Double { state.pointee.springs.displacement[position(of: index)] }

  /// Velocity along the axis of an item of the range, points per second.
  public func velocity(ofItemAt index: Int) -> Double { state.pointee.springs.velocity[position(of: index)] }

  /// The present place of an item of the range.
  public func center(ofItemAt index: Int) -> Point {
    let position = position(of: index)
    let main = state.pointee.springs.extra(0)[position] + state.pointee.springs.displacement[position]
    return axis.point(main: main, cross: state.pointee.springs.extra(1)[position])
  }

  /// The present places of the items of the range, as bare columns: anchors and displacements, by index minus
  /// `range.lowerBound`. They are valid until the range changes or the behavior is released.
  public var columns: Columns {
    Columns(
      anchorMain: UnsafePointer(state.pointee.springs.extra(0)),
      anchorCross: UnsafePointer(state.pointee.springs.extra(1)),
      displacement: UnsafePointer(state.pointee.springs.displacement))
  }

  /// Columns of doubles, points: anchors along the axis and across it, displacements along it.
  public struct Columns {
    /// Coordinates of the anchors along the axis.
    public let anchorMain: UnsafePointer<Double>
    /// Coordinates of the anchors across the axis, and of the items, which do not move that way.
    public let anchorCross: UnsafePointer<Double>
    /// Distance from the anchors along the axis; positive towards larger coordinates.
    public let displacement: UnsafePointer<Double>
  }

  private func position(of index: Int) -> Int {
    precondition(range.contains(index), "item \(index) is outside the range \(range)")
    return index - state.pointee.firstIndex
  }

  /// Moves every item of the range as a scroll does, and wakes the animator.
  public func shift(by shift: ScrollShift) {
    guard shift.delta != 0 else { return }
    if state.pointee.shift(by: shift.projected(on: axis)) { animator?.resume() }
  }
}
