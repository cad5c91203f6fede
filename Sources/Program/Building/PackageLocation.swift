import Foundation
import TextFormat

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

/// What SwiftPM says of a `Package.swift`.
struct PackageManifest: Decodable {
  var name: String
  var products: [Product]
  var targets: [Target]

  struct Product: Decodable {
    var name: String
    var targets: [String]
    var type: [String: Ignored?]
  }

  struct Target: Decodable {
    var name: String
    var type: String
    var path: String?
    var dependencies: [[String: [Ignored?]]]

    /// Of targets and products, its own package's and others'.
    var dependencyNames: [String] { dependencies.flatMap(\.values).compactMap { $0.first??.text } }
  }

  /// Whatever stands there; its text where it is one.
  struct Ignored: Decodable {
    var text: String?

    init(from decoder: any Decoder) throws {
      text = try? decoder.singleValueContainer().decode(String.self)
    }
  }
}

extension PackageManifest {
  /// - Parameters:
  ///   - package: The folder of a `Package.swift`; it need not hold anything else.
  ///   - problem: What to throw where it cannot be read, given the end of stderr.
  static func read(_ package: String, orThrow problem: (String) -> any Error) async throws -> PackageManifest
  {
    let process = ChildProcess(
      executable: .name("swift"), arguments: ["package", "--package-path", package, "dump-package"],
      environment: Git.cleanEnvironment, timeout: .seconds(300))
    let end = try await process.run(
      orThrow: RevisionError.missingTool("swift", remedy: "put a Swift toolchain on the PATH"))
    guard end.isSuccess, let manifest = try? PackageManifest(dump: end.output) else {
      throw problem(end.errorTail)
    }
    return manifest
  }

  /// - Parameter dump: As `swift package dump-package` prints it.
  init(dump: Data) throws { self = try JSONDecoder().decode(PackageManifest.self, from: dump) }

  /// The programs of benchmarks of a package.
  ///
  /// - Parameter name: What to call it in the message.
  static func benchmarkProducts(in package: String, called name: String) async throws -> [String] {
    try await read(package) { errorTail in
      let lines = errorTail.split(separator: "\n").map(String.init)
      return RevisionError.doesNotBuild(
        name, reason: lines.first { $0.contains("error: ") } ?? "its Package.swift cannot be read",
        lastLines: lines.suffix(20).map(\.self))
    }.benchmarkProducts()
  }

  private static let library = "FrameBench"

  /// The executable products that are programs of benchmarks, those that depend on the library FrameBench, in the
  /// manifest's order. Programs below `Tests` are fixtures, and left out.
  func benchmarkProducts() -> [String] {
    let executables = targets.filter { $0.type == "executable" && !($0.path ?? "").hasPrefix("Tests") }
    // A program whose own library depends on FrameBench is one, but not where others do so themselves: springbench
    // and what is built of its modules would be programs of benchmarks otherwise.
    let direct = executables.filter { $0.dependencyNames.contains(Self.library) }
    let chosen = direct.isEmpty ? executables.filter { reachesLibrary($0) } : direct
    return chosen.map { target in
      products.first { $0.type.keys.contains("executable") && $0.targets.contains(target.name) }?.name
        ?? target.name
    }
  }

  private func reachesLibrary(_ start: Target) -> Bool {
    var seen: Set<String> = []
    var open = [start.name]
    while let name = open.popLast() {
      if name == Self.library { return true }
      guard seen.insert(name).inserted else { continue }
      open += targets.first { $0.name == name }?.dependencyNames ?? []
    }
    return false
  }
}

/// The packages that a build took by their path from outside the checkout.
enum OutsideSources {
  /// Real paths, sorted.
  static func folders(scratch: String, checkout: String) -> [String] {
    guard let data = FileManager.default.contents(atPath: "\(scratch)/workspace-state.json"),
      let state = try? JSONDecoder().decode(State.self, from: data)
    else { return [] }
    let inside = PackageFolder.realPath(checkout) ?? checkout
    let folders = state.object.dependencies.compactMap(\.folder).compactMap(PackageFolder.realPath)
    return Set(folders.filter { $0 != inside && !$0.hasPrefix(inside + "/") }).sorted()
  }

  /// The part that matters of the file that SwiftPM keeps.
  private struct State: Decodable {
    var object: Object

    struct Object: Decodable {
      var dependencies: [Dependency]
    }

    struct Dependency: Decodable {
      var packageRef: Reference
      var state: Kind

      var folder: String? { state.name == "fileSystem" ? state.path ?? packageRef.location : nil }
    }

    struct Reference: Decodable {
      var location: String
    }

    struct Kind: Decodable {
      var name: String
      var path: String?
    }
  }
}
