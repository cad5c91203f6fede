import Foundation

/// Builds git revisions of a package in release, each once, without touching the user's checkout, index
/// or branches: what it needs lies in the build folder.
struct RevisionBuilder: Sendable {
  var location: PackageLocation
  /// Nil: all that are programs of benchmarks in a revision.
  var product: String?
  /// Added to `swift build`, as `["-Xswiftc", "-Ounchecked"]`.
  var flags: [String] = []
  /// Paths in the working tree that are not sources.
  var written = WrittenPaths()
  var timeout: Duration = .seconds(3_600)
  var progress: ProgressLine
  /// Builds that are kept, for the bounds.
  var store: BuildStore

  init(location: PackageLocation, product: String? = nil, flags: [String] = [], console: Console) {
    self.location = location
    self.product = product
    self.flags = flags
    progress = ProgressLine(console: console)
    store = BuildStore(folder: "\(location.store)/builds")
    InheritedEnvironment.reduce()
  }

  private var git: Git { Git(folder: location.repository) }

  /// In a tree of git's: empty, or with a slash at its end.
  private var manifestFolder: String { location.prefix.isEmpty ? "" : location.prefix + "/" }

  /// Git that knows the objects of a source.
  private func git(for source: SourceState) -> Git {
    Git(folder: location.repository, snapshot: source.snapshot)
  }

  /// The programs of a revision, by product; none where it has no benchmarks.
  func executables(for revision: Revision) async throws -> [BuiltRevision] {
    var builds: [BuiltRevision] = []
    for product in try await products(of: revision) {
      builds.append(try await executable(product, for: revision))
    }
    return builds
  }

  /// As the manifest of a revision says: it need not be checked out for that.
  func products(of revision: Revision) async throws -> [String] {
    if let product { return [product] }
    try prepareStore()
    let source = try await state(of: revision)
    guard
      let text = try await git(for: source).text(of: "\(manifestFolder)Package.swift", in: source.checkout)
    else { return [] }
    let folder = try ScratchFolder(in: location.store, prefix: "manifest-")
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/Package.swift"))
    } catch {
      throw RevisionError.file(folder.path, error)
    }
    return try await PackageManifest.benchmarkProducts(in: folder.path, called: revision.name)
  }

  /// The executable of a revision, from the store where it was built before.
  ///
  /// Throws `RevisionError`, or `CancellationError` where the task was cancelled; nothing is left behind
  /// in either case.
  ///
  /// - Parameter copy: Other numbers give other builds of the same sources, in other files, to compare a
  ///   revision with itself.
  func executable(
    _ product: String, for revision: Revision, copy: Int = 0
  ) async throws -> BuiltRevision {
    defer { progress.clear() }
    try prepareStore()
    try await BuildSlot.tidy(at: location.slot, git: git)
    let source = try await state(of: revision)
    let key = try await key(product, for: source, revision, copy: copy)
    let doubts = revision == .workingTree ? try await Submodules(git: git).changed() : []
    if let entry = try await storedEntry(for: key) {
      return built(revision, source, entry, doubts, isCached: true)
    }
    let slot = try await BuildSlot.take(at: location.slot, git: git(for: source)) {
      progress.show("waiting for another springbench that is building here")
    }
    do {
      // It may have built the same.
      if let entry = try await storedEntry(for: key) {
        try await slot.leave(isWhole: true)
        return built(revision, source, entry, doubts, isCached: true)
      }
      let entry = try await progress.while("building \(revision.name) in release") {
        try await build(source, key, revision, in: slot)
      }
      try await slot.leave(isWhole: true)
      store.evict()
      return built(revision, source, entry, doubts, isCached: false)
    } catch {
      // Not in this task: it may be cancelled, and then starts nothing any more.
      let isWhole = (error as? RevisionError)?.leavesWholeFiles ?? false
      await Task { try? await slot.leave(isWhole: isWhole) }.value
      throw error
    }
  }

  /// Throws a `RevisionError` for what git does not know, before the first of several is built.
  func check(_ revisions: [Revision]) async throws {
    for case .revision(let name) in revisions { _ = try await git.state(of: name) }
  }

  private func built(
    _ revision: Revision, _ source: SourceState, _ entry: BuildStore.Entry, _ doubts: [String],
    isCached: Bool
  ) -> BuiltRevision {
    BuiltRevision(
      url: entry.url, revision: revision, commit: source.commit, isDirty: source.isDirty,
      tree: source.tree, toolchain: entry.record.key.toolchain, flags: flags, isCached: isCached,
      buildSeconds: entry.record.buildSeconds, notes: entry.record.notes + doubts, lease: entry.lease,
      recipe: entry.recipe, linkProblem: entry.record.linkProblem)
  }

  /// A folder that hides itself from git, so that it dirties no checkout, whatever that ignores.
  private func prepareStore() throws {
    let manager = FileManager.default
    let top = (location.store as NSString).deletingLastPathComponent
    do {
      try manager.createDirectory(atPath: location.store, withIntermediateDirectories: true)
      if !manager.fileExists(atPath: "\(top)/.gitignore") {
        try Data("*\n".utf8).write(to: URL(fileURLWithPath: "\(top)/.gitignore"), options: .atomic)
      }
    } catch {
      throw RevisionError.file(location.store, error)
    }
    Snapshot.sweep(location.store)
  }

  private func state(of revision: Revision) async throws -> SourceState {
    switch revision {
    case .revision(let name): return try await git.state(of: name)
    case .workingTree: return try await snapshot(of: location.repository)
    }
  }

  func snapshot(of root: String) async throws -> SourceState {
    let builds = [location.buildFolder, "\(location.package)/.build", "\(root)/.build"]
    return try await Git(folder: root).workingTreeState(
      excluding: WrittenPaths(builds + written.paths).within(root), into: Snapshot(in: location.store))
  }

  private func key(
    _ product: String, for source: SourceState, _ revision: Revision, copy: Int
  ) async throws -> BuildKey {
    let git = git(for: source)
    let manifest = try await manifest(of: source, revision)
    let ownPins = try await git.text(of: "\(manifestFolder)Package.resolved", in: source.checkout)
    return BuildKey(
      commit: source.checkout, tree: source.tree, prefix: location.prefix, product: product,
      flags: SwiftBuild.sections + flags, toolchain: try await SwiftBuild.toolchain(),
      resolvedDependencies: ownPins == nil ? UserSettings(package: location.package).pins : nil,
      environment: BuildKey.environment(InheritedEnvironment.variables, manifest: manifest), copy: copy)
  }

  private func manifest(of source: SourceState, _ revision: Revision) async throws -> String {
    if let text = try await git(for: source).text(of: "\(manifestFolder)Package.swift", in: source.checkout) {
      return text
    }
    let folder = location.prefix.isEmpty ? "its top folder" : location.prefix
    throw RevisionError.noPackageInRevision(revision.name, folder: folder)
  }

  private func storedEntry(for key: BuildKey) async throws -> BuildStore.Entry? {
    try await store.entry(for: key) { record in
      for (folder, tree) in record.outsideSources {
        guard try await outsideTree(folder) == tree else { return false }
      }
      return true
    }
  }

  private func build(
    _ source: SourceState, _ key: BuildKey, _ revision: Revision, in slot: BuildSlot
  ) async throws -> BuildStore.Entry {
    try await slot.prepareScratch(for: key, repositories: "\(location.buildFolder)/repositories")
    let root = try await slot.checkOut(source)
    var notes = try await Submodules(git: slot.git).copy(from: source.checkout, to: root)
    try await slot.reuseFiles(in: root)
    let withheld = InheritedEnvironment.withheld(
      ProcessInfo.processInfo.environment, from: try await manifest(of: source, revision))
    if !withheld.isEmpty {
      notes.append(
        "the manifest seems to read \(withheld.joined(separator: ", ")), which is withheld from revisions;"
          + " \(InheritedEnvironment.passVariable)=\(withheld.joined(separator: ",")) passes it on")
    }
    let package = location.prefix.isEmpty ? root : "\(root)/\(location.prefix)"
    try UserSettings(package: location.package).copy(to: package)
    let clock = ContinuousClock()
    let start = clock.now
    var build = SwiftBuild(
      package: package, product: key.product, scratch: slot.scratch, checkout: root,
      flags: flags, timeout: timeout)
    // Without tools to relink, the build is usable in its one order.
    if let tools = try? await LinkTools.installed() {
      build.recorder = LinkRecorder(folder: "\(slot.scratch)/springbench-links", tools: tools)
    }
    try await build.run(name: revision.name)
    let modules = CompiledModules(scratch: slot.scratch)
    if try modules.removeOutdated() { try await build.run(name: revision.name) }
    // Whatever the reason, nothing that was compiled is trusted then.
    if try modules.removeOutdated() {
      try slot.removeProducts()
      try await build.run(name: revision.name)
    }
    var record = BuildStore.Record(
      key: key, executableBytes: 0, buildSeconds: (clock.now - start) / .seconds(1),
      time: Date().timeIntervalSince1970, outsideSources: [:], notes: [])
    do throws(LinkProblem) {
      record.linkTools = try await unpackLink(build, in: slot)
    } catch {
      record.linkProblem = error.description
    }
    for folder in OutsideSources.folders(scratch: slot.scratch, checkout: root) {
      notes.append("\(folder) is outside the repository, so every revision uses its current state")
      record.outsideSources[folder] = try await outsideTree(folder) ?? "unknown at \(record.time)"
    }
    record.notes = notes
    return try store.publish(record, binaries: build.binaries, staging: slot.staging)
  }

  /// What linked the program, once the link lies in the staging folder.
  private func unpackLink(_ build: SwiftBuild, in slot: BuildSlot) async throws(LinkProblem) -> LinkTools {
    guard let recorder = build.recorder else { throw LinkProblem("the toolchain has no lld") }
    defer { recorder.forget() }
    do {
      try await recorder.unpack(
        build.product, to: "\(slot.staging)/\(LinkRecipe.folderName)", volatile: slot.folder)
    } catch {
      throw error as? LinkProblem ?? LinkProblem("\(RevisionError.file(slot.staging, error))")
    }
    return recorder.tools
  }

  /// Git's hash of the checkout that a folder is in; nil if it is in none, so changes are unknown.
  private func outsideTree(_ folder: String) async throws -> String? {
    guard let root = try? await Git(folder: folder).checkoutRoot() else { return nil }
    return try await snapshot(of: root).tree
  }
}
