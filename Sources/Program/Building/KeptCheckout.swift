import Foundation

/// The files of the last checkout. SwiftPM compiles what does not have the modification time that it had at the last
/// build, and git gives a new one to every file; so each file that did not change is put back.
struct KeptCheckout {
  /// Where they lie between two builds.
  var folder: String

  /// Compilers look for these in one folder after another: a new one can hide one that was found before, and
  /// no record of the last build mentions it.
  private static let headerExtensions: Set<String> = [
    "", "h", "hh", "hpp", "hxx", "h++", "inc", "inl", "ipp", "tcc", "tpp", "def", "modulemap", "apinotes",
  ]

  /// Takes the files of a checkout that is no longer needed.
  func keep(_ checkout: String) throws(RevisionError) {
    let manager = FileManager.default
    do {
      try? manager.removeItem(atPath: folder)
      try manager.moveItem(atPath: checkout, toPath: folder)
      try? manager.removeItem(atPath: "\(folder)/.git")
    } catch {
      throw .file(folder, error)
    }
  }

  /// Puts the regular files back whose bytes and permissions are those in the checkout, and removes the rest.
  ///
  /// None is put back if there is a header or a symbolic link that was not there before.
  func putBack(into checkout: String) throws(RevisionError) {
    guard FileManager.default.fileExists(atPath: folder) else { return }
    do {
      for path in try unchangedFiles(in: checkout) {
        guard rename("\(folder)/\(path)", "\(checkout)/\(path)") == 0 else {
          throw RevisionError.file("\(checkout)/\(path)", errno)
        }
      }
      try FileManager.default.removeItem(atPath: folder)
    } catch {
      throw error as? RevisionError ?? .file(folder, error)
    }
  }

  private func unchangedFiles(in checkout: String) throws -> [String] {
    let manager = FileManager.default
    var files: [String] = []
    // No symbolic link is followed, so that nothing outside of the two trees is moved or replaced.
    var folders = [(path: "", wasFolder: true)]
    while let (parent, wasFolder) = folders.popLast() {
      for name in try manager.contentsOfDirectory(atPath: "\(checkout)/\(parent)") where name != ".git" {
        let path = parent.isEmpty ? name : "\(parent)/\(name)"
        let (old, new) = ("\(folder)/\(path)", "\(checkout)/\(path)")
        let oldMode = wasFolder ? mode(old) : nil
        switch mode(new).map({ $0 & S_IFMT }) {
        case S_IFDIR: folders.append((path, oldMode.map { $0 & S_IFMT } == S_IFDIR))
        case S_IFLNK where oldMode == nil: return []
        case S_IFLNK:
          let target = try manager.destinationOfSymbolicLink(atPath: new)
          if target != (try? manager.destinationOfSymbolicLink(atPath: old)) { return [] }
        case S_IFREG where oldMode == nil:
          if Self.headerExtensions.contains((name as NSString).pathExtension.lowercased()) { return [] }
        case S_IFREG where oldMode == mode(new):
          if manager.contentsEqual(atPath: old, andPath: new) { files.append(path) }
        default: break
        }
      }
    }
    return files
  }

  /// Kind and permissions; nil if nothing is there.
  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }
}
