/// A worker's answer to a `TurnCommand`. Times are in nanoseconds and include the cost of the clock.
package enum TurnAnswer: Equatable, Sendable {
  /// The time of each frame. A minus sign marks a frame during which the kernel took the core from the frame's thread.
  /// The absolute value does not include the time during which other processes had the core, if that time is known.
  case frames([Double])
  /// Rows with one span per frame. The first row is for whole frames; each further row is for one phase. The phases are
  /// in the order of `TurnReadiness.phases`, followed by phases that first ran later. As in `frames`, a minus sign
  /// marks a frame that was interrupted.
  case phases([[Span]])
  case shown([ShownItem])

  package struct Span: Equatable, Sendable {
    package var nanoseconds: Double
    /// The number of pairs of clock reads whose cost the time includes.
    package var pairCount: Double

    package init(nanoseconds: Double, pairCount: Double) {
      (self.nanoseconds, self.pairCount) = (nanoseconds, pairCount)
    }
  }

  package struct ShownItem: Equatable, Sendable {
    package var frame: Int
    var observation: Observation
  }

  /// Length of the header in bytes. The header contains the number of values.
  package static let headerByteCount = 8

  /// The answer as bytes: the number of values in eight bytes, then the values as doubles in the byte order of the
  /// machine. The values of `phases` begin with the numbers of rows and columns.
  package var bytes: [UInt8] {
    let values = values
    return UInt64(values.count).bytes + values.withUnsafeBytes { Array($0) }
  }

  /// Returns the number of bytes after the header. Nil if the header has a wrong length, or if it announces more than
  /// 2^26 values, which no worker sends.
  package static func bodyByteCount(header: [UInt8]) -> Int? {
    guard header.count == headerByteCount else { return nil }
    let count = UInt64(bytes: header[...])
    return count <= 1 << 26 ? Int(count) * 8 : nil
  }

  /// Returns the values of a body; nil if its length is not a multiple of 8 bytes.
  package static func values(body: [UInt8]) -> [Double]? {
    guard body.count % 8 == 0 else { return nil }
    return body.withUnsafeBytes { bytes in
      (0..<body.count / 8).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
    }
  }

  private var values: [Double] {
    switch self {
    case .frames(let pieces): pieces
    case .phases(let phases): Self.table(phases.map { $0.flatMap { [$0.nanoseconds, $0.pairCount] } })
    case .shown(let items):
      items.flatMap { [Double($0.frame), Double($0.observation.item), $0.observation.x, $0.observation.y] }
    }
  }

  /// Interprets the values as the answer to a command. Nil if they do not fit the command.
  package init?(_ values: [Double], to command: TurnCommand) {
    let answer: TurnAnswer? =
      switch command {
      case .frames: .frames(values)
      case .phases: Self.rows(values).map { .phases($0.map(Self.spans)) }
      case .observe: Self.items(values).map { .shown($0) }
      }
    guard let answer else { return nil }
    self = answer
  }

  private static func table(_ rows: [[Double]]) -> [Double] {
    [Double(rows.count), Double(rows.first?.count ?? 0)] + rows.flatMap(\.self)
  }

  private static func rows(_ values: [Double]) -> [[Double]]? {
    guard values.count >= 2, let rowCount = Int(exactly: values[0]), let width = Int(exactly: values[1]),
      // Without these limits, the product could overflow, or a huge number of rows could have width 0.
      (0...values.count).contains(rowCount), (0...values.count).contains(width), width % 2 == 0,
      values.count == 2 + rowCount * width
    else { return nil }
    return (0..<rowCount).map { Array(values[(2 + $0 * width)..<(2 + ($0 + 1) * width)]) }
  }

  private static func spans(_ values: [Double]) -> [Span] {
    stride(from: 0, to: values.count, by: 2).map { Span(nanoseconds: values[$0], pairCount: values[$0 + 1]) }
  }

  private static func items(_ values: [Double]) -> [ShownItem]? {
    guard values.count % 4 == 0 else { return nil }
    var items: [ShownItem] = []
    for start in stride(from: 0, to: values.count, by: 4) {
      guard let frame = Int(exactly: values[start]), let item = Int(exactly: values[start + 1]) else { return nil }
      items.append(
        ShownItem(frame: frame, observation: Observation(item: item, x: values[start + 2], y: values[start + 3])))
    }
    return items
  }
}
