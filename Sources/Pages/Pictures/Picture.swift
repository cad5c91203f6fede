/// A picture of a run: one SVG file that stands alone, in light and in dark.
package struct Picture: Sendable, Hashable {
  /// File name, unique among the pictures of a document, safe in a folder and in a link:
  /// `frames-springs-10000.svg`.
  package let name: String
  /// What it shows, plain text.
  package let title: String
  /// What it says, for readers who cannot see it; plain text.
  package let description: String
  /// The whole file. Text is text, nothing is fetched.
  package let svg: String
  /// Where a report shows it.
  let place: Place
  /// What a page shows under the pointer.
  let readout: ChartReadout?

  struct Place: Sendable, Hashable {
    var scenario: String
    /// Number of items; nil for what all sizes share.
    var size: Int?
    var kind: Kind
  }

  enum Kind: String, Sendable, Hashable {
    /// Cost against items.
    case growth
    /// Cost along the scroll.
    case frames
    case distribution
    /// Which phases the time goes to.
    case phases
  }
}

extension [Picture] {
  func at(_ scenario: String, size: Int?, _ kind: Picture.Kind) -> [Picture] {
    filter { $0.place == Picture.Place(scenario: scenario, size: size, kind: kind) }
  }
}
