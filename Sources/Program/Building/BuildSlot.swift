import Foundation
import SystemPackage

/// The one place where revisions are built, one at a time: so paths that the compiler's maps do not reach (`#filePath`,
/// resource bundles) are the same in every build, and unchanged files are not compiled again.
struct BuildSlot: Sendable {
  var git: Git
  var folder: String
  /// Keeps other processes from building here.
  let lock: FileLock

  var scratch: String { "\(folder)/scratch" }
  var staging: String { "\(folder)/staging" }
  private var checkouts: String { "\(folder)/checkout" }
  private var checkout: String { Siblings(repository: git.folder).path(below: checkouts) }
  private var kept: KeptCheckout { KeptCheckout(folder: "\(folder)/kept") }
  /// Exists during a build; if it exists at the beginning, the previous build was killed.
  private var markPath: String { Self.markPath(folder) }

  /// Waits while another process builds, then removes the remains of a killed one.
  static func take(at folder: String, git: Git, whileWaiting: () -> Void) async throws -> BuildSlot {
    let lock = try await FileLock.take("\(folder).lock", .exclusive, whileWaiting: whileWaiting)
    let slot = BuildSlot(git: git, folder: folder, lock: lock)
    let wasKilled = isMarked(folder)
    try await slot.removeCheckouts()
    if wasKilled { try slot.remove(folder) }
    try RevisionError.naming(folder) {
      try Paths.makeFolder(folder)
      try Data().write(to: URL(fileURLWithPath: slot.markPath))
    }
    return slot
  }

  /// Whether a process is building here, or was when it was killed.
  static func isMarked(_ folder: String) -> Bool { FileManager.default.fileExists(atPath: markPath(folder)) }

  /// Beside the folder: code in the sandbox can write to the folder, and end the sandbox.
  private static func markPath(_ folder: String) -> String { "\(folder).in-use" }

  /// Removes the remains of a killed process, unless another one is building.
  static func tidy(at folder: String, git: Git) async throws {
    guard isMarked(folder), let lock = try FileLock.tryTaking("\(folder).lock", .exclusive),
      // It may have ended normally in the meantime.
      isMarked(folder)
    else { return }
    try await BuildSlot(git: git, folder: folder, lock: lock).leave(isWhole: false)
  }

  /// Removes everything kept for the next build. Returns its bytes, or nil if another process is building.
  static func clear(at folder: String, git: Git) async throws -> Int? {
    guard FileManager.default.fileExists(atPath: folder) else { return 0 }
    guard let lock = try FileLock.tryTaking("\(folder).lock", .exclusive) else { return nil }
    let bytes = BuildStore.bytes(below: folder)
    try await BuildSlot(git: git, folder: folder, lock: lock).leave(isWhole: false)
    return bytes
  }

  /// - Parameter isWhole: Whether the products can serve the next build, unlike those of one that was stopped half-way.
  func leave(isWhole: Bool) async throws {
    // Whatever the sandboxed build leaves behind, files or processes, could affect the next build.
    let isWhole = isWhole && Sandbox.current == nil
    if Sandbox.current != nil { kill(-1, SIGKILL) }
    if isWhole, FileManager.default.fileExists(atPath: checkout) { try kept.keep(checkout) }
    try await removeCheckouts()
    if !isWhole { try remove(folder) }
    try remove(markPath)
  }

  /// The folder has the name and the neighbours of the user's, by which other packages may refer to it.
  func checkOut(_ source: SourceState) async throws -> String {
    let path = checkout
    try RevisionError.naming(path) { try Paths.makeFolder(Paths.parent(path)) }
    if let commit = source.commit {
      let files = source.isDirty ? ["--no-checkout"] : []
      try await git.output(
        ["worktree", "add", "--detach", "--force", "--force"] + files + [path, commit],
        to: "check out \(commit.prefix(7))")
    }
    if let snapshot = source.snapshot {
      if source.commit != nil {
        // As in the user's checkout, git reports the files that differ from the commit.
        try await Git(folder: path).output(["read-tree", "HEAD"], to: "check out the working tree")
      }
      try await git.output(
        ["checkout-index", "--all", "--force", "--prefix=\(path)/"], to: "check out the working tree",
        environment: ["GIT_INDEX_FILE": snapshot.indexPath])
      try RevisionError.naming(path) { try snapshot.putUnconverted(of: git.folder, into: path) }
    }
    // If a manifest or a symbolic link can lead out of the repository.
    let search = ["grep", "--quiet", "--fixed-strings", "-e", "..", source.checkout, "--"]
    let leadsOut = try await git.answer(search + [":(top,glob)**/Package*.swift"], to: "search the manifests") != nil
    if leadsOut || !FileTree(path: path).exits().isEmpty { Siblings(repository: git.folder).link(below: checkouts) }
    return path
  }

  /// Replaces unchanged files of a checkout by those of the last one, so that they are not compiled.
  func reuseFiles(in checkout: String) async throws {
    try await kept.putBack(into: checkout)
    // A checkout of no commit is not a worktree.
    guard FileManager.default.fileExists(atPath: "\(checkout)/.git") else { return }
    // Git recognizes unchanged files by their times. The command fails if some files differ from the commit, as they
    // may.
    _ = try await Git(folder: checkout).run(["update-index", "-q", "--refresh"])
  }

  /// Keeps the products of earlier builds only if they were built in the same way.
  /// - Parameter repositories: Clones of dependencies, which need not be fetched again.
  func prepareScratch(for key: BuildKey, repositories: String) async throws {
    let settings = [key.toolchain] + key.flags + key.environment.map { "\($0)=\($1)" }.sorted()
    // All manifests: products of removed targets can still be imported.
    let entries = try await git.output(["ls-tree", "-r", "-z", key.commit], to: "list the files of a revision")
    let manifests = entries.split(separator: "\0").map(String.init).filter {
      $0.contains(#/[\t\/]Package(@swift-[^\/]*)?\.swift$/#)
    }
    let stamp = Data((settings + manifests).joined(separator: "\0").utf8)
    let stampPath = "\(folder)/scratch.stamp"
    if FileManager.default.contents(atPath: stampPath) == stamp { return }
    try remove(kept.folder)
    try remove(scratch)
    try RevisionError.naming(scratch) {
      let manager = FileManager.default
      try Paths.makeFolder(scratch)
      // Resolves a link, since the copy is written to.
      if let clones = Paths.real(repositories) {
        try manager.copyItem(atPath: clones, toPath: "\(scratch)/repositories")
      }
      try WholeFile(stampPath).replace(stamp)
    }
  }

  /// Removes all that was compiled; what was fetched stays.
  func removeProducts() throws {
    let fetched = ["repositories", "checkouts", "artifacts", "registry", "prebuilts", "workspace-state.json"]
    for name in Paths.names(in: scratch) where !fetched.contains(name) { try remove("\(scratch)/\(name)") }
  }

  /// Lets SwiftPM choose the versions of dependencies: without a file of pins it keeps those of the last build.
  func forgetVersions() throws { try remove("\(scratch)/workspace-state.json") }

  private var surroundingsPath: String { "\(scratch)/surroundings.json" }

  /// What all files that were compiled here used besides the checkouts; nil if that is not known.
  var surroundings: Surroundings? {
    FileManager.default.contents(atPath: surroundingsPath).flatMap {
      try? JSONDecoder().decode(Surroundings.self, from: $0)
    }
  }

  func keep(_ surroundings: Surroundings?) throws {
    guard let surroundings else { return try remove(surroundingsPath) }
    try WholeFile(surroundingsPath).replace(try JSONEncoder().encode(surroundings))
  }

  /// Removes only the worktrees below this folder that git knows of.
  private func removeCheckouts() async throws {
    let list = try await git.output(["worktree", "list", "--porcelain"], to: "list its worktrees")
    for line in list.split(separator: "\n") where line.hasPrefix("worktree \(folder)/") {
      let path = String(line.dropFirst("worktree ".count))
      let removal = ["worktree", "remove", "--force", "--force", path]
      if try await git.run(removal).isSuccess { continue }
      // An incomplete worktree: git drops it once its folder is gone.
      try remove(path)
      try await git.output(removal, to: "remove a worktree")
    }
    try remove(checkouts)
  }

  /// A second try is enough if a dying compiler still writes in between.
  private func remove(_ path: String) throws(RevisionError) {
    for attempt in 1...5 {
      do {
        try FileManager.default.removeItem(atPath: path)
        return
      } catch {
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT { return }
        if attempt == 5 { throw .file(path, error) }
        usleep(20_000)
      }
    }
  }

  /// Cleans the system's temporary folder and the folder of builds of revisions, whenever the program starts.
  static func sweep() async {
    HiddenEntry.sweep(NSTemporaryDirectory(), prefix: HiddenEntry.temporaryPrefix)
    for package in (try? PackageFolder.all(nil)) ?? [] {
      let assumed = PackageLocation(repository: package, prefix: "", buildFolder: "\(package)/.build")
      Snapshot.sweep(assumed.store)
      guard isMarked(assumed.slot), let location = try? await PackageLocation.find(package) else { continue }
      try? await tidy(at: location.slot, git: Git(folder: location.repository))
    }
  }
}

/// The folders around the user's repository, for manifests with `../other`: a checkout elsewhere has links to them.
struct Siblings {
  /// Absolute, without symbolic links.
  var repository: String

  /// The names of the parent folders that a manifest's path can refer to.
  private var names: [String] { repository.split(separator: "/").suffix(4).map(String.init) }

  func path(below folder: String) -> String { ([folder] + names).joined(separator: "/") }

  /// Links everything beside the repository, and beside each folder above it.
  func link(below folder: String) {
    var original = repository
    for count in names.indices.reversed() {
      original = Paths.parent(original)
      let copy = ([folder] + names.prefix(count)).joined(separator: "/")
      for sibling in Paths.names(in: original) where sibling != names[count] {
        _ = symlink(Paths.joined(original, sibling), "\(copy)/\(sibling)")
      }
    }
  }
}
