import Foundation

/// The folders around the user's repository, which a manifest can refer to as `../other`: a checkout
/// elsewhere gets links to them in the same places.
struct Siblings {
  /// Absolute, free of symbolic links.
  var repository: String

  /// So far up a manifest's path can lead.
  private static let levels = 4

  /// The last names of the repository's path.
  private var names: [String] { repository.split(separator: "/").suffix(Self.levels).map(String.init) }

  /// Where to check out.
  func path(below folder: String) -> String { ([folder] + names).joined(separator: "/") }

  /// Links all that lies beside the repository, and beside each folder above it. What cannot be read or
  /// linked is left out; if it is missed, the build says so.
  func link(below folder: String) {
    let manager = FileManager.default
    var original = repository
    for count in names.indices.reversed() {
      let name = names[count]
      original = (original as NSString).deletingLastPathComponent
      let copy = ([folder] + names.prefix(count)).joined(separator: "/")
      for sibling in (try? manager.contentsOfDirectory(atPath: original)) ?? [] where sibling != name {
        let target = original == "/" ? "/\(sibling)" : "\(original)/\(sibling)"
        _ = symlink(target, "\(copy)/\(sibling)")
      }
    }
  }
}
