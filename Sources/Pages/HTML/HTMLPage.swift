import Foundation

/// Blocks as one HTML file that needs nothing else.
package struct HTMLPage: Sendable {
  private let title: String
  private let blocks: [Block]
  private let figures: [String: String]

  /// - Parameters:
  ///   - title: For the browser's tab; the page itself has the headings of its blocks.
  ///   - blocks: The whole page.
  ///   - figures: HTML that stands in for images, by their sources.
  package init(title: String, _ blocks: [Block], figures: [String: String] = [:]) {
    self.title = title
    self.blocks = blocks
    self.figures = figures
  }

  /// The whole file; the contents list headings of the second and the third level that are not folded.
  package func render() -> String {
    let body = HTMLRenderer(blocks, figures: figures)
    let entries = body.headings.filter { (2...3).contains($0.level) && !$0.isFolded }.map { heading in
      "<li class=\"l\(heading.level)\"><a href=\"#\(heading.id)\">\(heading.title)</a></li>"
    }
    return Self.document(
      title: title, style: HTMLTone.sheet + (entries.isEmpty ? Self.wide : ""),
      navigation: entries.isEmpty ? "" : Self.navigation("Contents", entries), main: body.html)
  }

  /// A page without contents at its side has the room for tables instead.
  private static let wide = """
    main{max-width:96rem}
    main>p,main>ul,main>pre,main>h1{max-width:60rem}
    @media (min-width:48rem){td{white-space:normal}}

    """

  /// - Parameters:
  ///   - title: Plain text; all else is HTML.
  ///   - head: Further elements, with their line feeds.
  ///   - style: Further rules.
  static func document(
    title: String, head: String = "", style: String = "", navigation: String, main: String
  ) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    \(head)<title>\(SVG.escape(title))</title>
    <style>\(HTMLStyle.sheet)\(style)</style>
    </head>
    <body>
    \(navigation)
    <main>
    \(main)
    </main>
    <script>\(HTMLScript.source)</script>
    </body>
    </html>

    """
  }

  /// Nothing may be fetched from anywhere, and no script may run but the one whose hash is named.
  static let policy: String = {
    let hash = Data(SHA256.digest(Array(HTMLScript.source.utf8))).base64EncodedString()
    return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(hash)';"
      + " base-uri 'none'; form-action 'none'"
  }()

  /// - Parameter entries: Items of a list, HTML.
  static func navigation(_ title: String, _ entries: [String]) -> String {
    """
    <nav aria-label="\(title)"><details open>
    <summary>\(title)</summary>
    <ul>
    \(entries.joined(separator: "\n"))
    </ul>
    </details></nav>
    """
  }
}
