/// What moves the content in a frame of a trace: a finger, momentum or nothing.
public enum ScrollPhase: Sendable, Hashable, CaseIterable {
  /// Nothing moves: no finger is on the screen and the list rests.
  case idle
  /// A finger is on the screen, moving the list or holding it still.
  case dragging
  /// Momentum: the finger has lifted and the list slows down.
  case decelerating
}

extension ScrollPhase {
  /// The name in exported CSV. It resembles UIScrollView's `isDragging` and `isDecelerating`.
  public var csvName: String {
    switch self {
    case .idle: "idle"
    case .dragging: "dragging"
    case .decelerating: "decelerating"
    }
  }

  /// Other spellings that a recording may use.
  static let csvAliases: [String: ScrollPhase] = ["drag": .dragging, "tracking": .dragging, "fling": .decelerating]

  /// Reads a name in upper or lower case. Returns nil if it is neither a ``csvName`` nor an alias (`drag`, `tracking`,
  /// `fling`).
  public init?(csvName text: some StringProtocol) {
    let name = text.lowercased()
    guard let phase = Self.allCases.first(where: { $0.csvName == name }) ?? Self.csvAliases[name] else { return nil }
    self = phase
  }
}
