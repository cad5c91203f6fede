extension ScenarioPages {
  /// The pages as HTML, by file name, with the pictures in them.
  ///
  /// - Parameter report: As for `markdown`.
  package func html(report: String) -> [(name: String, text: String)] {
    let figures = HTMLFigures(document)
    return stems.map { scenario, stem in
      let page = HTMLPage(
        title: title(scenario), blocks(scenario, report, figures.pictures, ""),
        figures: figures.bySource)
      return ("\(stem).html", page.render())
    }
  }
}
