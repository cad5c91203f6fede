import Dynamics

/// This engine as a springy list uses it: rows on an `AttachmentRangeBehavior`, which moves them along y,
/// and on a second one if they also move along x.
final class EngineRangePeer: SpringPeer {
  private let list: SpringList
  private let animator = DynamicAnimator()
  private let vertical: AttachmentRangeBehavior
  private let horizontal: AttachmentRangeBehavior?

  init(_ list: SpringList, axes: AxisSet) throws {
    self.list = list
    vertical = try AttachmentRangeBehavior(axis: .vertical, frequency: list.frequency, damping: list.damping)
    horizontal =
      switch axes {
      case .y: nil
      case .xy: try AttachmentRangeBehavior(axis: .horizontal, frequency: list.frequency, damping: list.damping)
      }
    for range in ranges {
      try animator.addBehavior(range)
      try range.reserveCapacity(list.count)
    }
    try rest()
  }

  private var ranges: [AttachmentRangeBehavior] { [vertical] + (horizontal.map { [$0] } ?? []) }

  func rest() throws {
    for range in ranges {
      try range.setRange(0..<0, entering: .atRest) { _, _ in }
      try range.setRange(0..<list.count, entering: .atRest) { rows, place in
        for row in rows { place(row, list.anchor(row)) }
      }
    }
  }

  func shift(by shift: ScrollShift, along axis: Axis) {
    switch axis {
    case .vertical: vertical.shift(by: shift)
    case .horizontal: horizontal?.shift(by: shift)
    }
  }

  func solve(steps: Int, timestep: Double) { for _ in 0..<steps { animator.step(by: timestep) } }

  func readCenters(into centers: CenterBuffer) {
    let rows = vertical.columns
    if let columns = horizontal?.columns {
      for row in 0..<list.count {
        centers[2 * row] = columns.anchorMain[row] + columns.displacement[row]
        centers[2 * row + 1] = rows.anchorMain[row] + rows.displacement[row]
      }
    } else {
      for row in 0..<list.count {
        centers[2 * row] = rows.anchorCross[row]
        centers[2 * row + 1] = rows.anchorMain[row] + rows.displacement[row]
      }
    }
  }

  var evaluationCount: Int? { vertical.evaluationCount + (horizontal?.evaluationCount ?? 0) }
}
