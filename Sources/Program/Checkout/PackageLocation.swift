import Foundation

/// The package that is built at every revision. All paths are absolute and free of symbolic links.
struct PackageLocation: Equatable, Sendable {
  /// Top folder of the git checkout.
  var repository: String
  /// The package's folder as a path from there; empty where it is the top.
  var prefix: String
  /// Where the package is built.
  var buildFolder: String

  var package: String { prefix.isEmpty ? repository : "\(repository)/\(prefix)" }
  /// Holds all that revisions need.
  var store: String { Self.store(in: buildFolder) }
  /// Where revisions are built.
  var slot: String { Self.slot(in: store) }

  static func store(in buildFolder: String) -> String { "\(buildFolder)/springbench/revisions" }
  static func slot(in store: String) -> String { "\(store)/slot" }

  /// - Parameter package: Its folder, as `PackageFolder` finds it.
  static func find(_ package: String) async throws -> PackageLocation {
    let root = PackageFolder.realPath(try await Git(folder: package).checkoutRoot()) ?? package
    guard package == root || package.hasPrefix(root + "/") else {
      throw RevisionError.noRepository(folder: package, reason: "its checkout is \(root)")
    }
    let build = "\(package)/.build"
    return PackageLocation(
      repository: root, prefix: String(package.dropFirst(root.count + 1)),
      buildFolder: PackageFolder.realPath(build) ?? build)
  }
}

/// The folder of a `Package.swift`.
enum PackageFolder {
  /// Where a package of benchmarks usually lies in the package that it is for.
  static let usualFolder = "Benchmarks"

  /// - Parameter named: Of `--package-path`; nil: the package around the current folder. Where there is none, the one
  ///   in `Benchmarks` below it.
  static func find(_ named: String?) throws(RevisionError) -> String {
    let current = FileManager.default.currentDirectoryPath
    let below = Paths.joined(named ?? current, usualFolder)
    if let named, hasManifest(named), let folder = realPath(named) { return folder }
    if named == nil, let found = enclosing(current) { return found }
    if hasManifest(below), let folder = realPath(below) { return folder }
    throw .noPackage(
      named.map { "--package-path \"\($0)\" has no Package.swift" }
        ?? "there is no Package.swift in the current folder or above it")
  }

  /// The nearest folder from a folder upwards that has a manifest, but none in a build folder: those are
  /// dependencies, and checkouts of ours.
  static func enclosing(_ path: String) -> String? {
    var folder = path
    var found: String?
    while folder != "/", !folder.isEmpty, folder != "." {
      if found == nil, hasManifest(folder) { found = folder }
      if (folder as NSString).lastPathComponent == ".build" { found = nil }
      folder = parent(folder)
    }
    return found.flatMap(realPath)
  }

  private static func parent(_ path: String) -> String { (path as NSString).deletingLastPathComponent }

  /// The package that this program was built from; nil where it was installed elsewhere.
  static func ofProgram() -> String? { realPath("/proc/self/exe").flatMap { enclosing(parent($0)) } }

  static func hasManifest(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/Package.swift")
  }

  /// Nil where nothing lies there.
  static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
