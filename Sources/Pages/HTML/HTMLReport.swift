import FrameBench
import Measurements

extension RunDocument {
  /// A run as one self-contained HTML file: the content of `RunReport`, with the pictures in it, each
  /// twice: for wide and for narrow windows. With several scenarios the charts of single frames, which are
  /// most of the bytes, are left out. The same text for the same document.
  ///
  /// - Parameters:
  ///   - program: As for `RunReport`.
  ///   - isVerbose: With the charts of every frame of every scenario, and nothing folded: some megabytes
  ///   for a
  ///     large suite.
  ///   - page: Link from the report to the page of a scenario; nil if it has none.
  package func htmlReport(
    program: String? = nil, isVerbose: Bool = false,
    page: @escaping @Sendable (String) -> String? = { _ in nil }
  ) -> String {
    let isWhole = isVerbose || ScenarioPages(self).isEmpty
    let (pictures, figures) = htmlPictures(isOfAllSizes: !isWhole)
    let report = RunReport(
      self, program: program, detail: isWhole ? .whole : .folded, pictures: pictures,
      anchor: { "#\(HTMLRenderer.anchor($0))" }, page: page)
    return HTMLPage(title: "\(unit.title): \(suite)", report.blocks, figures: figures).render()
  }

  /// The pictures for wide windows, and the HTML by their names.
  ///
  /// - Parameter isOfAllSizes: Leaves out charts of the frames of one size.
  fileprivate func htmlPictures(isOfAllSizes: Bool = false) -> (pictures: [Picture], html: [String: String]) {
    let drawn = Pictures(self)
    let wide = drawn.pictures(width: Pictures.wideWidth, isOfAllSizes: isOfAllSizes)
    // Names of pictures never contain this mark.
    let narrow = drawn.pictures(width: Pictures.narrowWidth, mark: "~narrow", isOfAllSizes: isOfAllSizes)
    let html = zip(wide, narrow).map { wide, narrow in
      (wide.name, SVG.figure(wide: wide.svg, narrow: narrow.svg, readout: wide.readout))
    }
    return (wide, Dictionary(html, uniquingKeysWith: { first, _ in first }))
  }
}

extension ScenarioPages {
  /// The pages as HTML, by file name, with the pictures in them.
  ///
  /// - Parameter report: As for `markdown`.
  package func html(report: String) -> [(name: String, text: String)] {
    let (pictures, figures) = document.htmlPictures()
    return stems.map { scenario, stem in
      let page = HTMLPage(
        title: title(scenario), blocks(scenario, report, pictures, ""), figures: figures)
      return ("\(stem).html", page.render())
    }
  }
}
