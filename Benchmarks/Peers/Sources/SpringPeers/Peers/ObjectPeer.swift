import Dynamics

/// Rows on an `ObjectAnimator`, with one behavior object per row.
final class ObjectPeer: SpringPeer {
  private final class Row: ObjectItem {
    var center: Point

    init(_ center: Point) { self.center = center }
  }

  private let animator = ObjectAnimator()
  private let rows: [Row]
  private let attachments: [ObjectAttachment]

  init(_ list: SpringList) {
    let rows = (0..<list.count).map { Row(list.anchor($0)) }
    self.rows = rows
    attachments = rows.map { row in
      ObjectAttachment(item: row, attachedToAnchor: row.center, frequency: list.frequency, damping: list.damping)
    }
    for attachment in attachments { animator.addBehavior(attachment) }
  }

  func rest() {
    for (row, attachment) in zip(rows, attachments) {
      row.center = attachment.anchorPoint
      attachment.velocity = .zero
    }
  }

  func shift(by shift: ScrollShift, along axis: Axis) {
    for (row, attachment) in zip(rows, attachments) {
      let distance = shift.distance(of: attachment.anchorPoint)
      switch axis {
      case .vertical: row.center.y += distance
      case .horizontal: row.center.x += distance
      }
    }
  }

  func solve(steps: Int, timestep: Double) { for _ in 0..<steps { animator.step(by: timestep) } }

  func readCenters(into centers: CenterBuffer) {
    for (index, row) in rows.enumerated() {
      let center = row.center
      (centers[2 * index], centers[2 * index + 1]) = (center.x, center.y)
    }
  }
}
