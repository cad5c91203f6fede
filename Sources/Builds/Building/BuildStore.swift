import Foundation
import FrameBench
import Linking
import Platform

/// A folder of built programs. Each program has its own folder, together with the libraries and resources that it
/// needs. A program's folder gets its final name only when it is complete.
package struct BuildStore: Sendable {
  package var folder: String
  /// The maximum number of builds. The least recently used builds are removed first.
  package var maximumCount = 24
  package var maximumBytes = 4 << 30

  package init(folder: String) { self.folder = folder }

  /// Metadata that is stored next to the program as `build.json`. A program without this file is not used.
  package struct Record: Codable, Equatable, Sendable {
    package var key: BuildKey
    /// Checksums, by name, of the program, of the libraries and resources beside it, and of its object files.
    package var checksums: [String: String] = [:]
    package var buildSeconds: Double
    /// The time of the build, in seconds since 1970.
    package var time: Double
    /// Checksums of files outside of the revision, as in `Surroundings.all`.
    package var outsideSources: [String: String] = [:]
    package var notes: [String] = []
    package var linkTools: LinkTools?
    package var linkProblem: String?
  }

  package struct Entry: Sendable {
    package var url: URL
    package var record: Record
    package var lease: FileLock

    package var folder: String { Paths.parent(url.path) }

    package var recipe: LinkRecipe? {
      record.linkTools.map { LinkRecipe(folder: "\(folder)/\(LinkRecipe.folderName)", tools: $0) }
    }
  }

  /// Returns the names of the files that a program may look for in its own folder: libraries and resource bundles. For
  /// a stored build, these are also the other programs of the build.
  package static func companions(in folder: String) -> [String] {
    guard let record = record(in: folder) else { return Paths.names(in: folder).filter(isCompanion) }
    return record.checksums.keys.filter { $0 != record.key.product && $0 != LinkRecipe.folderName }
  }

  private static func isCompanion(_ name: String) -> Bool { name.contains(/\.(resources|bundle|so(\.[0-9]+)*)$/) }

  /// Returns the names of all libraries, resource bundles and programs in SwiftPM's folder of products. Macros and
  /// tools of plug-ins are left out, because only the build runs them.
  package static func products(in binaries: String) -> [String] {
    Paths.names(in: binaries).filter { name in
      let mode = Paths.mode("\(binaries)/\(name)") ?? 0
      return isCompanion(name) || (mode & S_IFMT == S_IFREG && mode & S_IXUSR != 0 && !name.hasSuffix("-tool"))
    }
  }

  fileprivate static func record(in folder: String) -> Record? {
    FileManager.default.contents(atPath: "\(folder)/build.json").flatMap {
      try? JSONDecoder().decode(Record.self, from: $0)
    }
  }

  /// Creates symbolic links to files of `folder` in the folder `other`, unless `other` already has files of these
  /// names.
  package static func link(_ names: [String], of folder: String, into other: String) throws {
    let manager = FileManager.default
    for name in names where !manager.fileExists(atPath: "\(other)/\(name)") {
      try manager.createSymbolicLink(atPath: "\(other)/\(name)", withDestinationPath: "\(folder)/\(name)")
    }
  }

  /// Returns the newest complete build with exactly this key; nil if there is none.
  /// - Parameter isCurrent: Returns whether a build's sources outside the repository are unchanged.
  package func entry(for key: BuildKey, where isCurrent: (Record) -> Bool) throws -> Entry? {
    let prefix = try key.name() + "-"
    var entries: [Entry] = []
    for name in Paths.names(in: folder) where name.hasPrefix(prefix) && !name.hasSuffix(".lock") {
      guard let entry = try entry(at: "\(folder)/\(name)", for: key) else { continue }
      if isCurrent(entry.record) { entries.append(entry) }
    }
    guard let newest = entries.max(by: { $0.record.time < $1.record.time }) else { return nil }
    // The modification time is the time of the last use, by which `evict` chooses the builds to remove.
    try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: newest.folder)
    return newest
  }

  /// Returns the stored build of the program at a path. Nil if the program is in no store, or in a store that cannot be
  /// written to.
  package static func entry(ofProgram path: String) -> Entry? {
    let folder = Paths.parent(path)
    let entry = try? BuildStore(folder: Paths.parent(folder)).entry(at: folder, for: nil)
    return entry?.url.path == path ? entry : nil
  }

  private func entry(at path: String, for key: BuildKey?) throws -> Entry? {
    guard let record = Self.record(in: path), record.key == key ?? record.key,
      let lease = try FileLock.tryTaking("\(path).lock", .shared)
    else { return nil }
    let executable = "\(path)/\(record.key.product)"
    // Among files that were added later, only libraries and resource bundles count, because a benchmark may write other
    // files beside its program.
    let names = Set(record.checksums.keys).union(Paths.names(in: path).filter(Self.isCompanion))
    guard FileManager.default.isExecutableFile(atPath: executable),
      Self.checksums(of: names, in: path) == record.checksums
    else { return nil }
    return Entry(url: URL(fileURLWithPath: executable), record: record, lease: lease)
  }

  /// Copies the products of a build from SwiftPM's folder `binaries` to `staging`, then moves `staging` into the store.
  package func publish(_ record: Record, binaries: String, staging: String) throws -> Entry {
    var record = record
    let manager = FileManager.default
    let product = record.key.product
    // The name is unique, so that no program is replaced while it is measured.
    let path = "\(folder)/\(try record.key.name())-\(UUID().uuidString.prefix(8))"
    do {
      try Paths.makeFolder(folder)
      try Paths.makeFolder(staging)
      // A symbolic link could lead to the program of another revision.
      guard Paths.mode("\(binaries)/\(product)").map({ $0 & S_IFMT }) == S_IFREG else {
        throw RevisionError(.sources, "the product \(product) is no regular file; let SwiftPM link it")
      }
      for name in Set(Self.products(in: binaries) + [product]) {
        guard FileTree(path: "\(binaries)/\(name)", isOfSources: false).isCopyable else {
          throw RevisionError(.sources, "\(name) next to \(product) holds a pipe or a socket; let the build remove it")
        }
        try manager.copyItem(atPath: "\(binaries)/\(name)", toPath: "\(staging)/\(name)")
      }
      guard let sums = Self.checksums(of: Set(Paths.names(in: staging)), in: staging) else {
        throw RevisionError(
          .failure,
          "the resources of \(product) cannot be read, or have more than 4 GiB or a million files; without checksums"
            + " they are not stored, so make them smaller")
      }
      record.checksums = sums
      let data = try JSONEncoder().encode(record)
      try data.write(to: URL(fileURLWithPath: "\(staging)/build.json"))
      try manager.moveItem(atPath: staging, toPath: path)
    } catch {
      try? manager.removeItem(atPath: staging)
      throw RevisionError.file(folder, error)
    }
    guard let entry = try entry(at: path, for: record.key) else {
      throw RevisionError(.failure, "\(path): the build that was just stored cannot be read")
    }
    return entry
  }

  /// Removes builds until their number and their bytes are within the limits. Builds that are in use stay. Folders of
  /// link orders count as bytes, but not as builds.
  @discardableResult package func evict() -> Removed {
    let manager = FileManager.default
    let paths = Paths.names(in: folder).filter { !$0.hasSuffix(".lock") }.map { "\(folder)/\($0)" }
    let builds = paths.map { path in
      let date = (try? manager.attributesOfItem(atPath: path))?[.modificationDate] as? Date
      let isBuild = !path.hasSuffix(LinkOrderPool.folderSuffix)
      return (path: path, isBuild: isBuild, lastUse: date ?? .distantPast, bytes: Self.bytes(below: path))
    }.sorted { $0.lastUse < $1.lastUse }
    var (count, bytes) = (builds.count { $0.isBuild }, builds.map(\.bytes).reduce(0, +))
    var removed = Removed()
    for build in builds where count > maximumCount || bytes > maximumBytes || maximumCount == 0 {
      guard let lock = try? FileLock.tryTaking("\(build.path).lock", .exclusive) else {
        removed.inUse += 1
        continue
      }
      withExtendedLifetime(lock) {
        try? manager.removeItem(atPath: build.path)
        try? manager.removeItem(atPath: "\(build.path).lock")
      }
      bytes -= build.bytes
      if build.isBuild { (count, removed.count) = (count - 1, removed.count + 1) }
      removed.bytes += build.bytes
    }
    return removed
  }

  /// Returns the checksums of files or folders of a build, by name. Nil if one of them has no checksum.
  private static func checksums(of names: Set<String>, in folder: String) -> [String: String]? {
    // With `isOfSources: true`, `.build` folders would be left out, and stored object files are in such a folder.
    let known = names.compactMap { name in
      FileTree(path: "\(folder)/\(name)", isOfSources: false).checksum().map { (name, $0) }
    }
    return known.count == names.count ? Dictionary(uniqueKeysWithValues: known) : nil
  }

  /// Returns the total size of all regular files below a path, in bytes.
  package static func bytes(below path: String) -> Int {
    guard let files = FileManager.default.enumerator(atPath: path) else { return 0 }
    return files.reduce(0) { sum, _ in
      files.fileAttributes?[.type] as? FileAttributeType == .typeRegular
        ? sum + ((files.fileAttributes?[.size] as? Int) ?? 0) : sum
    }
  }
}

/// Everything that determines a build, except sources outside the repository (see `Record.outsideSources`).
package struct BuildKey: Codable, Equatable, Sendable {
  package var commit: String
  /// Git's hash of the sources. A working tree with uncommitted changes has no commit, so `commit` has this hash, too.
  package var tree: String
  /// The commit of sources without uncommitted changes.
  package var cleanCommit: String? { commit == tree ? nil : commit }
  /// The package's folder in the repository.
  package var prefix: String
  package var product: String
  package var flags: [String]
  package var toolchain: String
  /// The text of the `Package.resolved` for a revision that has none of its own: the user's, or else the one that an
  /// earlier build kept. Nil if there is neither, or if the revision has its own.
  package var resolvedDependencies: String?
  /// Checksums of SwiftPM's settings for the package and for the user, such as mirrors, of git's filters, and of the
  /// patterns of a sparse checkout, and then those of files that flags name. An element is nil if there are no such
  /// settings.
  package var configuration: [String?] = []
  /// Checksums, by name, of the variables that the manifest or the compiler may read. The values may be secret.
  package var environment: [String: String]
  /// A number that distinguishes separate builds of the same sources, for comparing a revision with itself.
  package var copy: Int

  /// Returns a folder name for this key: 32 hexadecimal digits of FNV-1a hashes. Different keys may have the same name,
  /// so the whole key is compared before a build is used.
  package func name() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let bytes = Array(try encoder.encode(self))
    return Checksum(bytes).hexadecimal + Checksum(bytes.reversed()).hexadecimal
  }

  /// Returns the checksums of the environment variables in `all` that can affect a build: those that compilers read,
  /// those that the manifest mentions, and those that a plug-in or the manifest of a dependency may read. Other variables
  /// that builds get, such as `LANG`, do not count.
  package static func environment(_ all: [String: String], manifest: String) -> [String: String] {
    let mentioned = manifest.matches(of: /[A-Za-z_][A-Za-z0-9_]*/).map { String($0.output) }
    let names = InheritedEnvironment.names(in: all[InheritedEnvironment.passVariable]).union(
      mentioned + InheritedEnvironment.compilerVariables + ["CI"])
    return all.filter { name, _ in
      names.contains(name) || ["SWIFT_", "SPRINGBENCH_SYSTEM_"].contains(where: name.hasPrefix)
    }.mapValues { Checksum(Data($0.utf8)).hexadecimal }
  }
}

package struct Removed: Equatable, Sendable {
  package var count = 0
  package var bytes = 0
  /// The number of builds that stayed because other processes use them.
  package var inUse = 0

  package init() {}
}

extension ProgramIdentity {
  /// Whether the libraries and resources beside two programs have the same names and contents. In ELF files, symbols
  /// and debug information may differ (see `areSame`).
  package static func haveSameCompanions(_ paths: [String]) -> Bool {
    let programs = paths.map { Paths.real($0) ?? $0 }
    if Paths.parent(programs[0]) == Paths.parent(programs[1]) { return true }
    let (own, others) = (companions(of: programs[0]), companions(of: programs[1]))
    return own.keys == others.keys
      && own.allSatisfy { path, file in
        let contents = [file, others[path] ?? ""].map { file in
          Paths.kind(file) == S_IFREG ? FileManager.default.contents(atPath: file) ?? Data() : Data()
        }
        return contents[0] == contents[1] || areSame([UInt8](contents[0]), [UInt8](contents[1]))
      }
  }

  /// Returns the paths of the files and folders beside a program. The keys are paths below the program's folder, with the
  /// targets of symbolic links.
  private static func companions(of program: String) -> [String: String] {
    let folder = Paths.parent(program)
    let manager = FileManager.default
    // Of a program that is in no store, it is not known which of the programs beside it belong to it.
    let names =
      BuildStore.record(in: folder) == nil
      ? BuildStore.products(in: folder).filter { $0 != Paths.name(program) } : BuildStore.companions(in: folder)
    var files: [String: String] = [:]
    for name in names {
      let below = manager.enumerator(atPath: "\(folder)/\(name)")?.compactMap { $0 as? String } ?? []
      for path in [name] + below.map({ "\(name)/\($0)" }) {
        let file = "\(folder)/\(path)"
        let target = (try? manager.destinationOfSymbolicLink(atPath: file)).map { " -> \($0)" }
        files[path + (target ?? "")] = file
      }
    }
    return files
  }
}
