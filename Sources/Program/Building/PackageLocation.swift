import Foundation

/// The package that is built at every revision. All paths are absolute and without symbolic links.
struct PackageLocation: Equatable, Sendable {
  /// Top folder of the git checkout.
  var repository: String
  /// The package's folder as a path from there; empty if it is the top.
  var prefix: String
  var buildFolder: String

  var package: String { package(in: repository) }
  /// Folder of everything that revisions need.
  var store: String { "\(buildFolder)/springbench/revisions" }
  var slot: String { "\(store)/slot" }

  func package(in checkout: String) -> String { prefix.isEmpty ? checkout : "\(checkout)/\(prefix)" }

  static func find(_ package: String) async throws -> PackageLocation {
    guard let root = try await Git(folder: package).checkoutRoot().flatMap(Paths.real),
      package == root || package.hasPrefix(root + "/")
    else { throw RevisionError.noCheckout(package) }
    let build = "\(package)/.build"
    return PackageLocation(
      repository: root, prefix: String(package.dropFirst(root.count + 1)), buildFolder: Paths.real(build) ?? build)
  }
}

enum PackageFolder {
  /// The usual place of a package of benchmarks within the package that it measures.
  static let usualFolder = "Benchmarks"

  /// The package, and the one in `Benchmarks` below it, those that exist.
  static func all(_ named: String?) throws(RevisionError) -> [String] {
    let folder = try find(named)
    return [folder, Paths.joined(folder, usualFolder)].filter(hasManifest)
  }

  /// - Parameter named: Nil: the package around the current folder, or else the one in `Benchmarks` below it.
  static func find(_ named: String?) throws(RevisionError) -> String {
    let current = FileManager.default.currentDirectoryPath
    let below = Paths.joined(named ?? current, usualFolder)
    if let named, hasManifest(named), let folder = Paths.real(named) { return folder }
    if named == nil, let found = enclosing(current) { return found }
    if hasManifest(below), let folder = Paths.real(below) { return folder }
    let problem =
      named.map { "--package-path \"\($0)\" has no Package.swift" }
      ?? "there is no Package.swift in the current folder or above it"
    throw RevisionError(.usage, "\(problem); name the folder of your Package.swift with --package-path")
  }

  /// The nearest folder upwards with a manifest. Those in a build folder are dependencies, and checkouts of ours.
  static func enclosing(_ path: String) -> String? {
    var folder = path
    var found: String?
    while folder != "/", !folder.isEmpty, folder != "." {
      if found == nil, hasManifest(folder) { found = folder }
      if Paths.name(folder) == ".build" { found = nil }
      folder = Paths.parent(folder)
    }
    return found.flatMap(Paths.real)
  }

  /// Where `make install` puts what belongs to this program.
  static var share: String? {
    Paths.real("/proc/self/exe").map { "\(Paths.parent(Paths.parent($0)))/share/springbench" }
  }

  /// A package that springbench lends to others: as it was installed with this program, or in the repository that the
  /// program was built from; nil if neither is there.
  static func lent(_ name: String, inRepository path: String) -> String? {
    let repository = Paths.real("/proc/self/exe").flatMap { enclosing(Paths.parent($0)) }
    return [share.map { "\($0)/\(name)" }, repository.map { "\($0)/\(path)" }].compactMap(\.self).first(
      where: hasManifest)
  }

  static func hasManifest(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/Package.swift")
  }
}

/// SwiftPM's description of a `Package.swift`.
struct PackageManifest {
  private typealias Object = [String: Any]

  let name: String
  private let products: [Object]
  private let targets: [Object]
  private let isForPackageBenchmark: Bool

  init?(dump: Data) {
    guard let object = try? JSONSerialization.jsonObject(with: dump) as? Object, let name = object["name"] as? String,
      let products = object["products"] as? [Object], let targets = object["targets"] as? [Object]
    else { return nil }
    (self.name, self.products, self.targets) = (name, products, targets)
    let text = String(decoding: dump, as: UTF8.self).replacing("\\/", with: "/")
    isForPackageBenchmark = StandInPackage.isNeeded(by: text)
  }

  /// - Parameters:
  ///   - package: A folder, which needs only a `Package.swift`.
  ///   - problem: Makes an error from the end of stderr.
  static func read(_ package: String, orThrow problem: (String) -> any Error) async throws -> PackageManifest {
    // The build folder of a checkout cannot be written to in the sandbox.
    let scratch = Sandbox.current.map { _ in ["--scratch-path", "\(Sandbox.home)/scratch"] } ?? []
    let end = try await SwiftBuild.swift(
      ["package", "--package-path", package] + scratch + ["dump-package"], .seconds(300))
    guard end.isSuccess, let manifest = PackageManifest(dump: end.output) else { throw problem(end.errorTail) }
    return manifest
  }

  /// - Parameter name: The package's name for the message.
  static func benchmarkProducts(in package: String, called name: String) async throws -> [String] {
    try await read(package) { errorTail in
      let errors = SwiftBuild.errors(in: errorTail.split(separator: "\n").map(String.init))
      return RevisionError.doesNotBuild(
        name, reason: errors.first { $0.contains("error: ") } ?? "its Package.swift cannot be read", lastLines: errors)
    }.benchmarkProducts()
  }

  /// Whether a manifest imports more than SwiftPM's own modules, so that it may read any file.
  static func mayReadFiles(_ text: String) -> Bool {
    text.matches(of: /\bimport +(?:\w+ +)?(\w+)/).contains {
      !["PackageDescription", "CompilerPluginSupport"].contains(String($0.1))
    }
  }

  /// Folders of the targets of all packages around files.
  /// - Parameters:
  ///   - files: Paths in the repository.
  ///   - repository: Packages above it do not count.
  static func targetFolders(around files: [String], in repository: String) async -> [String] {
    var packages: Set<String> = []
    for folder in Set(files.map { Paths.parent("\(repository)/\($0)") }) {
      packages.formUnion(
        sequence(first: folder, next: Paths.parent).prefix { $0.hasPrefix(repository) }.filter(
          PackageFolder.hasManifest))
    }
    var folders: [String] = []
    for package in packages {
      // The build will say what is wrong with a manifest.
      let manifest = try? await read(package) { RunError($0) }
      folders += manifest?.targetFolders(in: package) ?? [package]
    }
    return folders
  }

  /// The folders of targets other than tests; the package's own for a target that is not in its usual place.
  func targetFolders(in package: String) -> [String] {
    targets.filter { $0["type"] as? String != "test" }.map { target in
      let usual = ["Sources", "Source", "src", "srcs", "Plugins"].map { "\($0)/\(Self.name(target))" }
      let path = target["path"] as? String ?? usual.first { Paths.isFolder("\(package)/\($0)") } ?? "."
      return URL(fileURLWithPath: "\(package)/\(path)").standardizedFileURL.path
    }
  }

  private static func name(_ object: Object) -> String { object["name"] as? String ?? "" }

  /// Names of the products of a kind with a matching target.
  private func products(_ kind: String, of target: (String) -> String) -> [String] {
    products.filter { product in
      (product["type"] as? Object)?[kind] != nil
        && (product["targets"] as? [String] ?? []).contains(target(Self.name(product)))
    }.map(Self.name)
  }

  /// Sorted modules of library products that can be imported by the product's name: other names could not be guessed.
  var libraries: [String] { products("library") { $0 }.sorted() }

  /// The executable products that are programs of benchmarks, those that depend on the library FrameBench or were
  /// written for package-benchmark, in the manifest's order. Programs below `Tests` are fixtures, and left out.
  func benchmarkProducts() -> [String] {
    let executables = targets.filter {
      $0["type"] as? String == "executable" && !($0["path"] as? String ?? "").hasPrefix("Tests")
    }.map(Self.name)
    // A program whose own library depends on FrameBench counts only if no program does so itself: otherwise
    // springbench and programs built from its modules would count as programs of benchmarks.
    let direct = executables.filter { dependencies(of: $0).contains(Self.library) }
    let chosen = direct.isEmpty ? executables.filter(reachesLibrary) : direct
    // Programs that were written for package-benchmark, whose place `StandInPackage` takes.
    let suites = isForPackageBenchmark ? executables.filter { dependencies(of: $0).contains("Benchmark") } : []
    return (chosen.isEmpty ? suites : chosen).map { target in products("executable") { _ in target }.first ?? target }
  }

  private static let library = "FrameBench"

  /// Dependencies on targets and products, its own package's and others'.
  private func dependencies(of target: String) -> [String] {
    let found = targets.first { Self.name($0) == target }?["dependencies"] as? [[String: [Any]]] ?? []
    return found.flatMap(\.values).compactMap { $0.first as? String }
  }

  private func reachesLibrary(_ target: String) -> Bool {
    var seen: Set<String> = []
    var open = [target]
    while let name = open.popLast() {
      if name == Self.library { return true }
      if seen.insert(name).inserted { open += dependencies(of: name) }
    }
    return false
  }
}
