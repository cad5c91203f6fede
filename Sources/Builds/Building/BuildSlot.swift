import Foundation
import Platform
import SystemPackage

/// The folder in which all git revisions of a package are built, one after the other. Every build uses the same paths,
/// so SwiftPM does not compile unchanged files again, and paths that a program contains (`#filePath`, for example) are
/// the same in every revision.
package struct BuildSlot: Sendable {
  package var git: Git
  package var folder: String
  /// The lock that keeps other processes from building in this folder.
  package let lock: FileLock

  package var scratch: String { "\(folder)/scratch" }
  package var staging: String { "\(folder)/staging" }
  /// The home folder of builds inside the sandbox. Nil if there is no sandbox.
  package var home: String? { Sandbox.current.map { _ in "\(folder)/home" } }
  private var checkouts: String { "\(folder)/checkout" }
  private var checkout: String { Siblings(repository: git.folder).path(below: checkouts) }
  private var kept: KeptCheckout { KeptCheckout(folder: "\(folder)/kept") }
  /// A file that exists during a build. If it exists before a build starts, the previous build was killed.
  private var markPath: String { Self.markPath(folder) }

  /// Waits until no other process builds in the folder, and locks it. Removes what a killed build left behind.
  package static func take(at folder: String, git: Git, whileWaiting: () -> Void) async throws -> BuildSlot {
    let lock = try await FileLock.take("\(folder).lock", .exclusive, whileWaiting: whileWaiting)
    let slot = BuildSlot(git: git, folder: folder, lock: lock)
    Sandbox.endStrays()
    // In the sandbox, a build must not use files that code of another revision may have left here.
    let isTrusted = !isMarked(folder) && Sandbox.current == nil
    try await slot.removeCheckouts()
    if !isTrusted { try slot.remove(folder) }
    try RevisionError.naming(folder) {
      try Paths.makeFolder(slot.home ?? folder)
      try Data().write(to: URL(fileURLWithPath: slot.markPath))
    }
    return slot
  }

  /// Whether a process is building in the folder, or was killed while it was building there.
  package static func isMarked(_ folder: String) -> Bool { FileManager.default.fileExists(atPath: markPath(folder)) }

  /// Returns the path of the file that exists during a build. It is not inside the folder, because code in the sandbox
  /// could remove it there and kill the build. The next build would then trust the files that this code left behind.
  private static func markPath(_ folder: String) -> String { "\(folder).in-use" }

  /// Removes what a killed build left behind, unless another process is building here.
  package static func tidy(at folder: String, git: Git) async throws {
    guard isMarked(folder), let lock = try FileLock.tryTaking("\(folder).lock", .exclusive),
      // The build may have ended normally in the meantime.
      isMarked(folder)
    else { return }
    try await BuildSlot(git: git, folder: folder, lock: lock).leave(isWhole: false)
  }

  /// Removes everything that is kept for the next build. Returns the number of removed bytes, or nil if another process
  /// is building here.
  package static func clear(at folder: String, git: Git) async throws -> Int? {
    guard FileManager.default.fileExists(atPath: folder) else { return 0 }
    guard let lock = try FileLock.tryTaking("\(folder).lock", .exclusive) else { return nil }
    let bytes = BuildStore.bytes(below: folder)
    try await BuildSlot(git: git, folder: folder, lock: lock).leave(isWhole: false)
    return bytes
  }

  /// Ends the use of this folder. Removes the checkouts, and keeps the products for the next build if they can be
  /// reused.
  /// - Parameter isWhole: Whether the products can be reused, which is false if the build was stopped.
  package func leave(isWhole: Bool) async throws {
    // The products of a build in the sandbox are not reused, because code of the package may have changed them.
    let isWhole = isWhole && Sandbox.current == nil
    Sandbox.endStrays()
    if isWhole, Paths.mode(checkout).map({ $0 & S_IFMT }) == S_IFDIR { try kept.keep(checkout) }
    try await removeCheckouts()
    if isWhole { leadBack() } else { try remove(folder) }
    try remove(markPath)
  }

  /// Makes the path of the removed checkout a symbolic link to the user's checkout, because a built program may contain
  /// paths of files there (`#filePath`). Does nothing while another process builds here.
  package static func leadBack(from folder: String, to git: Git) {
    guard let lock = try? FileLock.tryTaking("\(folder).lock", .exclusive) else { return }
    BuildSlot(git: git, folder: folder, lock: lock).leadBack()
  }

  /// Errors, such as a full disk, are ignored, because few programs need the link.
  private func leadBack() {
    guard (try? FileManager.default.destinationOfSymbolicLink(atPath: checkout)) != git.folder else { return }
    // If the user has copied the package with its build folder, an old link leads to the original package.
    unlink(checkout)
    try? Paths.makeFolder(Paths.parent(checkout))
    symlink(git.folder, checkout)
  }

  /// Checks out a source and returns the path of the checkout. Packages may refer to each other by relative paths, so
  /// the folder has the same name as the user's checkout. If such paths may lead out of the repository, the checkout
  /// gets symbolic links to the folders next to the user's checkout.
  package func checkOut(_ source: SourceState) async throws -> String {
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
        // Fills the index from the commit, so that git reports the same changed files as in the user's checkout.
        try await Git(folder: path).output(["read-tree", "HEAD"], to: "check out the working tree")
      }
      try await git.output(
        ["checkout-index", "--all", "--force", "--prefix=\(path)/"], to: "check out the working tree",
        environment: ["GIT_INDEX_FILE": snapshot.indexPath])
      try RevisionError.naming(path) { try snapshot.putUnconverted(of: git.folder, into: path) }
    }
    // Links to the folders next to the user's repository are needed only if a path in a manifest or a symbolic link
    // may lead out of the repository.
    let search = ["grep", "--quiet", "--fixed-strings", "-e", "..", source.checkout, "--"]
    let leadsOut = try await git.answer(search + [":(top,glob)**/Package*.swift"], to: "search the manifests") != nil
    if leadsOut || !FileTree(path: path).exits().isEmpty { try Siblings(repository: git.folder).link(below: checkouts) }
    return path
  }

  /// Replaces the unchanged files of a checkout with those of the previous checkout, so that SwiftPM does not compile
  /// them again.
  /// - Parameter flags: The user's arguments of `swift build`.
  package func reuseFiles(in checkout: String, flags: [String]) async throws {
    try await kept.putBack(into: checkout, flags: flags)
    // Without a commit, the checkout is not a git worktree.
    guard FileManager.default.fileExists(atPath: "\(checkout)/.git") else { return }
    // Git recognizes unchanged files by their times, which differ after `putBack`. The command fails if any file
    // differs from the commit. That is allowed, so its result is ignored.
    _ = try await Git(folder: checkout).run(["update-index", "-q", "--refresh"])
  }

  /// Removes products of builds that had another toolchain, or other flags, settings, environment, manifests or path.
  /// - Parameters:
  ///   - manifest: The text of the package's manifest. If the manifest is a symbolic link, its hash does not show it.
  ///   - repositories: A folder with clones of dependencies. They are copied, so that SwiftPM need not fetch them again.
  package func prepareScratch(for key: BuildKey, manifest: String, repositories: String) async throws {
    // The path matters, because compilers refuse cached modules of a folder that was moved or copied.
    let settings =
      [folder, key.toolchain] + key.flags + key.environment.map { "\($0)=\($1)" }.sorted()
      + key.configuration.map { $0 ?? "none" }
    // Products are reused only if the hashes of the manifests are unchanged, too. Otherwise a module whose target was
    // removed from a manifest could still be imported. A submodule may contain manifests.
    let entries = try await git.output(["ls-tree", "-r", "-z", key.commit], to: "list the files of a revision")
    let manifests = entries.split(separator: "\0").map(String.init).filter {
      $0.contains(#/^160000 |[\t\/]Package(@swift-[^\/]*)?\.swift$/#)
    }
    let stamp = Data((settings + manifests + [manifest]).joined(separator: "\0").utf8)
    let stampPath = "\(folder)/scratch.stamp"
    if InputFile.untrusted(stampPath) == stamp { return }
    try remove(kept.folder)
    try remove(scratch)
    try RevisionError.naming(scratch) {
      let manager = FileManager.default
      try Paths.makeFolder(scratch)
      // `repositories` may be a symbolic link. If the link were copied, SwiftPM would write into the original folder.
      if let clones = Paths.real(repositories) {
        try manager.copyItem(atPath: clones, toPath: "\(scratch)/repositories")
      }
      try WholeFile(stampPath).replace(stamp)
    }
  }

  /// Removes everything that was compiled, and keeps everything that was fetched.
  package func removeProducts() throws {
    let fetched = ["repositories", "checkouts", "artifacts", "registry", "prebuilts", "workspace-state.json"]
    for name in Paths.names(in: scratch) where !fetched.contains(name) { try remove("\(scratch)/\(name)") }
  }

  /// Makes SwiftPM choose the versions of dependencies again. Otherwise, if there is no `Package.resolved`, it would
  /// keep the versions of the previous build.
  package func forgetVersions() throws { try remove("\(scratch)/workspace-state.json") }

  private var surroundingsPath: String { "\(scratch)/surroundings.json" }

  /// Everything outside of the checkouts that builds in this folder used, such as dependencies. Nil if it is unknown.
  package var surroundings: Surroundings? {
    InputFile.untrusted(surroundingsPath).flatMap { try? JSONDecoder().decode(Surroundings.self, from: $0) }
  }

  package func keep(_ surroundings: Surroundings?) throws {
    guard let surroundings else { return try remove(surroundingsPath) }
    try WholeFile(surroundingsPath).replace(try JSONEncoder().encode(surroundings))
  }

  /// Removes all checkouts below this folder. The user's own worktrees are elsewhere and stay.
  private func removeCheckouts() async throws {
    // The folders are removed before git is called, because a build may have replaced one of them with a symbolic link,
    // which git would follow. If the folder of a worktree is missing, git only removes its record of the worktree.
    try remove(checkouts)
    let list = try await git.output(["worktree", "list", "--porcelain"], to: "list its worktrees")
    for line in list.split(separator: "\n") where line.hasPrefix("worktree \(folder)/") {
      let removal = ["worktree", "remove", "--force", "--force", String(line.dropFirst("worktree ".count))]
      try await git.output(removal, to: "remove a worktree")
    }
  }

  package func remove(_ path: String) throws(RevisionError) {
    try RevisionError.naming(path) { try Paths.remove(path) }
  }

  /// Removes what killed processes left in the system's temporary folder and in the build folders of the packages
  /// around the current folder. Called whenever the program starts.
  package static func sweep() async {
    HiddenEntry.sweep(NSTemporaryDirectory(), prefix: HiddenEntry.temporaryPrefix)
    for package in (try? PackageFolder.all(nil)) ?? [] {
      let assumed = PackageLocation(repository: package, prefix: "", buildFolder: "\(package)/.build")
      Snapshot.sweep(assumed.store)
      guard isMarked(assumed.slot), let location = try? await PackageLocation.find(package) else { continue }
      try? await tidy(at: location.slot, git: Git(folder: location.repository))
    }
  }
}

/// The folders next to the user's repository, and next to the folders that contain it. A checkout elsewhere gets links
/// to them, so that a path such as `../other` in a manifest still works.
package struct Siblings {
  /// The absolute path of the repository, without symbolic links.
  package var repository: String

  /// The names of the repository's folder and of up to three folders that contain it. Relative paths in manifests are
  /// not expected to lead further up.
  private var names: [String] { repository.split(separator: "/").suffix(4).map(String.init) }

  package func path(below folder: String) -> String { ([folder] + names).joined(separator: "/") }

  /// Creates symbolic links to everything next to the repository, and next to each of the folders around it.
  /// - Throws: Only `CancellationError`. There may be thousands of files, such as in `/tmp`.
  package func link(below folder: String) throws {
    var original = repository
    for count in names.indices.reversed() {
      original = Paths.parent(original)
      let copy = ([folder] + names.prefix(count)).joined(separator: "/")
      for sibling in Paths.names(in: original) where sibling != names[count] {
        try Task.checkCancellation()
        _ = symlink(Paths.joined(original, sibling), "\(copy)/\(sibling)")
      }
    }
  }
}
