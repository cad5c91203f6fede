import Foundation
import Platform
import SystemPackage

/// The files of the previous checkout, kept for the next build. SwiftPM compiles a file again if its modification time
/// has changed, and git gives a new time to every file that it checks out. So the kept files replace those files of the
/// next checkout that did not change.
///
/// Compilers list the files that they read, and SwiftPM compiles a source again if a listed file has changed. But the
/// lists lack files that an assembler includes or that a macro reads. So if such a file may have changed, every source
/// that may have read it is compiled again.
package struct KeptCheckout {
  package var folder: String

  private static let cExtensions: Set = ["c", "cc", "cpp", "cxx", "m", "mm", "s"]
  /// The extensions of headers and other files that compilers search for in several folders. A new file may hide an old
  /// one with the same name, so if there is a new file of this kind, all sources are compiled again.
  package static let headerExtensions: Set = [
    "", "h", "hh", "hpp", "hxx", "h++", "inc", "inl", "ipp", "tcc", "tpp", "def", "modulemap", "apinotes",
  ]
  /// The extensions of files that determine how headers are read.
  private static let mapExtensions: Set = ["modulemap", "apinotes"]
  /// Names of files and folders that are not sources. Git and SwiftPM write them into checkouts.
  private static let ignoredNames = [".git", ".build", ".swiftpm", "Package.resolved"]

  package func keep(_ checkout: String) throws(RevisionError) {
    let manager = FileManager.default
    try RevisionError.naming(folder) {
      try? manager.removeItem(atPath: folder)
      try manager.moveItem(atPath: checkout, toPath: folder)
      try? manager.removeItem(atPath: "\(folder)/.git")
    }
  }

  /// Moves each kept file into the checkout if the checkout has a file with the same path, content and permissions.
  /// Sources that must be compiled again are not replaced. Then removes all other kept files.
  /// - Parameter flags: The user's arguments of `swift build`.
  package func putBack(into checkout: String, flags: [String] = []) async throws {
    guard FileManager.default.fileExists(atPath: folder) else { return }
    let changes = try RevisionError.naming(folder) { try difference(to: checkout) }
    var files: [String] = []
    if let changes { files = try await reusableFiles(changes, in: checkout, flags) }
    try RevisionError.naming(folder) {
      for path in files { try Errno.check(rename("\(folder)/\(path)", "\(checkout)/\(path)")) }
      try FileManager.default.removeItem(atPath: folder)
    }
  }

  private struct Difference {
    var same: [String] = []
    /// Changed, new and removed files that are not sources.
    var others: [String] = []
    /// Changed, new and removed sources.
    var changedSources: [String] = []
    /// Manifests of packages in the checkout.
    var manifests: [String] = []
    /// Sources and headers of the C languages in the checkout.
    var textsOfC: [String] = []
    var textsOfSwift: [String] = []
  }

  /// Compares the kept files with the checkout. Nil if there is a new header, a changed module map or a different
  /// symbolic link, because every source may then have to be compiled again.
  private func difference(to checkout: String) throws -> Difference? {
    let manager = FileManager.default
    var found = Difference()
    // Symbolic links are not followed, so that no file outside of the two folders is moved or replaced.
    var open = [(path: "", trees: [folder, checkout])]
    while let (parent, trees) = open.popLast() {
      let names = Set(try trees.flatMap { try manager.contentsOfDirectory(atPath: "\($0)/\(parent)") })
      for name in names.subtracting(Self.ignoredNames) {
        let path = parent.isEmpty ? name : "\(parent)/\(name)"
        let modes = [folder, checkout].map { trees.contains($0) ? Paths.mode("\($0)/\(path)") : nil }
        let kinds = modes.map { mode in mode.map { $0 & S_IFMT } }
        let folders = zip([folder, checkout], kinds).filter { $1 == S_IFDIR }.map(\.0)
        if !folders.isEmpty { open.append((path, folders)) }
        if kinds.contains(S_IFLNK) {
          let targets = [folder, checkout].map { try? manager.destinationOfSymbolicLink(atPath: "\($0)/\(path)") }
          if targets[0] != targets[1] { return nil }
        }
        guard kinds.contains(S_IFREG) else { continue }
        let type = Self.type(path)
        let isHeader = Self.headerExtensions.contains(type)
        if kinds[1] == S_IFREG, isHeader || Self.cExtensions.contains(type) { found.textsOfC.append(path) }
        if kinds[1] == S_IFREG, type == "swift" {
          let isManifest = name == "Package.swift" || name.hasPrefix("Package@swift-")
          if isManifest { found.manifests.append(path) } else { found.textsOfSwift.append(path) }
        }
        if modes[0] == modes[1], manager.contentsEqual(atPath: "\(folder)/\(path)", andPath: "\(checkout)/\(path)") {
          found.same.append(path)
        } else if isHeader && kinds[0] != S_IFREG || Self.mapExtensions.contains(type) {
          return nil
        } else if Self.isSource(path) {
          found.changedSources.append(path)
        } else {
          found.others.append(path)
        }
      }
    }
    return found
  }

  private func reusableFiles(_ difference: Difference, in checkout: String, _ flags: [String]) async throws -> [String]
  {
    guard !(difference.others + difference.changedSources).isEmpty else { return difference.same }
    // Compilers list the headers that each source includes. They do not list other files that a source may read, such
    // as those that an assembler includes.
    let unlisted = difference.others.filter { !Self.headerExtensions.contains(Self.type($0)) || Self.type($0).isEmpty }
    let targets = await PackageManifest.targetFolders(around: unlisted, in: checkout)
    let outside = unlisted.filter { path in !targets.contains { "\(checkout)/\(path)".hasPrefix($0 + "/") } }
    let manifests = difference.manifests.map { FileManager.default.contents(atPath: "\(checkout)/\($0)") ?? Data() }
    let unsafe = manifests.filter { $0.range(of: Data("unsafeFlags".utf8)) != nil }
    let strings = unsafe.flatMap { manifest in
      String(decoding: manifest, as: UTF8.self).matches(of: /"([^"\n]*)"/).map { String($0.1) }
    }
    // A file with flags (`--config=file`) may include others in turn (`@other`).
    let includes = (flags + strings).contains { flag in
      difference.manifests.flatMap { manifest in
        Surroundings.paths(in: flag).map { "\(checkout)/\(Paths.parent(manifest))/\($0)" }
      }.contains { FileManager.default.contents(atPath: $0)?.contains(UInt8(ascii: "@")) ?? false }
    }
    // A file that flags name may be in a target, but not all files of a folder that a manifest names are for flags.
    if Self.areNamed(outside + unlisted.map(Paths.name), by: unsafe) || includes && !unlisted.isEmpty
      || Self.areNamed(unlisted, by: [Data(flags.map { "\"\($0)\"\n" }.joined().utf8)])
    {
      return difference.same.filter { !Self.isSource($0) }
    }
    let changed = targets.filter { target in unlisted.contains { "\(checkout)/\($0)".hasPrefix(target + "/") } }
    // An assembler directive may include a changed file. The directive itself may be in a header of another package,
    // which is not searched. But then a file in this checkout contains the name of the included file.
    let names = Set(unlisted.map(Paths.name))
    let sourceNames = Set(difference.changedSources.map(Paths.name))
    let hasOthers = !difference.others.isEmpty
    let assembles = difference.textsOfC.contains { path in
      if hasOthers && Self.type(path) == "s" { return true }
      let text = FileManager.default.contents(atPath: "\(checkout)/\(path)") ?? Data()
      let includes = ["incbin", "INCBIN", ".include", ".INCLUDE"].contains { text.range(of: Data($0.utf8)) != nil }
      return hasOthers && includes
        || Self.words(in: text).contains { names.contains($0) || sourceNames.contains($0) && $0 != Paths.name(path) }
    }
    // A macro reads any file, in any target, and the source that calls it need not be the one that names the file.
    let readable = difference.others + difference.changedSources.filter { Self.type($0) != "swift" }
    let readableNames = Set(readable.map(Paths.name))
    let hasMacros = manifests.contains { $0.range(of: Data(".macro(".utf8)) != nil }
    let isForMacro =
      hasMacros && readable.contains { Self.type($0) != "md" }
      || !readable.isEmpty
        && difference.textsOfSwift.contains { path in
          let text = FileManager.default.contents(atPath: "\(checkout)/\(path)") ?? Data()
          return Self.words(in: text, endingStrings: true).contains(where: readableNames.contains)
        }
    return difference.same.filter { path in
      !Self.isSource(path)
        || !(isForMacro && Self.type(path) == "swift") && !(assembles && Self.cExtensions.contains(Self.type(path)))
          && !changed.contains { "\(checkout)/\(path)".hasPrefix($0 + "/") }
    }
  }

  /// Whether texts with compiler flags may name changed files. Compilers do not list such files among those that a
  /// source reads.
  private static func areNamed(_ files: [String], by texts: [Data]) -> Bool {
    let parts = Set(files.flatMap { $0.split(separator: "/").map(String.init) }).union(
      files.map(Self.type).filter { !$0.isEmpty }.map { ".\($0)" })
    return !files.isEmpty
      && texts.contains { text in
        // A response file (`@file`) contains more flags, which may name other files.
        text.range(of: Data("\"@".utf8)) != nil || words(in: text).contains(where: parts.contains)
      }
  }

  /// Returns the words of a text that can be names of files.
  /// - Parameter endingStrings: Whether to return only words before a quotation mark.
  private static func words(in text: Data, endingStrings: Bool = false) -> some Sequence<String> {
    let (letters, quote) = (UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "\""))
    return text.lazy.split { byte in
      !(letters.contains(byte | 0x20) || byte >= 0x80 || "0123456789._-+".utf8.contains(byte))
    }.filter { word in !endingStrings || word.endIndex < text.endIndex && text[word.endIndex] == quote }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private static func isSource(_ path: String) -> Bool { type(path) == "swift" || cExtensions.contains(type(path)) }

  package static func type(_ path: String) -> String { (path as NSString).pathExtension.lowercased() }
}
