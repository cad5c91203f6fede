extension TurnAnswer {
  /// How workers of earlier builds lay out what they timed, which their readiness does not say.
  package enum EarlierLayout: Sendable {
    /// Sums over a turn, and nothing else.
    case sums
    /// Sums, then the pieces of a turn.
    case pieces

    /// - Parameter values: The answer to `TurnCommand.frames`.
    package init(frames values: [Double]) { self = values.count > 1 ? .pieces : .sums }
  }

  /// Nil where the values do not answer the command.
  /// - Parameter frameCount: Of the scroll.
  package init?(_ values: [Double], to command: TurnCommand, _ layout: EarlierLayout, frameCount: Int) {
    switch (command, layout) {
    case (.frames, .sums): self = .frames(values)
    case (.frames, .pieces): self = .frames(Array(values.dropFirst()))
    case (.phases, .sums): self = .phases(Self.rows(values[...], width: 2).map(Self.pieces))
    case (.phases(let count), .pieces):
      let pieceCount = TurnPieces.count(frameCount: count)
      let phaseCount = values.count / (2 + 2 * pieceCount)
      guard values.count == phaseCount * (2 + 2 * pieceCount) else { return nil }
      self = .phases(Self.rows(values.dropFirst(2 * phaseCount), width: 2 * pieceCount).map(Self.pieces))
    case (.observe, _): self.init(values, to: command)
    case (.finish, _):
      guard frameCount > 0, values.count % frameCount == 0 else { return nil }
      self = .frameCosts(Self.rows(values[...], width: frameCount))
    }
  }

  private static func rows(_ values: ArraySlice<Double>, width: Int) -> [[Double]] {
    stride(from: values.startIndex, to: values.endIndex - width + 1, by: width).map {
      Array(values[$0..<($0 + width)])
    }
  }
}
