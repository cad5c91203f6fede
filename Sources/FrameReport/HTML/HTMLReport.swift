import FrameBench
import Measurements

/// A run as one HTML file that needs nothing else: what `RunReport` says, with the pictures in it. It
/// fetches nothing and runs no script but its own, reads well without that, in light and in dark, on a phone
/// and on a desk. The same text for the same document.
package struct HTMLReport: Sendable {
  private let document: RunDocument
  private let program: String?

  /// - Parameter program: As for `RunReport`.
  package init(_ document: RunDocument, program: String? = nil) {
    self.document = document
    self.program = program
  }

  /// The whole file, each picture in it twice: for wide and for narrow windows.
  package func render() -> String {
    let pictures = Pictures(document)
    let wide = pictures.pictures(width: Pictures.wideWidth)
    // No name of a picture holds this mark.
    let narrow = pictures.pictures(width: Pictures.narrowWidth, mark: "~narrow")
    let figures = zip(wide, narrow).map { ($0.name, Self.figure($0, narrow: $1)) }
    return HTMLPage(
      title: "Frame costs: \(document.suite)",
      RunReport(document, program: program, pictures: wide).blocks,
      figures: Dictionary(figures, uniquingKeysWith: { first, _ in first })
    ).render()
  }

  /// The picture in two widths, of which the style sheet shows one, and the figures behind it.
  private static func figure(_ wide: Picture, narrow: Picture) -> String {
    let data = wide.readout.map { "<script type=\"application/json\">\($0.json())</script>" } ?? ""
    return """
      <figure class="chart">
      <div class="wide">\(wide.svg)</div>
      <div class="narrow">\(narrow.svg)</div>
      \(data)</figure>
      """
  }
}
