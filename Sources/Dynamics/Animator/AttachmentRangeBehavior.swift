/// Gives each item of a contiguous range of indices a spring and an anchor of its own. All springs have the same
/// frequency and damping, and move their items along one axis. The behavior replaces one `AttachmentBehavior` of length
/// 0 per item, and needs no objects for the items. A step is one loop over arrays. The cost of sliding the range
/// depends only on the items that enter and leave.
public final class AttachmentRangeBehavior: DynamicBehavior {
  /// The direction in which items move.
  public let axis: Axis
  public let parameters: SpringParameters
  /// The state is behind a pointer, because each access to a stored property of a class is checked for exclusivity at
  /// run time. The check costs more than one step of the springs of all items on and near the screen.
  let state: UnsafeMutablePointer<State>

  struct State: ~Copyable {
    /// The springs. Their two extra columns are the anchors along the axis and across it.
    var springs = SpringArray(extraColumns: 2)
    /// Memory in which an update of the list rebuilds the springs. It is empty before the first update.
    var spare = SpringArray(extraColumns: 2)
    var firstIndex = 0
    /// Whether the items are in the order of their anchors along the axis.
    var anchorsAscend = true
    let parameters: SpringParameters
    var timestep = 0.0
    var transition: SpringTransition
    var evaluationCount = 0
    /// The remembered shifts of the scroll, or nil if items cannot enter as `Entry.remembered`.
    let history: UnsafeMutablePointer<ShiftHistory>?
    /// Items that were appended since the last update. For each element, the items from `firstIndex` on were moved only
    /// by shifts after `mark`, a position in the history's sequence of shifts.
    var additions: [(firstIndex: Int, mark: Int)] = []
    /// The remembered updates of the list, oldest first.
    var past: [PastRearrangement] = []
    /// Buffers for following items back through the updates of the list. Each use overwrites them.
    var trails = Buffer<Trail>()
    var origins = Buffer<Origin>()

    init(_ parameters: SpringParameters, remembersShifts: Bool) throws(DynamicsError) {
      self.parameters = parameters
      transition = SpringTransition(parameters, duration: 0)
      history = remembersShifts ? .holding(try ShiftHistory(parameters, timestep: 1 / 60)) : nil
      // 64 items are enough to fill a screen.
      trails.reserve(64)
      origins.reserve(64)
    }

    deinit { history?.release() }

    var isResting: Bool {
      guard springs.isResting, let history else { return springs.isResting }
      return history.pointee.isEmpty
    }

    /// - Returns: Whether everything was at rest and something moves now.
    mutating func shift(by shift: ScrollShift.Projected) -> Bool {
      let wasResting = isResting
      history?.pointee.record(shift)
      if springs.count > 0 { springs.shift(by: shift, anchorsAscend: anchorsAscend) }
      return wasResting && !isResting
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

  /// Creates a behavior without items.
  /// - Parameters:
  ///   - axis: The direction in which items move.
  ///   - frequency: The frequency of the springs, Hz.
  ///   - damping: The damping ratio; 1 is critical.
  ///   - remembersShifts: Whether to remember the shifts of the scroll, so that items can enter as `Entry.remembered`.
  /// - Throws: If the frequency or the damping is invalid, or the springs swing too long for shifts to be remembered.
  public init(axis: Axis, frequency: Double, damping: Double, remembersShifts: Bool = false) throws(DynamicsError) {
    self.axis = axis
    parameters = try SpringParameters(frequency: frequency, damping: damping, item: "the item range")
    state = .holding(try State(parameters, remembersShifts: remembersShifts))
  }

  deinit { state.release() }

  override var itemName: String { "the items \(range)" }
  override func join(_ animator: DynamicAnimator) { animator.addRange(state) }
  override func leave(_ animator: DynamicAnimator) { animator.removeRange(state) }

  /// The indices of the items that are attached to a spring.
  public var range: Range<Int> {
    let first = state.pointee.firstIndex
    return first..<(first + state.pointee.springs.count)
  }
  /// The number of springs evaluated by all steps so far. Springs at rest cost nothing and do not count.
  public var evaluationCount: Int { state.pointee.evaluationCount }
  /// Whether all items rest on their anchors, including items outside the range.
  public var isResting: Bool { state.pointee.isResting }
  /// The largest distance of an item from its anchor, points.
  /// - Complexity: O(items).
  public var maximumDisplacement: Double { settled.pointee.springs.maximumDisplacement() }

  /// Makes room for this many items in total, so growing to that number allocates nothing.
  public func reserveCapacity(_ itemCount: Int) throws(DynamicsError) { try state.pointee.springs.reserve(itemCount) }

  /// Returns the displacement of an item of the range from its anchor along the axis, points.
  public func displacement(ofItemAt index: Int) -> Double { settled.pointee.springs.displacement[position(of: index)] }

  /// Returns the velocity of an item of the range along the axis, points per second.
  public func velocity(ofItemAt index: Int) -> Double { state.pointee.springs.velocity[position(of: index)] }

  /// Returns the present position of an item of the range.
  public func center(ofItemAt index: Int) -> Point {
    let position = position(of: index)
    let main = state.pointee.springs.extra(0)[position] + settled.pointee.springs.displacement[position]
    return axis.point(main: main, cross: state.pointee.springs.extra(1)[position])
  }

  /// The anchors and present displacements of the items of the range, as pointers to columns. The values of an item are
  /// at its index minus `range.lowerBound`. The pointers are valid until the range, the anchors or the reserved
  /// capacity change, or the behavior is released.
  public var columns: Columns {
    state.pointee.springs.settle()
    return Columns(
      range: range, displacementBound: state.pointee.springs.displacementBound,
      anchorMain: UnsafePointer(state.pointee.springs.extra(0)),
      anchorCross: UnsafePointer(state.pointee.springs.extra(1)),
      displacement: UnsafePointer(state.pointee.springs.displacement))
  }

  /// Columns of doubles, in points: anchors along the axis and across it, and displacements along the axis.
  public struct Columns {
    /// The indices of the items.
    public let range: Range<Int>
    /// An upper bound for the magnitude of the displacements, points.
    public let displacementBound: Double
    /// Coordinates of the anchors along the axis.
    public let anchorMain: UnsafePointer<Double>
    /// Coordinates of the anchors across the axis. Items move only along the axis, so these are also the coordinates of
    /// the items themselves.
    public let anchorCross: UnsafePointer<Double>
    /// Distances from the anchors along the axis, positive towards larger coordinates.
    public let displacement: UnsafePointer<Double>

    /// Returns the present position of an item of the range along the axis and across it. The index is not checked.
    @inlinable @inline(__always) public func center(ofItemAt index: Int) -> (main: Double, cross: Double) {
      let position = index &- range.lowerBound
      return (anchorMain[position] + displacement[position], anchorCross[position])
    }
  }

  /// The state after all shifts. To save time, a shift leaves springs far from the touch to the next step. Reading this
  /// property moves them first.
  var settled: UnsafeMutablePointer<State> {
    state.pointee.springs.settle()
    return state
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
