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
  private let bodyHTML: String

  /// - Parameters:
  ///   - title: Plain text.
  ///   - links: To other pages.
  ///   - body: HTML.
  package init(title: String, links: [Link], body: String) {
    self.title = title
    self.links = links
    bodyHTML = body
  }

  package init(title: String, links: [Link], _ blocks: [Block]) {
    self.init(title: title, links: links, body: HTMLRenderer(blocks).html)
  }

  package func render() -> String {
    let entries = links.map { "<li><a href=\"\(SVG.escape($0.address))\">\(SVG.escape($0.title))</a></li>" }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(HTMLPage.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="\(Self.generator)">
      <title>\(SVG.escape(title))</title>
      <style>\(HTMLStyle.sheet)\(Self.sheet)</style>
      </head>
      <body>
      <nav aria-label="Pages"><details open>
      <summary>Pages</summary>
      <ul>
      \(entries.joined(separator: "\n"))
      </ul>
      </details></nav>
      <main>
      \(bodyHTML)
      </main>
      <script>\(HTMLScript.source)</script>
      </body>
      </html>

      """
  }

  /// Plain text as HTML.
  package static func escape(_ text: String) -> String { SVG.escape(text) }

  private static var sheet: String {
    """

    :root{--bad:\(Palette.series[0].light);--good:\(Palette.series[2].light)}
    @media screen and (prefers-color-scheme:dark){:root{--bad:\(Palette.series[0].dark);--good:\(Palette.series[2].dark)}}
    .bad{color:var(--bad)}
    .good{color:var(--good)}
    .lead.bad,.lead.good{color:var(--ink);border-left-color:currentColor}
    .lead.bad{border-left-color:var(--bad)}
    .lead.good{border-left-color:var(--good)}
    .spark{display:block;max-width:none}
    .spark path{fill:none;stroke:var(--link);stroke-width:1.4;stroke-linejoin:round}
    .spark .dot{fill:currentColor}
    td.spark-cell{padding-top:.15rem;padding-bottom:.15rem}
    tbody th{overflow-wrap:anywhere}
    tbody th.whole,tbody th.whole a{white-space:nowrap;overflow-wrap:normal}
    tbody th a{text-decoration:none}
    tbody th a:hover{text-decoration:underline}

    """
  }
}
