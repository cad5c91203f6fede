import Dynamics

/// This engine, used as apps use UIKit's animator. Each row is an item object with its own `AttachmentBehavior`, and
/// moves along x and y. Each step writes the centers of all items.
final class EngineItemsPeer: SpringPeer {
  /// A row with a private position. The compiler sees all accesses to the position and omits the run-time checks for
  /// exclusive access, as for the rows of `ObjectPeer`.
  private final class Row: DynamicItem {
    private var place: Point
    let size = Size(width: 310, height: 60)

    init(_ center: Point) { place = center }

    var center: Point {
      get { place }
      set { place = newValue }
    }
  }

  private let animator = DynamicAnimator()
  private let rows: [Row]
  private let attachments: [AttachmentBehavior]
  /// Unmanaged references to rows and attachments, so that loops neither retain nor release them. In `ObjectPeer`, the
  /// compiler omits retains by itself, because it sees all called code. It cannot omit retains around calls into a
  /// library.
  private let unmanaged: [(row: Unmanaged<Row>, attachment: Unmanaged<AttachmentBehavior>)]

  init(_ list: SpringList) throws {
    let rows = (0..<list.count).map { Row(list.anchor($0)) }
    self.rows = rows
    attachments = rows.map { row in
      AttachmentBehavior(item: row, attachedToAnchor: row.center, damping: list.damping, frequency: list.frequency)
    }
    unmanaged = zip(rows, attachments).map { (.passUnretained($0), .passUnretained($1)) }
    for attachment in attachments { try animator.addBehavior(attachment) }
  }

  /// Attaches all rows again, since nothing else resets an item's velocity.
  func rest() throws {
    animator.removeAllBehaviors()
    for (row, attachment) in zip(rows, attachments) {
      row.center = attachment.anchorPoint
      try animator.addBehavior(attachment)
    }
  }

  func shift(by shift: ScrollShift, along axis: Axis) {
    for (row, attachment) in unmanaged {
      let distance = attachment._withUnsafeGuaranteedRef { shift.distance(of: $0.anchorPoint) }
      row._withUnsafeGuaranteedRef { move($0, by: distance, along: axis) }
    }
  }

  @inline(__always) private func move(_ row: Row, by distance: Double, along axis: Axis) {
    switch axis {
    case .vertical: row.center.y += distance
    case .horizontal: row.center.x += distance
    }
    do { try animator.updateItem(usingCurrentState: row) } catch { preconditionFailure("\(error)") }
  }

  func solve(steps: Int, timestep: Double) { for _ in 0..<steps { animator.step(by: timestep) } }

  func readCenters(into centers: CenterBuffer) {
    for (index, row) in rows.enumerated() {
      let center = row.center
      (centers[2 * index], centers[2 * index + 1]) = (center.x, center.y)
    }
  }
}

extension ScrollShift {
  /// Returns how far a scroll moves a body that hangs on this anchor, points.
  func distance(of anchor: Point) -> Double {
    let ratio = (abs(touch.y - anchor.y) + abs(touch.x - anchor.x)) / resistance
    return delta * min(1, ratio)
  }
}
