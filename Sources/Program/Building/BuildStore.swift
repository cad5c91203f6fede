import Foundation
import FrameBench

/// Programs that were built, each in a folder of its own with what lies beside it. A folder gets its
/// name only once it is whole.
struct BuildStore: Sendable {
  /// Where the folders are.
  var folder: String
  /// Further builds are evicted, the least recently used first.
  var maximumCount = 24
  var maximumBytes = 4 << 30

  /// What is written beside the program, and must be there for it to be trusted.
  struct Record: Codable, Equatable, Sendable {
    var key: BuildKey
    var executableBytes: Int
    var buildSeconds: Double
    /// Seconds since 1970.
    var time: Double
    /// Folders outside the repository that it was built from, and git's hash of what they held.
    var outsideSources: [String: String]
    var notes: [String]
    /// What its functions can be linked in another order with.
    var linkTools: LinkTools?
    /// Why they cannot, where they cannot.
    var linkProblem: String?
  }

  struct Entry: Sendable {
    var url: URL
    var record: Record
    var lease: FileLock

    /// Nil if the program cannot be relinked.
    var recipe: LinkRecipe? {
      let folder = url.deletingLastPathComponent().appendingPathComponent(LinkRecipe.folderName).path
      return record.linkTools.map { LinkRecipe(folder: folder, tools: $0) }
    }
  }

  static let recordName = "build.json"

  /// Whether a program looks for what has that name beside itself.
  static func isCompanion(_ name: String) -> Bool {
    [".resources", ".bundle", ".so"].contains(where: name.hasSuffix)
  }

  /// A whole build of exactly that key, the newest; nil where there is none.
  ///
  /// - Parameter isCurrent: Whether what it was built from outside the repository is as it was.
  func entry(for key: BuildKey, where isCurrent: (Record) async throws -> Bool) async throws -> Entry? {
    let prefix = try key.name() + "-"
    let names = Paths.names(in: folder)
    var entries: [Entry] = []
    for name in names where name.hasPrefix(prefix) && !name.hasSuffix(".lock") {
      guard let entry = try entry(at: "\(folder)/\(name)", for: key) else { continue }
      if try await isCurrent(entry.record) { entries.append(entry) }
    }
    guard let newest = entries.max(by: { $0.record.time < $1.record.time }) else { return nil }
    // The time of the last use, for eviction.
    try? FileManager.default.setAttributes(
      [.modificationDate: Date()], ofItemAtPath: newest.url.deletingLastPathComponent().path)
    return newest
  }

  private func entry(at path: String, for key: BuildKey) throws -> Entry? {
    guard let lease = try FileLock.tryTaking("\(path).lock", .shared),
      let data = FileManager.default.contents(atPath: "\(path)/\(Self.recordName)"),
      let record = try? JSONDecoder().decode(Record.self, from: data), record.key == key
    else { return nil }
    let executable = "\(path)/\(key.product)"
    guard FileManager.default.isExecutableFile(atPath: executable),
      try Self.size(executable) == record.executableBytes
    else { return nil }
    return Entry(url: URL(fileURLWithPath: executable), record: record, lease: lease)
  }

  /// Copies what a build left into `staging`, then gives it its name.
  ///
  /// - Parameter binaries: SwiftPM's folder of products.
  func publish(_ record: Record, binaries: String, staging: String) throws -> Entry {
    var record = record
    let manager = FileManager.default
    let product = record.key.product
    // A name that no other build ever had: one that is being measured is never replaced.
    let path = "\(folder)/\(try record.key.name())-\(UUID().uuidString.prefix(8))"
    do {
      try Paths.makeFolder(folder)
      try Paths.makeFolder(staging)
      for name in try manager.contentsOfDirectory(atPath: binaries)
      where name == product || Self.isCompanion(name) {
        try manager.copyItem(atPath: "\(binaries)/\(name)", toPath: "\(staging)/\(name)")
      }
      record.executableBytes = try Self.size("\(staging)/\(product)")
      let data = try JSONEncoder().encode(record)
      try data.write(to: URL(fileURLWithPath: "\(staging)/\(Self.recordName)"))
      try manager.moveItem(atPath: staging, toPath: path)
    } catch {
      try? manager.removeItem(atPath: staging)
      throw RevisionError.file(folder, error)
    }
    guard let entry = try entry(at: path, for: record.key) else {
      throw RevisionError.files("\(path): the build that was just stored cannot be read")
    }
    return entry
  }

  /// Removes what exceeds the bounds. Builds that are being measured stay.
  @discardableResult
  func evict() -> Removed {
    let manager = FileManager.default
    let names = Paths.names(in: folder).filter { !$0.hasSuffix(".lock") }
    var builds = names.map { name in
      let path = "\(folder)/\(name)"
      let date = (try? manager.attributesOfItem(atPath: path))?[.modificationDate] as? Date
      return (path: path, lastUse: date ?? .distantPast, bytes: Self.bytes(below: path))
    }
    builds.sort { $0.lastUse < $1.lastUse }
    var count = builds.count
    var bytes = builds.map(\.bytes).reduce(0, +)
    var removed = Removed()
    for build in builds where count > maximumCount || bytes > maximumBytes {
      guard let lock = try? FileLock.tryTaking("\(build.path).lock", .exclusive) else {
        removed.inUse += 1
        continue
      }
      withExtendedLifetime(lock) {
        try? manager.removeItem(atPath: build.path)
        try? manager.removeItem(atPath: "\(build.path).lock")
      }
      count -= 1
      bytes -= build.bytes
      removed.count += 1
      removed.bytes += build.bytes
    }
    return removed
  }

  private static func size(_ path: String) throws -> Int {
    (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// Of files; folders are not counted.
  static func bytes(below path: String) -> Int {
    guard let files = FileManager.default.enumerator(atPath: path) else { return 0 }
    return files.reduce(0) { sum, _ in
      files.fileAttributes?[.type] as? FileAttributeType == .typeRegular
        ? sum + ((files.fileAttributes?[.size] as? Int) ?? 0) : sum
    }
  }
}

/// Everything that determines a build: equal keys give equal programs.
struct BuildKey: Codable, Equatable, Sendable {
  var commit: String
  /// Git's hash of the sources. Those of the working tree are known by it alone.
  var tree: String
  /// The package's folder in the repository.
  var prefix: String
  var product: String
  var flags: [String]
  var toolchain: String
  /// The pinned versions of dependencies, where the revision has none of its own.
  var resolvedDependencies: String?
  /// Variables that the manifest or the compiler may read.
  var environment: [String: String]
  /// Separate builds of the same sources, for comparing a revision with itself.
  var copy: Int

  /// A name for a folder, 32 hexadecimal digits of FNV-1a over the sorted JSON. It need not resist
  /// forgery: the whole key is compared before a build is taken.
  func name() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let bytes = Array(try encoder.encode(self))
    return Checksum(bytes).hexadecimal + Checksum(bytes.reversed()).hexadecimal
  }

  /// The variables that are set and count: the compiler's, and those whose names stand in the manifest.
  static func environment(_ all: [String: String], manifest: String) -> [String: String] {
    let mentioned = Set(manifest.matches(of: /[A-Za-z_][A-Za-z0-9_]*/).map { String($0.output) })
    return all.filter {
      InheritedEnvironment.compilerVariables.contains($0.key) || mentioned.contains($0.key)
    }
  }
}

/// What `springbench clean` removed.
struct Removed: Equatable, Sendable {
  var count = 0
  var bytes = 0
  /// Builds that stayed, since other processes use them.
  var inUse = 0
}
