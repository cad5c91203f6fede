import Foundation
import FrameReport
import Measurements

/// A stored run as markdown, with the pictures where the page finds them.
package struct MarkdownReport {
  private let document: RunDocument
  /// Of the document.
  private let path: String

  /// - Parameter path: Of the document's file.
  package init(_ document: RunDocument, path: String) {
    self.document = document
    self.path = path
  }

  /// For a page that is nowhere yet: it leads to the pictures that lie beside the document, as seen from here.
  /// Without those that are not there.
  package var text: String {
    let folder = Paths.parent(path)
    let pictures = Pictures(document).all.filter {
      FileManager.default.fileExists(atPath: (folder as NSString).appendingPathComponent($0.name))
    }
    return page(pictures, folder: folder)
  }

  /// Writes the page, and its pictures into a folder beside it: those of `night.md` into `night-pictures`.
  /// - Throws: `RunError` that names what could not be written.
  package func write(to file: OutputFile) throws(RunError) {
    guard file.isReplaceable else { return try file.write(Data(text.utf8)) }
    let pictures = Pictures(document).all
    let folder = (file.path as NSString).deletingPathExtension + "-pictures"
    if !pictures.isEmpty {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw RunError("\"\(folder)\" could not be made for the pictures: \(SystemReason.text(error))")
      }
    }
    for picture in pictures {
      try OutputFile(path: (folder as NSString).appendingPathComponent(picture.name)).write(
        Data(picture.svg.utf8))
    }
    try file.write(Data(page(pictures, folder: (folder as NSString).lastPathComponent).utf8))
  }

  private func page(_ pictures: [Picture], folder: String) -> String {
    let link = folder.addingPercentEncoding(withAllowedCharacters: Self.ofLinks) ?? folder
    return RunReport(
      document, pictures: pictures, pictureFolder: link.isEmpty || link.hasSuffix("/") ? link : link + "/"
    ).blocks.markdown()
  }

  /// Parentheses would end a link of markdown.
  private static let ofLinks = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "()"))
}
