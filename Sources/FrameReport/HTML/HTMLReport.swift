import Foundation
import FrameBench

/// A run as one HTML file that needs nothing else: what `MarkdownReport` says, with the pictures in it. It
/// fetches nothing and runs no script but its own, reads well without that, in light and in dark, on a phone
/// and on a desk. The same text for the same document.
public struct HTMLReport: Sendable {
  private let document: RunDocument
  private let program: String?

  /// - Parameter program: As for `MarkdownReport`.
  public init(_ document: RunDocument, program: String? = nil) {
    self.document = document
    self.program = program
  }

  public func render() -> String {
    let pictures = Pictures(document)
    let wide = pictures.pictures(width: Pictures.wideWidth)
    // No name of a picture holds this mark.
    let narrow = pictures.pictures(width: Pictures.narrowWidth, mark: "~narrow")
    let figures = zip(wide, narrow).map { ($0.name, Self.figure($0, narrow: $1)) }
    let markdown = MarkdownReport(document, program: program, pictures: wide).render()
    let body = MarkdownHTML(markdown, figures: Dictionary(figures, uniquingKeysWith: { first, _ in first }))
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>Frame costs: \(SVG.escape(document.suite))</title>
      <style>\(HTMLStyle.sheet)</style>
      </head>
      <body>
      \(Self.contents(body.headings))
      <main>
      \(body.html)
      </main>
      <script>\(HTMLScript.source)</script>
      </body>
      </html>

      """
  }

  /// Nothing may be fetched from anywhere, and no script may run but the one whose hash is named.
  private static let policy: String = {
    let hash = Data(SHA256.digest(Array(HTMLScript.source.utf8))).base64EncodedString()
    return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(hash)';"
      + " base-uri 'none'; form-action 'none'"
  }()

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

  private static func contents(_ headings: [MarkdownHTML.Heading]) -> String {
    let entries = headings.filter { (2...3).contains($0.level) }.map { heading in
      "<li class=\"l\(heading.level)\"><a href=\"#\(heading.id)\">\(heading.title)</a></li>"
    }
    return """
      <nav aria-label="Contents"><details open>
      <summary>Contents</summary>
      <ul>
      \(entries.joined(separator: "\n"))
      </ul>
      </details></nav>
      """
  }
}
