import Foundation

/// Builds git revisions in release, each once, in the build folder: the user's checkout, index and branches stay.
struct RevisionBuilder: Sendable {
  let location: PackageLocation
  private let product: String?
  private let flags: [String]
  private let written: [String]
  private let progress: ProgressLine
  let store: BuildStore

  /// - Parameters:
  ///   - product: Nil: all programs of benchmarks of a revision.
  ///   - flags: For `swift build`.
  ///   - written: Paths in the working tree that are not sources.
  init(
    location: PackageLocation, product: String? = nil, flags: [String] = [], written: [String] = [], console: Console
  ) {
    (self.location, self.product, self.flags, self.written) = (location, product, flags, written)
    progress = ProgressLine(console: console)
    store = BuildStore(folder: "\(location.store)/builds")
    InheritedEnvironment.reduce()
  }

  private var git: Git { Git(folder: location.repository) }

  /// A Git that knows the objects of a source.
  private func git(for source: SourceState) -> Git { Git(folder: location.repository, snapshot: source.snapshot) }

  /// The text of a file of the package; nil if there is none.
  private func text(_ name: String, of source: SourceState) async throws -> String? {
    let path = location.prefix.isEmpty ? name : "\(location.prefix)/\(name)"
    return try await git(for: source).text(of: path, in: source.checkout)
  }

  /// The programs of a revision, built or from the store; none if it has no benchmarks. Leaves nothing if it throws.
  /// - Parameters:
  ///   - products: Empty: all programs of benchmarks.
  ///   - copy: Other numbers give other builds of the same sources, to compare a revision with itself.
  func executables(_ products: [String] = [], for revision: Revision, copy: Int = 0) async throws -> [BuiltRevision] {
    defer { progress.clear() }
    try prepareStore()
    try await BuildSlot.tidy(at: location.slot, git: git)
    let source = try await state(of: revision)
    var builds: [BuiltRevision] = []
    for product in products.isEmpty ? try await self.products(of: source, revision) : products {
      builds.append(try await executable(product, source, revision, copy: copy))
    }
    return builds
  }

  /// The program of that name; if an earlier revision has only one, that one.
  func executable(_ product: String, for revision: Revision) async throws -> BuiltRevision {
    try prepareStore()
    let known = revision == .workingTree ? [] : try await products(of: state(of: revision), revision)
    return try await executables(known.count == 1 ? known : [product], for: revision)[0]
  }

  /// From the manifest of a revision, without a checkout.
  private func products(of source: SourceState, _ revision: Revision) async throws -> [String] {
    if let product { return [product] }
    guard let text = try await text("Package.swift", of: source) else { return [] }
    let scratch = try HiddenEntry.scratch(in: location.store, prefix: "manifest-")
    // SwiftPM names packages around this one, as in `.package(path: "..")`, after their folders.
    let folder = "\(scratch.path)/\(Paths.name(location.repository))/\(location.prefix)"
    try RevisionError.naming(folder) {
      try Paths.makeFolder(folder)
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/Package.swift"))
    }
    return try await PackageManifest.benchmarkProducts(in: folder, called: revision.name)
  }

  private func executable(_ product: String, _ source: SourceState, _ revision: Revision, copy: Int) async throws
    -> BuiltRevision
  {
    guard let manifest = try await text("Package.swift", of: source) else {
      let folder = location.prefix.isEmpty ? "its top folder" : location.prefix
      throw RevisionError(
        .sources,
        "\(revision.name) has no Package.swift in \(folder); the package must be there in every revision that "
          + "is compared")
    }
    let ownPins = try await text("Package.resolved", of: source)
    let standIn =
      StandInPackage.isNeeded(by: manifest) ? try await StandInPackage(for: manifest, in: location.store) : nil
    let key = BuildKey(
      commit: source.checkout, tree: source.tree, prefix: location.prefix, product: product,
      flags: SwiftBuild.sections + flags + (standIn.map { [$0.stamp] } ?? []),
      toolchain: try await SwiftBuild.toolchain(), resolvedDependencies: ownPins == nil ? location.pins : nil,
      environment: BuildKey.environment(InheritedEnvironment.variables, manifest: manifest), copy: copy)
    let doubts = revision == .workingTree ? try await git.changedSubmodules() : []
    func built(_ entry: BuildStore.Entry, isCached: Bool) -> BuiltRevision {
      BuiltRevision(
        commit: source.commit, isDirty: source.isDirty, tree: source.tree, entry: entry, isCached: isCached,
        notes: entry.record.notes + doubts)
    }
    if let entry = try await storedEntry(for: key) { return built(entry, isCached: true) }
    let slot = try await BuildSlot.take(at: location.slot, git: git(for: source)) {
      progress.show("waiting for another springbench that is building here")
    }
    do {
      // Another process may have built the same.
      if let entry = try await storedEntry(for: key) {
        try await slot.leave(isWhole: true)
        return built(entry, isCached: true)
      }
      let entry = try await progress.while("building \(revision.name) in release") {
        try await build(source, key, revision, manifest, standIn, in: slot)
      }
      try await slot.leave(isWhole: true)
      store.evict()
      return built(entry, isCached: false)
    } catch {
      // In another task: this one may be cancelled, and then cannot start any process.
      let isWhole = (error as? RevisionError)?.kind == .compiledSources
      await Task { try? await slot.leave(isWhole: isWhole) }.value
      throw error
    }
  }

  /// Throws if git does not know a revision, before any is built.
  func check(_ revisions: [Revision]) async throws {
    for case .revision(let name) in revisions { _ = try await git.state(of: name) }
  }

  /// Creates a folder that git ignores, so that it never makes a checkout dirty.
  private func prepareStore() throws {
    let ignore = "\(Paths.parent(location.store))/.gitignore"
    try RevisionError.naming(location.store) {
      try Paths.makeFolder(location.store)
      if access(ignore, F_OK) != 0 { try WholeFile(ignore).replace(Data("*\n".utf8)) }
    }
    Snapshot.sweep(location.store)
  }

  private func state(of revision: Revision) async throws -> SourceState {
    if case .revision(let name) = revision { return try await git.state(of: name) }
    return try await snapshot(of: location.repository)
  }

  func snapshot(of root: String) async throws -> SourceState {
    let builds = [location.buildFolder, "\(location.package)/.build", "\(root)/.build"]
    return try await Git(folder: root).workingTreeState(
      excluding: (builds + written).within(root), into: Snapshot(in: location.store))
  }

  private func storedEntry(for key: BuildKey) async throws -> BuildStore.Entry? {
    try await store.entry(for: key) { record in
      for (folder, tree) in record.outsideSources { guard try await outsideTree(folder) == tree else { return false } }
      return true
    }
  }

  private func build(
    _ source: SourceState, _ key: BuildKey, _ revision: Revision, _ manifest: String, _ standIn: StandInPackage?,
    in slot: BuildSlot
  ) async throws -> BuildStore.Entry {
    try await slot.prepareScratch(for: key, repositories: "\(location.buildFolder)/repositories")
    let root = try await slot.checkOut(source)
    var notes = try await slot.git.copySubmodules(from: source.checkout, to: root)
    try await slot.reuseFiles(in: root)
    let withheld = InheritedEnvironment.withheld(ProcessInfo.processInfo.environment, from: manifest)
    if !withheld.isEmpty {
      notes.append(
        "the manifest seems to read \(withheld.joined(separator: ", ")), which is withheld from revisions;"
          + " \(InheritedEnvironment.passVariable)=\(withheld.joined(separator: ",")) passes it on")
    }
    let package = location.package(in: root)
    try location.copySettings(to: package)
    try standIn?.settle(in: package)
    let start = ContinuousClock.now
    var build = SwiftBuild(package: package, product: key.product, scratch: slot.scratch, checkout: root, flags: flags)
    // Without tools to relink, the build is usable only in its one order.
    if let tools = try await LinkTools.installed() {
      build.recorder = LinkRecorder(folder: "\(slot.scratch)/springbench-links", tools: tools)
    }
    try await build.run(name: revision.name)
    let modules = CompiledModules(scratch: slot.scratch)
    if try modules.removeOutdated() { try await build.run(name: revision.name) }
    // Then no compiled module is trusted, whatever the reason.
    if try modules.removeOutdated() {
      try slot.removeProducts()
      try await build.run(name: revision.name)
    }
    var record = BuildStore.Record(
      key: key, buildSeconds: (ContinuousClock.now - start) / .seconds(1), time: Date().timeIntervalSince1970)
    do {
      guard let recorder = build.recorder else { throw LinkProblem("the toolchain has no lld") }
      defer { recorder.forget() }
      try await recorder.unpack(key.product, to: "\(slot.staging)/\(LinkRecipe.folderName)", volatile: slot.folder)
      record.linkTools = recorder.tools
    } catch { record.linkProblem = LinkProblem(error, in: slot.staging).description }
    for folder in try PackageLocation.outsideSources(scratch: slot.scratch, checkout: root) {
      notes.append("\(folder) is outside the repository, so every revision uses its current state")
      record.outsideSources[folder] = try await outsideTree(folder) ?? "unknown at \(record.time)"
    }
    record.notes = notes
    return try store.publish(record, binaries: build.binaries, staging: slot.staging)
  }

  /// Git's hash of the checkout around a folder; nil if there is none, so changes are unknown.
  private func outsideTree(_ folder: String) async throws -> String? {
    guard Paths.isFolder(folder), let root = try await Git(folder: folder).checkoutRoot() else { return nil }
    return try await snapshot(of: root).tree
  }
}

enum Revision: Hashable, Sendable {
  /// Anything that git takes for a commit.
  case revision(String)
  /// With uncommitted changes, and new files that git does not ignore.
  case workingTree

  var name: String { if case .revision(let name) = self { name } else { "the working tree" } }
}

/// An executable to measure.
struct BuiltRevision: Sendable {
  /// As in `SourceState`.
  var commit: String?
  var isDirty: Bool
  var tree: String
  /// Keeps the executable from being evicted while it is measured.
  var entry: BuildStore.Entry
  var isCached: Bool
  /// For readers.
  var notes: [String]

  var url: URL { entry.url }
  var product: String { url.lastPathComponent }
}

extension Git {
  /// Copies the user's submodules: git would set its configuration and use the network. Returns notes on missing ones.
  fileprivate func copySubmodules(from commit: String, to root: String) async throws -> [String] {
    let list = try await output(["ls-tree", "-r", "-z", commit], to: "list the files of a revision")
    var notes: [String] = []
    for entry in list.split(separator: "\0") where entry.hasPrefix("160000 ") {
      let parts = entry.split(separator: "\t", maxSplits: 1)
      guard parts.count == 2, let hash = parts[0].split(separator: " ").last else { continue }
      let (path, target) = (parts[1], "\(root)/\(parts[1])")
      let module = Git(folder: "\(folder)/\(path)")
      // An empty folder is not a checkout, and would show the outer one.
      guard FileManager.default.fileExists(atPath: "\(module.folder)/.git"),
        try await module.knowsCommit(String(hash))
      else {
        notes.append(
          "the submodule \(path) is empty: \(hash.prefix(7)) is not here; git submodule update --init fetches it")
        continue
      }
      let index = target + ".springbench-index"
      defer { try? FileManager.default.removeItem(atPath: index) }
      let environment = ["GIT_INDEX_FILE": index]
      try await module.output(["read-tree", String(hash)], to: "read the submodule \(path)", environment: environment)
      try await module.output(
        ["checkout-index", "--all", "--force", "--prefix=\(target)/"], to: "copy the submodule \(path)",
        environment: environment)
    }
    return notes
  }

  /// Notes on submodules whose files differ from their commits: a commit of the working tree names only the latter.
  fileprivate func changedSubmodules() async throws -> [String] {
    let status = try await output(
      ["status", "--porcelain=v2", "-z", "--untracked-files=no", "--ignore-submodules=none"],
      to: "read the state of the submodules")
    return status.split(separator: "\0").compactMap { entry in
      // 1 XY sub mH mI mW hH hI path; the third field is S<c><m><u> for a submodule.
      let fields = entry.split(separator: " ", maxSplits: 8)
      guard fields.count == 9, fields[0] == "1", fields[2].hasPrefix("S"),
        fields[2].contains("M") || fields[2].contains("U")
      else { return nil }
      return "changes inside the submodule \(fields[8]) are not built; commit them there"
    }
  }
}

/// Files in the user's package, often ignored by git, that decide which dependencies a build gets.
extension PackageLocation {
  /// The versions that dependencies are pinned to; nil if they are not.
  fileprivate var pins: String? {
    FileManager.default.contents(atPath: "\(package)/Package.resolved").map { String(decoding: $0, as: UTF8.self) }
  }

  /// Copies the settings into a checkout without its own, so that all revisions are built with the same.
  fileprivate func copySettings(to checkout: String) throws {
    let manager = FileManager.default
    for name in ["Package.resolved", ".swiftpm/configuration"] {
      let (source, target) = ("\(package)/\(name)", "\(checkout)/\(name)")
      guard manager.fileExists(atPath: source), !manager.fileExists(atPath: target) else { continue }
      try RevisionError.naming(target) {
        try Paths.makeFolder(Paths.parent(target))
        try manager.copyItem(atPath: source, toPath: target)
      }
    }
  }
}
