import Foundation

/// The package and the product that are built at every revision. All paths are absolute and free of
/// symbolic links.
struct PackageLocation: Equatable, Sendable {
  /// Top folder of the git checkout.
  var repository: String
  /// The package's folder as a path from there; empty where it is the top.
  var prefix: String
  var product: String
  /// Where the package is built, usually `.build`.
  var buildFolder: String

  var package: String { prefix.isEmpty ? repository : "\(repository)/\(prefix)" }
  /// Holds all that revisions need.
  var store: String { Self.store(in: buildFolder) }
  /// Where revisions are built.
  var slot: String { Self.slot(in: store) }

  static func store(in buildFolder: String) -> String { "\(buildFolder)/springbench/revisions" }
  static func slot(in store: String) -> String { "\(store)/slot" }

  /// From the options where they are given, else from where the running program was built, else from the
  /// current folder.
  ///
  /// - Parameters:
  ///   - packagePath: Of `--package-path`: the folder of a `Package.swift`.
  ///   - product: Of `--product`; nil: the running program's name.
  static func find(
    packagePath: String?, product: String?, executablePath: String?, currentFolder: String
  ) async throws -> PackageLocation {
    let executable = executablePath.flatMap(realPath)
    let package: String
    if let packagePath {
      guard let folder = realPath(packagePath), hasManifest(folder) else {
        throw RevisionError.noPackage("--package-path \"\(packagePath)\" has no Package.swift")
      }
      package = folder
    } else if let found = executable.flatMap(enclosingPackage) ?? enclosingPackage(currentFolder + "/.") {
      package = found
    } else {
      throw RevisionError.noPackage("there is no Package.swift above the program or the current folder")
    }
    guard let name = product ?? executable.map({ ($0 as NSString).lastPathComponent }), !name.isEmpty,
      !name.hasPrefix("-")
    else { throw RevisionError.noPackage("--product: \"\(product ?? "")\" is not the name of a product") }
    let root = realPath(try await Git(folder: package).checkoutRoot()) ?? package
    guard package == root || package.hasPrefix(root + "/") else {
      throw RevisionError.noRepository(folder: package, reason: "its checkout is \(root)")
    }
    return PackageLocation(
      repository: root, prefix: String(package.dropFirst(root.count + 1)), product: name,
      buildFolder: executable.flatMap { buildFolder(of: $0, in: package) }
        ?? realPath("\(package)/.build") ?? "\(package)/.build")
  }

  /// SwiftPM's `<build folder>/<triple>/<configuration>/<program>`, where that lies in the package.
  private static func buildFolder(of executable: String, in package: String) -> String? {
    let configuration = parent(executable)
    let folder = parent(parent(configuration))
    let isBuild = ["debug", "release"].contains((configuration as NSString).lastPathComponent)
    return isBuild && folder.hasPrefix(package + "/") ? folder : nil
  }

  /// The nearest folder above a file that has a manifest, but none in a build folder: those are
  /// dependencies, and checkouts of ours.
  private static func enclosingPackage(_ path: String) -> String? {
    var folder = parent(path)
    var found: String?
    while folder != "/", !folder.isEmpty, folder != "." {
      if found == nil, hasManifest(folder) { found = folder }
      if (folder as NSString).lastPathComponent == ".build" { found = nil }
      folder = parent(folder)
    }
    return found.flatMap(realPath)
  }

  private static func parent(_ path: String) -> String { (path as NSString).deletingLastPathComponent }

  /// The package that the running program was built from; nil where it lies in none.
  static func ofProgram() -> String? { realPath("/proc/self/exe").flatMap(enclosingPackage) }

  private static func hasManifest(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/Package.swift")
  }

  /// Nil where nothing lies there.
  static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
