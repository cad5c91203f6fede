import Foundation
import Platform
import Synchronization

/// The location of the package whose git revisions are built. All paths are absolute and without symbolic links.
package struct PackageLocation: Equatable, Sendable {
  /// The top folder of the git checkout.
  package var repository: String
  /// The path of the package's folder, relative to `repository`. Empty if the package is in the top folder.
  package var prefix: String
  package var buildFolder: String

  package var package: String { package(in: repository) }
  /// The folder with all files that are needed to build revisions.
  package var store: String { "\(buildFolder)/springbench/revisions" }
  package var slot: String { "\(store)/slot" }

  package func package(in checkout: String) -> String { prefix.isEmpty ? checkout : "\(checkout)/\(prefix)" }

  /// Patterns for git that match the package's manifests, including those for certain versions of Swift.
  package var manifests: [String] { ["Package.swift", "Package@swift-*.swift"].map { ":(top,glob)\(path(of: $0))" } }

  /// Returns the path of a file of the package, relative to `repository`.
  package func path(of name: String) -> String { prefix.isEmpty ? name : "\(prefix)/\(name)" }

  /// Returns the folder of another checkout that corresponds to the current folder. Builds run in it, so relative paths
  /// in build flags name files of that checkout. Nil if the current folder is not in the repository.
  package func currentFolder(in checkout: String) -> String? {
    guard let here = Paths.real(FileManager.default.currentDirectoryPath),
      here == repository || here.hasPrefix(repository + "/")
    else { return nil }
    let folder = checkout + here.dropFirst(repository.count)
    return Paths.isFolder(folder) ? folder : package(in: checkout)
  }

  /// Throws if a revision may have benchmarks in the other folder in which they are looked for (`PackageFolder.all`),
  /// because none of them would be compared.
  package func checkOtherPackage(of revision: String) async throws {
    let usual = PackageFolder.usualFolder
    let isUsual = prefix == usual || prefix.hasSuffix("/" + usual)
    let other = isUsual ? String(prefix.dropLast(usual.count)) : prefix.isEmpty ? "\(usual)/" : "\(prefix)/\(usual)/"
    let folder = PackageLocation(repository: repository, prefix: String(other.dropLast()), buildFolder: buildFolder)
    let search = ["grep", "--quiet", "--extended-regexp", "-e", "FrameBench|package-benchmark", revision, "--"]
    guard
      try await Git(folder: repository).answer(search + folder.manifests, to: "search the manifests of \(revision)")
        != nil
    else { return }
    throw RevisionError(
      .failure,
      "\(revision) has no benchmarks in \(package), but \(other)Package.swift may have some; name one with"
        + " --package-path")
  }

  package static func find(_ package: String) async throws -> PackageLocation {
    guard let root = try await Git(folder: package).checkoutRoot().flatMap(Paths.real),
      package == root || package.hasPrefix(root + "/")
    else { throw RevisionError.noCheckout(package) }
    let build = "\(package)/.build"
    return PackageLocation(
      repository: root, prefix: String(package.dropFirst(root.count + 1)), buildFolder: Paths.real(build) ?? build)
  }
}

package enum PackageFolder {
  /// The usual folder of a package of benchmarks, inside the package that it measures.
  package static let usualFolder = "Benchmarks"

  /// Returns the folder that `find` returns. If no package is named, also returns its subfolder `Benchmarks`, if that
  /// has a manifest.
  package static func all(_ named: String?) throws(RevisionError) -> [String] {
    let folder = try find(named)
    // If a named package had two folders, a commit that adds or removes a program in one would hide those of the other.
    return named == nil ? [folder, Paths.joined(folder, usualFolder)].filter(hasManifest) : [folder]
  }

  /// Returns the folder of the package to use: the named folder, or `Benchmarks` below it if only that has a manifest.
  /// - Parameter named: A folder. Nil means the package around the current folder, or else the one in the subfolder
  ///   `Benchmarks`.
  package static func find(_ named: String?) throws(RevisionError) -> String {
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

  /// Returns the nearest folder with a manifest: `path` or a folder around it. Packages inside a `.build` folder are
  /// skipped, because they are dependencies or springbench's own checkouts.
  package static func enclosing(_ path: String) -> String? {
    var folder = path
    var found: String?
    while folder != "/", !folder.isEmpty, folder != "." {
      if found == nil, hasManifest(folder) { found = folder }
      if Paths.name(folder) == ".build" { found = nil }
      folder = Paths.parent(folder)
    }
    return found.flatMap(Paths.real)
  }

  /// The folder into which `make install` puts the files that this program needs.
  package static var share: String? {
    Paths.real("/proc/self/exe").map { "\(Paths.parent(Paths.parent($0)))/share/springbench" }
  }

  /// Returns the folder of a package that springbench provides for other packages: the one that was installed with this
  /// program, or else the one in the repository from which the program was built. Nil if neither exists.
  package static func lent(_ name: String, inRepository path: String) -> String? {
    let repository = Paths.real("/proc/self/exe").flatMap { enclosing(Paths.parent($0)) }
    return [share.map { "\($0)/\(name)" }, repository.map { "\($0)/\(path)" }].compactMap(\.self).first(
      where: hasManifest)
  }

  /// Returns the text of all manifests in a folder, including those for certain versions of Swift.
  package static func manifests(in folder: String) -> String {
    let names = Paths.names(in: folder).filter { $0.hasPrefix("Package") && $0.hasSuffix(".swift") }.sorted()
    let files = names.map { FileManager.default.contents(atPath: "\(folder)/\($0)") ?? Data() }
    return files.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
  }

  package static func hasManifest(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/Package.swift")
  }
}

/// The content of a `Package.swift`, as `swift package dump-package` describes it.
package struct PackageManifest {
  private typealias Object = [String: Any]

  package let name: String
  private let products: [Object]
  private let targets: [Object]
  private let isForPackageBenchmark: Bool

  /// What SwiftPM says about manifests that depend on nothing but their own text.
  private static let dumps = Mutex<[String: Data]>([:])

  package init?(dump: Data) {
    guard let object = try? JSONSerialization.jsonObject(with: dump) as? Object, let name = object["name"] as? String,
      let products = object["products"] as? [Object], let targets = object["targets"] as? [Object]
    else { return nil }
    (self.name, self.products, self.targets) = (name, products, targets)
    let text = String(decoding: dump, as: UTF8.self).replacing("\\/", with: "/")
    isForPackageBenchmark = StandInPackage.isNeeded(by: text)
  }

  /// - Parameters:
  ///   - package: The folder of the package. It needs no file except `Package.swift`.
  ///   - problem: Makes the error to throw, from the end of SwiftPM's stderr.
  package static func read(_ package: String, orThrow problem: (String) -> any Error) async throws -> PackageManifest {
    // The revisions of a comparison mostly have the same manifest, and SwiftPM takes a third of a second to read one.
    let text = PackageFolder.manifests(in: package)
    if let dump = dumps.withLock({ $0[text] }), let manifest = PackageManifest(dump: dump) { return manifest }
    // In the sandbox, SwiftPM cannot write to the build folder of a checkout, so it gets another one.
    let home = try Sandbox.current.map { _ in try HiddenEntry.scratch(in: Sandbox.home, prefix: "home-") }
    defer { home?.remove() }
    let scratch = home.map { ["--scratch-path", "\($0.path)/scratch"] } ?? []
    let end = try await SwiftBuild.swift(
      ["package", "--package-path", package] + scratch + ["dump-package"], .seconds(300), home: home?.path)
    guard end.isSuccess, let manifest = PackageManifest(dump: end.output) else { throw problem(end.errorTail) }
    if !mayReadFiles(text), !text.contains("Context") { dumps.withLock { $0[text] = end.output } }
    return manifest
  }

  /// Returns the products of a package that are programs of benchmarks.
  /// - Parameter name: The name of the package in error messages.
  package static func benchmarkProducts(in package: String, called name: String) async throws -> [String] {
    try await read(package) { errorTail in
      let errors = SwiftBuild.errors(in: errorTail.split(separator: "\n").map(String.init))
      return RevisionError.doesNotBuild(
        name, reason: errors.first { $0.contains("error: ") } ?? "its Package.swift cannot be read", lastLines: errors)
    }.benchmarkProducts()
  }

  /// Whether a manifest imports modules other than SwiftPM's own. Such a manifest may read any file.
  package static func mayReadFiles(_ text: String) -> Bool {
    text.firstMatch(of: /\bimport\b(?!\s+(?:PackageDescription|CompilerPluginSupport)\b)/) != nil
  }

  /// Whether a manifest may name a package by a path that leads out of the repository.
  package static func mayLeadOut(_ text: String) -> Bool { text.contains("..") || text.contains("\"/") }

  /// Returns the folders of all targets of the packages that contain the files.
  /// - Parameters:
  ///   - files: Paths relative to the repository.
  ///   - repository: The folder of the repository. Packages outside of it do not count.
  package static func targetFolders(around files: [String], in repository: String) async -> [String] {
    var packages: Set<String> = []
    for folder in Set(files.map { Paths.parent("\(repository)/\($0)") }) {
      packages.formUnion(
        sequence(first: folder, next: Paths.parent).prefix { $0.hasPrefix(repository) }.filter(
          PackageFolder.hasManifest))
    }
    var folders: [String] = []
    for package in packages {
      // If the manifest is invalid, the build will report that.
      let manifest = try? await read(package) { RunError($0) }
      folders += manifest?.targetFolders(in: package) ?? [package]
    }
    return folders
  }

  /// Returns those of the files that lie in the folder of a target.
  /// - Parameter files: Paths relative to the repository.
  package static func filesOfTargets(_ files: [String], in repository: String) async -> [String] {
    let targets = await targetFolders(around: files, in: repository)
    return files.filter { path in targets.contains { "\(repository)/\(path)".hasPrefix($0 + "/") } }
  }

  /// Returns the folders of all targets except tests. A target that is in no usual folder gets the package's folder.
  package func targetFolders(in package: String) -> [String] {
    targets.filter { $0["type"] as? String != "test" }.map { target in
      let usual = ["Sources", "Source", "src", "srcs", "Plugins"].map { "\($0)/\(Self.name(target))" }
      let path = target["path"] as? String ?? usual.first { Paths.isFolder("\(package)/\($0)") } ?? "."
      return URL(fileURLWithPath: "\(package)/\(path)").standardizedFileURL.path
    }
  }

  private static func name(_ object: Object) -> String { object["name"] as? String ?? "" }

  /// Returns the names of the products of a kind, such as `library`, that contain a certain target.
  /// - Parameter target: Returns the name of the target to look for, given the name of the product.
  private func products(_ kind: String, of target: (String) -> String) -> [String] {
    products.filter { product in
      (product["type"] as? Object)?[kind] != nil
        && (product["targets"] as? [String] ?? []).contains(target(Self.name(product)))
    }.map(Self.name)
  }

  /// The library products whose modules can be imported by the product's name, sorted. Other products are left out,
  /// because the names of their modules could only be guessed.
  package var libraries: [String] { products("library") { $0 }.sorted() }

  /// Returns the executable products that are programs of benchmarks, in the order of the manifest. They depend on
  /// FrameBench, or were written for package-benchmark. Programs below `Tests` are fixtures and are left out.
  package func benchmarkProducts() -> [String] {
    let executables = targets.filter {
      $0["type"] as? String == "executable" && !($0["path"] as? String ?? "").hasPrefix("Tests")
    }.map(Self.name)
    // If any program depends on FrameBench directly, programs that reach it through their own library do not count.
    // Otherwise springbench, and programs built from its modules, would count as programs of benchmarks.
    let direct = executables.filter { dependencies(of: $0).contains(Self.library) }
    let chosen = direct.isEmpty ? executables.filter(reachesLibrary) : direct
    // Programs that were written for package-benchmark, which `StandInPackage` replaces.
    let suites = isForPackageBenchmark ? executables.filter { dependencies(of: $0).contains("Benchmark") } : []
    return (chosen.isEmpty ? suites : chosen).map { target in products("executable") { _ in target }.first ?? target }
  }

  private static let library = "FrameBench"

  /// Returns the names of the targets and products on which a target depends directly, in this package and in others.
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
