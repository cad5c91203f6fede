import Foundation
import FrameBench
import Linking
import Platform

/// Builds git revisions in release mode, inside the build folder. Each revision is built only once. The user's
/// checkout, index and branches are not changed.
package struct RevisionBuilder: Sendable {
  package let location: PackageLocation
  private let product: String?
  private let flags: [String]
  private let written: [String]
  private let progress: ProgressLine
  package let store: BuildStore

  /// - Parameters:
  ///   - product: The only program to build. Nil means all programs of benchmarks of a revision.
  ///   - flags: Additional arguments of `swift build`.
  ///   - written: Paths in the working tree to which springbench writes. They do not count as sources.
  package init(
    location: PackageLocation, product: String? = nil, flags: [String] = [], written: [String] = [], console: Console
  ) {
    (self.location, self.product, self.flags, self.written) = (location, product, flags, written)
    progress = ProgressLine(console: console)
    store = BuildStore(folder: "\(location.store)/builds")
  }

  private var git: Git { Git(folder: location.repository) }

  /// Returns a `Git` that also finds the objects of uncommitted files, which are in the source's snapshot.
  private func git(for source: SourceState) -> Git { Git(folder: location.repository, snapshot: source.snapshot) }

  /// Returns what the package has at a path.
  private func entry(_ name: String, _ source: SourceState) async throws -> Git.Entry {
    try await git(for: source).entry(at: location.path(of: name), in: source.checkout)
  }

  /// Builds the programs of a revision, or takes them from the store. Returns an empty array if the revision has no
  /// benchmarks. If this throws, no incomplete files stay behind.
  /// - Parameters:
  ///   - products: The names of the programs. Empty means all programs of benchmarks.
  ///   - copy: Different numbers give separate builds of the same sources, for comparing a revision with itself.
  package func executables(_ products: [String] = [], for revision: Revision, copy: Int = 0) async throws
    -> [BuiltRevision]
  {
    defer { progress.clear() }
    try prepareStore()
    try await BuildSlot.tidy(at: location.slot, git: git)
    let source = try await state(of: revision)
    var builds: [BuiltRevision] = []
    for product in products.isEmpty ? try await self.products(of: source, revision) : products {
      builds.append(try await executable(product, source, revision, copy: copy))
    }
    BuildSlot.leadBack(from: location.slot, to: git)
    for index in builds.indices { builds[index].notes += location.sharedLibraries(of: builds[index].url.path) }
    return builds
  }

  /// Builds the program `product` of a revision, or takes it from the store. If a commit has only one program, returns
  /// that one whatever its name is, because the program may have been renamed.
  package func executable(_ product: String, for revision: Revision) async throws -> BuiltRevision {
    try prepareStore()
    let known = revision == .workingTree ? [] : try await products(of: state(of: revision), revision)
    return try await executables(known.count == 1 ? known : [product], for: revision)[0]
  }

  /// Returns the names of a revision's programs of benchmarks, according to its manifest. No checkout is needed: the
  /// manifests are written to a temporary folder. If a manifest may read other files, all files are written.
  private func products(of source: SourceState, _ revision: Revision) async throws -> [String] {
    if let product { return [product] }
    guard try await entry("Package.swift", source).isFile else { return [] }
    let (git, duty) = (self.git(for: source), "read the manifest of \(revision.name)")
    let scratch = try HiddenEntry.scratch(
      in: Sandbox.current == nil ? location.store : Sandbox.home, prefix: "manifest-")
    defer { scratch.remove() }
    // The folder has the repository's name, because SwiftPM names a package such as `.package(path: "..")` after its
    // folder.
    let root = "\(scratch.path)/\(Paths.name(location.repository))"
    let index = ["GIT_INDEX_FILE": "\(scratch.path)/.index"]
    try await git.output(["read-tree", source.checkout], to: duty, environment: index)
    let manifests = location.manifests
    // If git finds no text, the manifest is a symbolic link, and the file that it leads to is needed, too.
    let manifest = try await git.text(of: manifests, in: source.checkout)
    let readsFiles = manifest.isEmpty || PackageManifest.mayReadFiles(manifest)
    let files = try await git.end(
      of: ["ls-files", "-z", "--"] + (readsFiles ? [] : manifests), to: duty, environment: index)
    try await git.end(
      of: ["checkout-index", "--force", "-z", "--stdin", "--prefix=\(root)/"], to: duty, environment: index,
      input: files.output)
    return try await PackageManifest.benchmarkProducts(in: location.package(in: root), called: revision.name)
  }

  private func executable(_ product: String, _ source: SourceState, _ revision: Revision, copy: Int) async throws
    -> BuiltRevision
  {
    let manifest = try await entry("Package.swift", source)
    guard manifest.isFile else {
      let folder = location.prefix.isEmpty ? "its top folder" : location.prefix
      throw RevisionError(
        .sources,
        "\(revision.name) has no Package.swift in \(folder); the package must be there in every revision that "
          + "is compared")
    }
    let hasOwnPins = try await entry("Package.resolved", source).isFile
    let found = try await git(for: source).text(of: location.manifests, in: source.checkout)
    // If git finds no text, the manifest is a symbolic link, and the revision may have the file that it leads to.
    var linked = ""
    if found.isEmpty, case .file(let text) = manifest { linked = text }
    let own = found + linked
    // All manifests of the repository count, because the package may depend on other packages in it.
    let manifests = try await git(for: source).manifests(in: source.checkout) + linked
    let standIn = StandInPackage.isNeeded(by: own) ? try await StandInPackage(for: own, in: location.store) : nil
    var configuration = [location.package, NSHomeDirectory()].map {
      FileTree(path: "\($0)/.swiftpm/configuration").checksum()
    }
    configuration += [try await git.filters(), try await git.sparsePatterns()].map {
      $0.map { Checksum(Data($0.utf8)).hexadecimal }
    }
    configuration += Surroundings.checksums(of: flags, manifests: manifests, repository: location.repository)
    // Relative paths in flags start in the current folder.
    if !flags.isEmpty { configuration.append(location.currentFolder(in: location.repository)) }
    let key = BuildKey(
      commit: source.checkout, tree: source.tree, prefix: location.prefix, product: product,
      flags: SwiftBuild.sections + flags + (standIn.map { [$0.stamp] } ?? []),
      toolchain: try await SwiftBuild.toolchain(),
      resolvedDependencies: hasOwnPins ? nil : try await location.pins(manifests), configuration: configuration,
      environment: BuildKey.environment(InheritedEnvironment.variables, manifest: manifests), copy: copy)
    let doubts =
      InheritedEnvironment.withheld(from: manifests) + location.sharedFolders(flags)
      + (revision == .workingTree ? try await location.unbuilt(git) : [])
    func built(_ entry: BuildStore.Entry, isCached: Bool) -> BuiltRevision {
      let pinned = entry.record.key.resolvedDependencies.map { Self.untracked($0, manifests: manifests) } ?? []
      return BuiltRevision(
        commit: source.commit, isDirty: source.isDirty, tree: source.tree, entry: entry, isCached: isCached,
        notes: entry.record.notes + doubts + pinned)
    }
    if let entry = try storedEntry(for: key) { return built(entry, isCached: true) }
    let slot = try await BuildSlot.take(at: location.slot, git: git(for: source)) {
      progress.show("waiting for another springbench that is building here")
    }
    do {
      // Another process may have built the same program while this one waited.
      if let entry = try storedEntry(for: key) {
        try await slot.leave(isWhole: true)
        return built(entry, isCached: true)
      }
      let entry = try await progress.while("building \(revision.name) in release") {
        try await slot.prepareScratch(for: key, manifest: own, repositories: "\(location.buildFolder)/repositories")
        return try await build(source, key, revision, manifests, standIn, in: slot)
      }
      try await slot.leave(isWhole: true)
      store.evict()
      return built(entry, isCached: false)
    } catch {
      // Calls `leave` in another task, because `leave` starts git, and a canceled task cannot start processes.
      let isWhole = (error as? RevisionError)?.kind == .compiledSources
      await Task { try? await slot.leave(isWhole: isWhole) }.value
      throw error
    }
  }

  /// Returns a note that revisions use the same versions of dependencies, because git does not track
  /// `Package.resolved`. Dependencies that no manifest names are left out, because they are mostly springbench's own.
  private static func untracked(_ pins: String, manifests: String) -> [String] {
    struct File: Decodable {
      struct Pin: Decodable { let identity: String }
      let pins: [Pin]
    }
    let file = try? JSONDecoder().decode(File.self, from: Data(pins.utf8))
    let text = manifests.lowercased()
    let names = (file?.pins.map(\.identity) ?? []).filter { $0 != "springbench" && text.contains($0.lowercased()) }
    return names.summary.map {
      ["git does not track Package.resolved, so revisions that allow it use the same version of \($0)"]
    } ?? []
  }

  /// Throws if git does not know one of the revisions. Called before any revision is built.
  package func check(_ revisions: [Revision]) async throws {
    for case .revision(let name) in revisions { _ = try await git.state(of: name) }
  }

  /// Creates the store in a folder that git ignores, so that the store does not count as an uncommitted change.
  private func prepareStore() throws {
    let ignore = "\(Paths.parent(location.store))/.gitignore"
    try RevisionError.naming(location.store) {
      try Paths.makeFolder(location.store)
      // New folders inherit the setgid bit, and code in the sandbox cannot copy folders with this bit.
      if Sandbox.current != nil, let mode = Paths.mode(location.store) { chmod(location.store, mode & 0o1777) }
      if access(ignore, F_OK) != 0 { try WholeFile(ignore).replace(Data("*\n".utf8)) }
    }
    Snapshot.sweep(location.store)
  }

  private func state(of revision: Revision) async throws -> SourceState {
    if case .revision(let name) = revision { return try await git.state(of: name) }
    let builds = [location.buildFolder, "\(location.package)/.build", "\(location.repository)/.build"]
    try await git.refuseSources(in: written.within(location.repository))
    return try await git.workingTreeState(
      excluding: (builds + written).within(location.repository), into: Snapshot(in: location.store))
  }

  private func storedEntry(for key: BuildKey) throws -> BuildStore.Entry? {
    try store.entry(for: key) { Surroundings.areCurrent($0.outsideSources) }
  }

  private func build(
    _ source: SourceState, _ key: BuildKey, _ revision: Revision, _ manifests: String, _ standIn: StandInPackage?,
    in slot: BuildSlot
  ) async throws -> BuildStore.Entry {
    let root = try await slot.checkOut(source)
    let unfetched = try await slot.git.copySubmodules(from: source.checkout, to: root)
    let signs = Surroundings.contents(of: unfetched.signs)
    var notes = unfetched.notes
    let absent = try await Git(folder: source.isDirty ? location.repository : root).leftOutFiles()
    if let list = await PackageManifest.filesOfTargets(absent, in: root).summary {
      // The build of a clean working tree is stored as that of its commit, so the note names the commit.
      let name = source.isDirty ? revision.name : String(source.checkout.prefix(7))
      notes.append("this sparse checkout leaves out \(list) of \(name)")
    }
    try await slot.reuseFiles(in: root, flags: flags)
    let package = location.package(in: root)
    let hasOwnPins = FileManager.default.fileExists(atPath: "\(package)/Package.resolved")
    try await location.copySettings(to: package, manifests)
    let tracksPins = try await location.tracks("Package.resolved")
    if !hasOwnPins, tracksPins { try slot.forgetVersions() }
    try standIn?.settle(in: package)
    let start = ContinuousClock.now
    // SwiftPM caches what it read from a manifest until the manifest's text changes, even if the manifest reads other
    // files that have changed. Manifests outside of the repository are not searched for such reading.
    let isCacheable = !PackageManifest.mayReadFiles(manifests) && !PackageManifest.mayLeadOut(manifests)
    let caching = isCacheable ? [] : ["--manifest-cache", "none"]
    var build = SwiftBuild(
      name: revision.name, package: package, product: key.product, scratch: slot.scratch, checkout: root,
      flags: caching + flags, folder: location.currentFolder(in: root), home: slot.home)
    // Without these tools, the program cannot be linked again with its functions in another order.
    if let tools = try await LinkTools.installed() {
      build.recorder = LinkRecorder(folder: "\(slot.scratch)/springbench-links", tools: tools)
    }
    let (binaries, surroundings): (String, Surroundings)
    do { (binaries, surroundings) = try await run(build, of: root, in: slot) } catch let error as RevisionError
      where error.isOfTheSources
    {
      // The notes often name the reason, such as an empty submodule, or an environment variable that builds do not get.
      let withheld = InheritedEnvironment.withheld(from: manifests)
      throw RevisionError(error.kind, error.description, lastLines: error.lastLines + notes + withheld)
    }
    var record = BuildStore.Record(
      key: key, buildSeconds: (ContinuousClock.now - start) / .seconds(1), time: Date().timeIntervalSince1970)
    if !hasOwnPins, !tracksPins, let pins = try location.keepPins(of: package, manifests) {
      record.key.resolvedDependencies = pins
    }
    // Code of the package can write to the build's folder, and may have put something in this place.
    try slot.remove(slot.staging)
    do {
      guard let recorder = build.recorder else { throw LinkProblem("the toolchain has no lld") }
      defer { recorder.forget() }
      try await recorder.unpack(key.product, to: "\(slot.staging)/\(LinkRecipe.folderName)", volatile: slot.folder)
      record.linkTools = recorder.tools
    } catch { record.linkProblem = LinkProblem(error, in: slot.staging).description }
    record.outsideSources = surroundings.all.merging(signs) { $1 }
    // Springbench's own libraries change only together with this program, so they need no note.
    let own = PackageFolder.lent("library", inRepository: "").flatMap(Paths.real)
    notes += surroundings.outside.keys.filter { $0 != own }.sorted().map {
      "\($0) is outside the repository, so every revision uses its current state"
    }
    let linked = FileTree(path: "\(slot.staging)/\(LinkRecipe.folderName)", isOfSources: false).exits()
    record.notes = notes + location.sharedFiles(surroundings.inputs.keys + linked.compactMap(\.self))
    return try store.publish(record, binaries: binaries, staging: slot.staging)
  }

  /// Builds the package. Reuses files that earlier builds compiled only if their inputs cannot have changed.
  /// - Returns: The folder of products, and what the build used besides its checkout.
  private func run(_ build: SwiftBuild, of checkout: String, in slot: BuildSlot) async throws -> (String, Surroundings)
  {
    let binaries = try await build.binaries()
    let modules = CompiledModules(scratch: slot.scratch, binaries: binaries)
    var known = modules.areListed ? slot.surroundings : nil
    if let all = known?.all, !Surroundings.areCurrent(all) { known = nil }
    if known == nil { try slot.removeProducts() }
    var failure: (any Error)?
    do { try await build.run(into: binaries) } catch { failure = error }
    try build.checkPlace(of: binaries)
    // The dependencies are known only after the build has resolved them. If they differ from before, everything is
    // built again, because sources may read files of dependencies that compilers do not list (see `KeptCheckout`).
    var surroundings: Surroundings
    do { surroundings = try Surroundings(scratch: slot.scratch, checkout: checkout) } catch {
      // The record of the surroundings is from an earlier build and may be outdated, so it is removed.
      try slot.keep(nil)
      throw failure ?? error
    }
    func keepSurroundings() throws {
      surroundings.setInputs(modules.inputs(), outside: slot.folder)
      try slot.keep(surroundings)
    }
    let areOthers =
      known.map { ($0.dependencies, $0.outside) != (surroundings.dependencies, surroundings.outside) } ?? false
    if areOthers && failure != nil { try slot.keep(nil) } else { try keepSurroundings() }
    if let failure { throw failure }
    func buildAgain(withoutProducts isAnew: Bool) async throws {
      if isAnew { try slot.removeProducts() }
      try await build.run(into: binaries)
      try keepSurroundings()
    }
    if areOthers { try await buildAgain(withoutProducts: true) }
    if try modules.removeOutdated() { try await buildAgain(withoutProducts: false) }
    // If a module is still outdated, all modules are compiled again, because the reason is unknown.
    if try modules.removeOutdated() { try await buildAgain(withoutProducts: true) }
    return (binaries, surroundings)
  }
}

package enum Revision: Hashable, Sendable {
  /// Any name that git accepts as a commit.
  case revision(String)
  /// The files on disk, including uncommitted changes and new files that git does not ignore.
  case workingTree

  package var name: String { if case .revision(let name) = self { name } else { "the working tree" } }
}

/// An executable of a revision, ready to be measured.
package struct BuiltRevision: Sendable {
  /// The commit for reports; nil for the working tree of a repository without commits.
  package var commit: String?
  package var isDirty: Bool
  package var tree: String
  /// The stored build. Holding it keeps the executable from being removed while it is measured.
  package var entry: BuildStore.Entry
  package var isCached: Bool
  /// Notes on the build for reports, each without a period.
  package var notes: [String]

  package var url: URL { entry.url }
  package var product: String { url.lastPathComponent }
}

/// Files and settings of the user's package that affect builds but are in no commit.
extension PackageLocation {
  /// Returns notes on files that `swift build` uses in the working tree but builds of revisions do not use, and on
  /// files of the commit that neither of them uses.
  fileprivate func unbuilt(_ git: Git) async throws -> [String] {
    var notes: [String] = []
    let search = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z", "--"]
    let ignored = try await git.output(search, to: "list ignored files").split(separator: "\0").map(String.init).filter
    { !$0.hasPrefix(".") && !$0.contains("/.") && Paths.name($0) != "Package.resolved" }
    // Ignored headers count even outside of targets, because sources may include headers from any folder.
    let ofTargets = await PackageManifest.filesOfTargets(ignored, in: repository)
    let used = ignored.compactMap { ofTargets.contains($0) ? $0 : header(in: $0) }
    if let list = used.summary { notes.append("git ignores \(list), so no revision is built with that") }
    var changed: [String] = []
    // Errors become notes and do not stop a build, because builds do not use the user's copies of dependencies.
    do { changed = try WorkspaceState(buildFolder: buildFolder).dependencies(in: "edited").map(\.name) } catch let error
      as RevisionError
    { notes.append(error.description) }
    let checkouts = "\(buildFolder)/checkouts"
    for name in Paths.names(in: checkouts).sorted() where Paths.isFolder("\(checkouts)/\(name)") {
      do {
        let status = try await Git(folder: "\(checkouts)/\(name)").output(
          ["status", "--porcelain", "--", "."], to: "find out whether \(name) was edited")
        if !status.isEmpty { changed.append(name) }
      } catch let error as RevisionError { notes.append(error.description) }
    }
    notes += changed.unique.sorted().map { "\($0) was edited here, but revisions are built with its pinned version" }
    return notes
  }

  /// Returns the first header among the path itself and 500 files below it; nil if there is none.
  private func header(in path: String) -> String? {
    let below = FileManager.default.enumerator(atPath: "\(repository)/\(path)")
    let paths = [path] + (below?.prefix(500).compactMap { ($0 as? String).map { Paths.joined(path, $0) } } ?? [])
    return paths.first { path in
      let type = KeptCheckout.type(path)
      return !type.isEmpty && !path.contains("/.") && KeptCheckout.headerExtensions.contains(type)
    }
  }

  /// Returns notes on environment variables and compiler flags that contain a path into the repository. Every revision
  /// uses what is there now, not what its commit contains.
  fileprivate func sharedFolders(_ flags: [String]) -> [String] {
    let variables = (InheritedEnvironment.compilerVariables + ["LD_LIBRARY_PATH", "LD_PRELOAD"]).filter { name in
      (InheritedEnvironment.variables[name] ?? "").split { ":; ".contains($0) }.contains { isOwn(String($0)) }
    }
    let own = flags.filter { Surroundings.paths(in: $0).contains { $0.hasPrefix("/") && isOwn($0) } }
    return (variables + own).map(Self.shared)
  }

  /// Returns notes on library search paths in a program that lead into the repository. All revisions use the current
  /// files there.
  fileprivate func sharedLibraries(of program: String) -> [String] {
    guard let data = FileManager.default.contents(atPath: program), let image = ELFImage([UInt8](data)) else {
      return []
    }
    return image.libraryPaths.filter { path in
      let place = path.replacing(#/\$(ORIGIN|\{ORIGIN\})/#) { _ in Paths.parent(program) }
      return isOwn(place) && Paths.real(place)?.hasPrefix(store) == false
    }.unique.map { Self.shared("the program's library path \($0)") }
  }

  /// Returns a note on files of the repository that a build read outside of its checkout.
  fileprivate func sharedFiles(_ paths: [String]) -> [String] {
    let files = Set(paths).filter { isOwn($0) && !$0.hasPrefix(store + "/") }.sorted()
    return files.summary.map { ["the build reads \($0) in the working tree, so every revision uses what is there now"] }
      ?? []
  }

  private static func shared(_ name: String) -> String {
    "\(name) leads into the repository, so every revision uses what is there now"
  }

  private func isOwn(_ path: String) -> Bool {
    let real = Paths.real(path) ?? ""
    return real == repository || real.hasPrefix(repository + "/")
  }

  /// Returns the path of `Package.resolved` for commits that do not contain this file: the user's file, or the versions
  /// that builds with the same requirements chose, or the newest kept ones. Without them, a revision might get newer
  /// versions than those that were built before.
  private func pinsPath(_ manifests: String) -> String {
    func date(_ name: String) -> Date {
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(keptPins)/\(name)")
      return attributes?[.modificationDate] as? Date ?? .distantPast
    }
    let (path, names) = (keptPinsPath(manifests), Paths.names(in: keptPins))
    if hasPins { return ownPins }
    if names.contains(Paths.name(path)) { return path }
    return names.max { date($0) < date($1) }.map { "\(keptPins)/\($0)" } ?? path
  }

  private var ownPins: String { "\(package)/Package.resolved" }
  private var hasPins: Bool { FileManager.default.fileExists(atPath: ownPins) }

  /// The folder with the versions that builds chose because there was no `Package.resolved`.
  package var keptPins: String { "\(store)/pins" }

  /// Returns the path of the versions that builds chose. A version may not fit the requirements of another revision, so
  /// there is a file for each list of requirements in manifests.
  private func keptPinsPath(_ manifests: String) -> String {
    let requirements = manifests.matches(of: /\.package\s*\([^)]*\)/).map { String($0.output) }.joined()
    return "\(keptPins)/\(Checksum(Data(requirements.utf8)).hexadecimal)"
  }

  /// Returns the text of `Package.resolved` for commits that do not contain such a file. Nil if git tracks the file, or
  /// if there is none.
  fileprivate func pins(_ manifests: String) async throws -> String? {
    if try await tracks("Package.resolved") { return nil }
    return FileManager.default.contents(atPath: pinsPath(manifests)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Keeps the versions that a build chose for later builds with the same requirements, and returns all that are kept
  /// for them. Returns nil if the user has a `Package.resolved`. In the sandbox nothing is kept, because code of a
  /// revision could choose the versions of others.
  fileprivate func keepPins(of checkout: String, _ manifests: String) throws -> String? {
    guard Sandbox.current == nil, !hasPins, var pins = InputFile.untrusted("\(checkout)/Package.resolved") else {
      return nil
    }
    let path = keptPinsPath(manifests)
    if let kept = InputFile.untrusted(path) { pins = try WorkspaceState.pins(kept, replacedBy: pins) }
    try Paths.makeFolder(keptPins)
    try WholeFile(path).replace(pins)
    return String(decoding: pins, as: UTF8.self)
  }

  /// Copies `Package.resolved` and SwiftPM's settings into a checkout unless git tracks them. All revisions are then
  /// built with the same versions and settings.
  fileprivate func copySettings(to checkout: String, _ manifests: String) async throws {
    let manager = FileManager.default
    for name in ["Package.resolved", ".swiftpm/configuration"] {
      let source = name == "Package.resolved" ? pinsPath(manifests) : "\(package)/\(name)"
      let target = "\(checkout)/\(name)"
      guard manager.fileExists(atPath: source), !manager.fileExists(atPath: target), try await !tracks(name) else {
        continue
      }
      if name != "Package.resolved" { try Self.checkSettings(in: checkout) }
      try RevisionError.naming(target) {
        try Paths.makeFolder(Paths.parent(target))
        try manager.copyItem(atPath: source, toPath: target)
      }
    }
  }

  /// Throws if the folder of SwiftPM's settings in a checkout is a symbolic link, because springbench would follow it
  /// and write outside of the checkout.
  package static func checkSettings(in checkout: String) throws(RevisionError) {
    for name in [".swiftpm", ".swiftpm/configuration"]
    where Paths.mode("\(checkout)/\(name)").map({ $0 & S_IFMT }) == S_IFLNK {
      throw RevisionError(.sources, "\(name) is a symbolic link in the revision; make it a folder")
    }
  }

  /// Whether git tracks a file of the package. If so, revisions are built with their own version of the file, or
  /// without it, but never with a copy of the user's file.
  package func tracks(_ name: String) async throws -> Bool {
    try await !Git(folder: package).output(["ls-files", "-z", "--", name], to: "tell whether it tracks \(name)").isEmpty
  }
}
