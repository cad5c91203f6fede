import FrameBench
import Measurements

/// A run as one HTML file that needs nothing else: what `RunReport` says, with the pictures in it. It
/// fetches nothing and runs no script but its own, reads well without that, in light and in dark, on a phone
/// and on a desk. The same text for the same document.
package struct HTMLReport: Sendable {
  private let document: RunDocument
  private let program: String?
  private let isVerbose: Bool
  private let page: @Sendable (String) -> String?

  /// - Parameters:
  ///   - program: As for `RunReport`.
  ///   - isVerbose: With the charts of every frame of every scenario, and nothing folded: some megabytes for a
  ///     large suite.
  ///   - page: From the report to the page of a scenario; nil where it has none.
  package init(
    _ document: RunDocument, program: String? = nil, isVerbose: Bool = false,
    page: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.document = document
    self.program = program
    self.isVerbose = isVerbose
    self.page = page
  }

  /// The whole file, each picture in it twice: for wide and for narrow windows. Of several scenarios the charts of
  /// single frames are left out, which are most of the bytes.
  package func render() -> String {
    let isWhole = isVerbose || ScenarioPages(document).isEmpty
    let figures = HTMLFigures(document, isOfAllSizes: !isWhole)
    return HTMLPage(
      title: "\(document.unit.title): \(document.suite)",
      RunReport(
        document, program: program, detail: isWhole ? .whole : .folded, pictures: figures.pictures,
        anchor: { "#\(HTMLRenderer.anchor($0))" }, page: page
      ).blocks, figures: figures.bySource
    ).render()
  }
}

/// The pictures of a run as pages of HTML hold them.
struct HTMLFigures {
  /// As wide windows show them.
  let pictures: [Picture]
  /// HTML by the name of a picture.
  let bySource: [String: String]

  /// - Parameter isOfAllSizes: Only those that show a scenario as a whole, and not the frames of one size.
  init(_ document: RunDocument, isOfAllSizes: Bool = false) {
    let drawn = Pictures(document)
    let wide = drawn.pictures(width: Pictures.wideWidth, isOfAllSizes: isOfAllSizes)
    // No name of a picture holds this mark.
    let narrow = drawn.pictures(width: Pictures.narrowWidth, mark: "~narrow", isOfAllSizes: isOfAllSizes)
    pictures = wide
    bySource = Dictionary(
      zip(wide, narrow).map { wide, narrow in
        (wide.name, SVG.figure(wide: wide.svg, narrow: narrow.svg, readout: wide.readout))
      }, uniquingKeysWith: { first, _ in first })
  }
}
