/// A page of the history's site: one file that fetches nothing, reads well without its script, in light and in
/// dark, on a phone and on a desk.
package struct SitePage: Sendable {
  /// What the program knows its own pages by.
  package static let generator = "springbench site"

  package struct Link: Sendable {
    /// Plain text.
    package var title: String
    /// Relative to the page.
    package var address: String

    package init(_ title: String, _ address: String) {
      self.title = title
      self.address = address
    }
  }

  private let title: String
  private let links: [Link]
  private let blocks: [Block]
  private let figures: [String: String]

  /// - Parameters:
  ///   - title: Plain text.
  ///   - links: To other pages.
  ///   - figures: HTML that stands in for images, by their sources.
  package init(title: String, links: [Link], _ blocks: [Block], figures: [String: String] = [:]) {
    self.title = title
    self.links = links
    self.blocks = blocks
    self.figures = figures
  }

  package func render() -> String {
    let entries = links.map { "<li><a href=\"\(SVG.escape($0.address))\">\(SVG.escape($0.title))</a></li>" }
    return HTMLPage.document(
      title: title, head: "<meta name=\"generator\" content=\"\(Self.generator)\">\n",
      style: HTMLTone.sheet + Self.sheet,
      navigation: HTMLPage.navigation("Pages", entries), main: HTMLRenderer(blocks, figures: figures).html)
  }

  private static var sheet: String {
    """
    .spark{display:block;max-width:none}
    .spark path{fill:none;stroke:var(--link);stroke-width:1.4;stroke-linejoin:round}
    .spark .dot{fill:currentColor}
    td:has(.spark){padding-top:.15rem;padding-bottom:.15rem}
    tbody th{overflow-wrap:anywhere}
    tbody th a{text-decoration:none}
    tbody th a:hover{text-decoration:underline}

    """
  }
}
