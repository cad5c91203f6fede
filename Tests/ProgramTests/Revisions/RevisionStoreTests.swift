import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Linking
@testable import Platform

/// Tests the parts of `RevisionBuilder` one by one.
@Suite(.serialized) struct RevisionStoreTests {
  func key(_ commit: String) -> BuildKey {
    BuildKey(
      commit: commit, tree: "t", prefix: "", product: "tiny", flags: [], toolchain: "9.9", resolvedDependencies: nil,
      environment: [:], copy: 0)
  }

  func publish(_ commit: String, bytes: Int, into store: BuildStore, _ folder: TemporaryFolder) throws
    -> BuildStore.Entry
  {
    let binaries = folder.path + "/release"
    try FileManager.default.createDirectory(
      atPath: binaries + "/mine_tiny.resources", withIntermediateDirectories: true)
    try Data(count: 3).write(to: URL(fileURLWithPath: binaries + "/mine_tiny.resources/a.json"))
    try Data(count: 9).write(to: URL(fileURLWithPath: binaries + "/other.o"))
    try Data(count: bytes).write(to: URL(fileURLWithPath: binaries + "/tiny"))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: binaries + "/tiny")
    let record = BuildStore.Record(key: key(commit), buildSeconds: 1, time: 0, outsideSources: [:], notes: [])
    return try store.publish(record, binaries: binaries, staging: folder.path + "/staging")
  }

  @Test func theProgramIsStoredWithItsResourcesAndNothingElse() async throws {
    let folder = try TemporaryFolder()
    let store = BuildStore(folder: folder.path + "/builds")
    let entry = try publish("a", bytes: 5, into: store, folder)
    let beside = try FileManager.default.contentsOfDirectory(atPath: entry.url.deletingLastPathComponent().path)
    #expect(beside.sorted() == ["build.json", "mine_tiny.resources", "tiny"])
    #expect(try store.entry(for: key("a")) { _ in true }?.url == entry.url)
    #expect(try store.entry(for: key("a")) { _ in false } == nil)
    #expect(try store.entry(for: key("b")) { _ in true } == nil)
  }

  @Test func otherProgramsOfTheBuildAreStoredWithIt() throws {
    let folder = try TemporaryFolder()
    let store = BuildStore(folder: folder.path + "/builds")
    let binaries = folder.path + "/release"
    try FileManager.default.createDirectory(atPath: binaries, withIntermediateDirectories: true)
    var entries: [BuildStore.Entry] = []
    for commit in ["a", "b"] {
      for name in ["helper", "generator-tool"] {
        try Data(commit.utf8).write(to: URL(fileURLWithPath: "\(binaries)/\(name)"))
        chmod("\(binaries)/\(name)", 0o755)
      }
      entries.append(try publish(commit, bytes: 5, into: store, folder))
    }
    #expect(BuildStore.companions(in: entries[0].folder).sorted() == ["helper", "mine_tiny.resources"])
    #expect(!ProgramIdentity.haveSameCompanions(entries.map(\.url.path)))
  }

  /// Two folders with equal files, of which one is changed.
  @Test(arguments: [("data.resources/current", false), ("helper", false), ("libx.so.1", false), ("notes.txt", true)])
  func filesBesideAProgramOutsideOfAStoreCount(_ changed: String, areSame: Bool) throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    for build in ["old", "new"] {
      let binaries = "\(folder.path)/\(build)"
      try manager.createDirectory(atPath: binaries + "/data.resources/v1", withIntermediateDirectories: true)
      try manager.createDirectory(atPath: binaries + "/data.resources/v2", withIntermediateDirectories: true)
      let version = changed.hasSuffix("current") && build == "new" ? "v2" : "v1"
      try manager.createSymbolicLink(atPath: binaries + "/data.resources/current", withDestinationPath: version)
      for name in ["program", "helper", "libx.so.1", "notes.txt"] {
        let path = "\(binaries)/\(name)"
        try Data((name == changed ? build : "same").utf8).write(to: URL(fileURLWithPath: path))
        if ["program", "helper"].contains(name) { chmod(path, 0o755) }
      }
    }
    let programs = ["old", "new"].map { "\(folder.path)/\($0)/program" }
    #expect(ProgramIdentity.haveSameCompanions(programs) == areSame)
    #expect(ProgramIdentity.haveSameCompanions([programs[0], programs[0]]))
  }

  @Test func variablesThatAnyManifestMayReadTellBuildsApart() {
    let all = [
      "CI": "1", "SWIFT_MODE": "1", "SPRINGBENCH_SYSTEM_ALLOCATOR": "1", "SPRINGBENCH_MACHINE": "m", "LANG": "C",
    ]
    let names = BuildKey.environment(all, manifest: "").keys
    #expect(Set(names) == ["CI", "SWIFT_MODE", "SPRINGBENCH_SYSTEM_ALLOCATOR"])
  }

  @Test func aFileThatABenchmarkWritesBesideItsProgramDoesNotSpoilTheBuild() throws {
    let folder = try TemporaryFolder()
    let store = BuildStore(folder: folder.path + "/builds")
    let entry = try publish("a", bytes: 5, into: store, folder)
    try Data("log".utf8).write(to: URL(fileURLWithPath: "\(entry.folder)/log.txt"))
    #expect(try store.entry(for: key("a")) { _ in true }?.url == entry.url)
    try Data("code".utf8).write(to: URL(fileURLWithPath: "\(entry.folder)/new.so"))
    #expect(try store.entry(for: key("a")) { _ in true } == nil)
  }

  @Test(arguments: ["tiny", "mine_tiny.resources/a.json"]) func aProgramThatWasExchangedIsNotUsed(_ name: String) throws
  {
    let folder = try TemporaryFolder()
    let store = BuildStore(folder: folder.path + "/builds")
    let entry = try publish("a", bytes: 20, into: store, folder)
    let path = "\(entry.folder)/\(name)"
    var bytes = try #require(FileManager.default.contents(atPath: path))
    bytes[bytes.count - 1] ^= 1
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.write(contentsOf: bytes)
    #expect(try store.entry(for: key("a")) { _ in true } == nil)
  }

  /// Programs in a build store are recognized by their paths, so they can be compared in several link orders.
  @Test func aProgramIsKnownByItsPathInAStoreAndNowhereElse() throws {
    let folder = try TemporaryFolder()
    let entry = try publish("a", bytes: 5, into: BuildStore(folder: folder.path + "/builds"), folder)
    let path = try #require(Paths.real(entry.url.path))
    #expect(BuildStore.entry(ofProgram: path)?.record == entry.record)
    #expect(BuildStore.entry(ofProgram: folder.path + "/release/tiny") == nil)
    #expect(BuildStore.entry(ofProgram: Paths.parent(path) + "/build.json") == nil)
  }

  @Test func buildsThatWereNotUsedForLongestGoFirstAndThoseInUseStay() async throws {
    let folder = try TemporaryFolder()
    var store = BuildStore(folder: folder.path + "/builds")
    var leases: [String: BuildStore.Entry] = [:]
    for (age, commit) in ["a", "b", "c", "d"].enumerated() {
      let entry = try publish(commit, bytes: 1_000, into: store, folder)
      leases[commit] = entry
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(age))],
        ofItemAtPath: entry.url.deletingLastPathComponent().path)
    }
    leases = leases.filter { $0.key == "a" }
    store.maximumCount = 3
    try await expectAfterEviction(["a", "c", "d"], in: store)
    store.maximumBytes = 3_500
    try await expectAfterEviction(["a", "d"], in: store)
    leases = [:]
    store.maximumCount = 0
    try await expectAfterEviction([], in: store)
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder).isEmpty)
  }

  private func expectAfterEviction(_ expected: [String], in store: BuildStore) async throws {
    try await waitUntilOthersAreFree(than: expected, in: store)
    store.evict()
    #expect(try await commits(in: store) == expected)
  }

  /// Waits until all locks except those of `kept` are free. A process that another test starts holds inherited locks
  /// until it calls `exec`.
  private func waitUntilOthersAreFree(than kept: [String], in store: BuildStore) async throws {
    let inUse = try kept.map { try key($0).name() }
    let locks = try FileManager.default.contentsOfDirectory(atPath: store.folder).filter { name in
      name.hasSuffix(".lock") && !inUse.contains { name.hasPrefix($0) }
    }
    for lock in locks {
      while try FileLock.tryTaking("\(store.folder)/\(lock)", .exclusive) == nil {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  private func commits(in store: BuildStore) async throws -> [String] {
    var found: [String] = []
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder)
    for commit in ["a", "b", "c", "d"] {
      let name = try key(commit).name()
      if names.contains(where: { $0.hasPrefix(name) && !$0.hasSuffix(".lock") }) { found.append(commit) }
    }
    return found
  }

  @Test func everyFieldOfAKeyTellsBuildsApart() throws {
    var keys = Array(repeating: key("a"), count: 9)
    keys[1].commit = "b"
    keys[2].tree = "u"
    keys[3].prefix = "Benchmarks"
    keys[4].product = "other"
    keys[5].flags = ["-v"]
    keys[6].toolchain = "10"
    keys[7].resolvedDependencies = ""
    keys[8].environment = ["CC": "gcc"]
    var names = Set(try keys.map { try $0.name() })
    keys[0].copy = 1
    names.insert(try keys[0].name())
    #expect(names.count == 10)
  }

  @Test func aLockHoldsUntilItIsLetGo() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/lock"
    var first: FileLock? = try FileLock.tryTaking(path, .exclusive)
    #expect(first != nil)
    #expect(try FileLock.tryTaking(path, .shared) == nil)
    first = nil
    let shared = [try await FileLock.take(path, .shared), try await FileLock.take(path, .shared)]
    #expect(try FileLock.tryTaking(path, .exclusive) == nil)
    withExtendedLifetime(shared) {}
    #expect(throws: RevisionError.self) { try FileLock.tryTaking(folder.path + "/no/lock", .shared) }
  }

  @Test func aLockOfAFileThatWasRemovedMeanwhileHoldsNothing() throws {
    let path = try TemporaryFolder().path + "-lock"
    defer { unlink(path) }
    let old = try #require(try FileLock.tryTaking(path, .exclusive))
    unlink(path)
    let new = try #require(try FileLock.tryTaking(path, .exclusive))
    #expect(try FileLock.tryTaking(path, .exclusive) == nil)
    withExtendedLifetime((old, new)) {}
  }

  @Test func waitingForALockCanBeCancelled() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/lock"
    let held = try FileLock.tryTaking(path, .exclusive)
    let waiting = Task { try await FileLock.take(path, .exclusive) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    withExtendedLifetime(held) {}
  }

  @Test func thePackageIsLocatedInItsRepository() async throws {
    let repository = try await ThrowawayRepository()
    for name in ["", "/.build/checkouts/dependency"] { try repository.write("", to: "Benchmarks\(name)/Package.swift") }
    let package = repository.root + "/Benchmarks"
    let location = try await PackageLocation.find(package)
    #expect(
      location == PackageLocation(repository: repository.root, prefix: "Benchmarks", buildFolder: package + "/.build"))
    #expect(location.package == package)
  }

  @Test func thePackageIsFoundFromAFolderInItAndNotInABuildFolder() async throws {
    let repository = try await ThrowawayRepository()
    for name in ["", "Benchmarks/", "Benchmarks/.build/checkouts/dependency/"] {
      try repository.write("", to: "\(name)Package.swift")
    }
    try repository.write("", to: "Benchmarks/Sources/mine/main.swift")
    let package = repository.root + "/Benchmarks"
    #expect(PackageFolder.enclosing(package + "/Sources/mine") == package)
    #expect(PackageFolder.enclosing(package + "/.build/checkouts/dependency") == package)
    #expect(PackageFolder.enclosing(repository.root) == repository.root)
    #expect(PackageFolder.enclosing(repository.base) == nil)
    #expect(try PackageFolder.find(package) == package)
    #expect(throws: RevisionError.self) { try PackageFolder.find(repository.base) }
  }

  @Test func foldersAroundTheRepositoryAreLinkedAroundTheCheckout() throws {
    let folder = try TemporaryFolder()
    let base = try #require(Paths.real(folder.path))
    let manager = FileManager.default
    for name in ["a/b/mine", "a/b/near", "a/far"] {
      try manager.createDirectory(atPath: "\(base)/\(name)", withIntermediateDirectories: true)
    }
    let siblings = Siblings(repository: base + "/a/b/mine")
    let checkout = siblings.path(below: base + "/store")
    try manager.createDirectory(atPath: checkout, withIntermediateDirectories: true)
    try siblings.link(below: base + "/store")
    let far = (checkout as NSString).deletingLastPathComponent + "/../far"
    #expect(checkout.hasSuffix("/a/b/mine"))
    #expect(Paths.real(checkout) == checkout)
    #expect(Paths.real(checkout + "/../near") == base + "/a/b/near")
    #expect(Paths.real(far) == base + "/a/far")
  }
}
