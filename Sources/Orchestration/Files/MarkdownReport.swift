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
    guard !pictures.isEmpty else { return try file.write(Data(page([], folder: folder).utf8)) }
    let isNew = !Paths.isFolder(folder)
    do {
      try Paths.makeFolder(folder)
    } catch {
      throw RunError("\"\(folder)\" could not be made for the pictures: \(error)")
    }
    let page = Data(page(pictures, folder: (folder as NSString).lastPathComponent).utf8)
    let target = Paths.target(file.path)
    do throws(WholeFile.Problem) {
      // Together, so that no page is left beside pictures of another run.
      try WholeFile(folder: Paths.parent(target)).replace(Paths.name(target), page) {
        () throws(WholeFile.Problem) in
        try WholeFolder(path: folder).add(pictures.map { (name: $0.name, data: Data($0.svg.utf8)) })
      }
    } catch {
      if isNew { rmdir(folder) }
      throw RunError("\"\(file.path)\" and its pictures could not be written: \(error)")
    }
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
