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
    let figures = zip(wide, narrow).map { wide, narrow in
      (wide.name, SVG.figure(wide: wide.svg, narrow: narrow.svg, readout: wide.readout))
    }
    return HTMLPage(
      title: "Frame costs: \(document.suite)",
      RunReport(document, program: program, pictures: wide).blocks,
      figures: Dictionary(figures, uniquingKeysWith: { first, _ in first })
    ).render()
  }
}
