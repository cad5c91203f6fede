import Foundation

/// The way from a page to a file, as a link of the page says it.
struct PageLink {
  /// The folder that the page lies in; the way of links goes by names, not by what they stand for.
  let folder: String

  /// - Parameter page: Path of the page; nil: it goes to stdout, and is read from here.
  init(page: String?) {
    folder = page.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path } ?? "."
  }

  /// Percent-encoded.
  func callAsFunction(_ path: String) -> String? {
    let (from, to) = (Self.components(folder), Self.components(path))
    let common = zip(from, to).prefix { $0 == $1 }.count
    let parts = Array(repeating: "..", count: from.count - common) + to.dropFirst(common)
    return parts.joined(separator: "/").addingPercentEncoding(withAllowedCharacters: Self.plain)
  }

  private static func components(_ path: String) -> [String] {
    URL(fileURLWithPath: path).standardizedFileURL.pathComponents.filter { $0 != "/" }
  }

  /// Unreserved by RFC 3986, and the slash.
  private static let plain = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~/")
}
