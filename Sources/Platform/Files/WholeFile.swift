import CProcessControl
import Foundation
import SystemPackage

/// A file that is either replaced completely or not changed, even if the process ends while it writes.
package struct WholeFile {
  /// The path of the file, whose folder must exist.
  package let path: String

  package init(_ path: String) { self.path = path }

  package enum Problem: Error, Equatable, CustomStringConvertible {
    case taken
    case system(Errno)

    package var description: String {
      switch self {
      case .taken: "the name is taken"
      case .system(let problem): "\(problem)" + (Self.remedy(problem).map { "; \($0)" } ?? "")
      }
    }

    static func remedy(_ problem: Errno) -> String? {
      switch problem {
      case .noSpace, .diskQuotaExceeded: "make room and run again"
      case .fileTooLarge: "raise the limit of file sizes (ulimit -f) and run again"
      case .permissionDenied, .notPermitted, .readOnlyFileSystem: "name a folder that you may write to"
      default: nil
      }
    }

    package static func catching<Value>(_ body: () throws -> Value) throws(Self) -> Value {
      try attempt(try body()) { $0 as? Self ?? .system(Errno(of: $0) ?? .ioError) }
    }
  }

  /// Writes a new file, never over an existing one. When this returns, the file is on disk.
  package func create(_ data: Data) throws(Problem) {
    try Problem.catching {
      let hidden = try HiddenEntry.file(in: Paths.parent(path))
      defer { hidden.remove() }
      try hidden.descriptor.writeLasting(data)
      // Unlike a rename, a hard link never replaces another file.
      if link(hidden.path, path) != 0 {
        let problem = Errno.last
        guard problem != .fileExists else { throw Problem.taken }
        // Some file systems lack hard links. The next two steps are safe only while no other process writes the file.
        guard [.notPermitted, .notSupported, .noFunction].contains(problem) else { throw problem }
        guard access(path, F_OK) != 0 else { throw Problem.taken }
        try Errno.check(rename(hidden.path, path))
      }
      try WholeFolder.sync(Paths.parent(path))
    }
  }

  /// Replaces the content of a file and keeps its permissions. Readers see either the old or the new content.
  /// - Parameter beforehand: Work to do when the new file is on disk but not yet visible.
  package func replace(_ data: Data, after beforehand: () throws(Problem) -> Void = {}) throws(Problem) {
    try Problem.catching { try stream(after: beforehand) { try $0(data) } }
  }

  /// Replaces the file like `replace(_:after:)`, but piece by piece. Errors of `body` pass through.
  package func stream(after beforehand: () throws -> Void = {}, _ body: ((Data) throws -> Void) throws -> Void) throws {
    let hidden = try HiddenEntry.file(in: Paths.parent(path))
    defer { hidden.remove() }
    var status = stat()
    if stat(path, &status) == 0 { try Errno.check(fchmod(hidden.descriptor.rawValue, status.st_mode & 0o7777)) }
    try body { _ = try hidden.descriptor.writeAll($0) }
    try hidden.descriptor.writeLasting(Data())
    try beforehand()
    try Errno.check(rename(hidden.path, path))
    try WholeFolder.sync(Paths.parent(path))
  }
}

/// A folder of files that is either replaced completely or not changed, even if the process ends while it writes.
package struct WholeFolder {
  package typealias File = (name: String, data: Data)
  package typealias Problem = WholeFile.Problem

  package let path: String

  /// - Parameter path: If it is a symbolic link to a folder, its target is used.
  package init(path: String) { self.path = Paths.target(path) }

  private var parent: String { Paths.parent(path) }

  /// Writes a new folder. Throws `taken` if something exists at the path.
  package func create(_ files: [File]) throws(Problem) {
    guard access(path, F_OK) != 0 else { throw .taken }
    try writing(files, in: parent) { hidden in
      guard rename(hidden, path) != 0 else { return }
      let problem = Errno.last
      guard ![.fileExists, .directoryNotEmpty, .notDirectory].contains(problem) else { throw Problem.taken }
      throw problem
    }
  }

  package func replace(_ files: [File]) throws(Problem) {
    try writing(files, in: parent) { hidden in
      // After the exchange the old folder has the hidden name, and is removed.
      guard process_control_exchange(hidden, path) != 0, rename(hidden, path) != 0 else { return }
      // Not every file system can exchange folders. In this case, the folder does not exist for a moment.
      let old = try HiddenEntry.folder(in: parent)
      var isOnlyCopy = false
      defer { if !isOnlyCopy { old.remove() } }
      try Errno.check(rename(path, old.path))
      guard rename(hidden, path) != 0 else { return }
      let problem = Errno.last
      isOnlyCopy = rename(old.path, path) != 0
      throw problem
    }
  }

  /// Adds these files to an existing folder. No file is visible before all of them are on disk.
  package func add(_ files: [File]) throws(Problem) {
    try writing(files, in: path) { hidden in
      for file in files { try Errno.check(rename(Paths.joined(hidden, file.name), Paths.joined(path, file.name))) }
    }
  }

  /// Removes the folder. It gets a hidden name first, so that a partial removal is never visible.
  package func remove() throws(Problem) {
    try Problem.catching {
      let hidden = try HiddenEntry.folder(in: parent)
      defer { hidden.remove() }
      try Errno.check(rename(path, hidden.path))
    }
  }

  /// Writes the files into a hidden folder, calls `body` with its path, and waits until the result is on disk.
  private func writing(_ files: [File], in parent: String, _ body: (String) throws -> Void) throws(Problem) {
    try Problem.catching {
      try Paths.makeFolder(parent)
      let hidden = try HiddenEntry.folder(in: parent)
      defer { hidden.remove() }
      var made: Set<String> = [hidden.path]
      for file in files {
        let target = "\(hidden.path)/\(file.name)"
        let folder = Paths.parent(target)
        if made.insert(folder).inserted { try Paths.makeFolder(folder) }
        let descriptor = try FileDescriptor.open(new: target)
        try descriptor.closeAfter { try descriptor.writeLasting(file.data) }
      }
      for folder in made { try Self.sync(folder) }
      try body(hidden.path)
      try Self.sync(parent)
    }
  }

  /// Waits until the names in a folder are on disk. Otherwise a crash of the system may lose names of files whose
  /// content is on disk.
  package static func sync(_ folder: String) throws {
    let descriptor = try FileDescriptor.open(folder: folder)
    try descriptor.closeAfter {
      // Some file systems do not sync folders, and return EINVAL.
      if fsync(descriptor.rawValue) != 0, Errno.last != .invalidArgument { throw Errno.last }
    }
  }
}

/// A file or folder that has a hidden name until it is complete, or a temporary folder. This object removes the entry
/// on deinit, unless the entry was renamed. An entry is locked while its writer lives, so an unlocked entry is a
/// leftover of a killed writer.
package final class HiddenEntry: Sendable {
  package let path: String
  private let lock: FileLock
  package var descriptor: FileDescriptor { FileDescriptor(rawValue: lock.descriptor) }

  /// Nil if the file or folder was removed before it was locked.
  private init?(_ path: String, locking descriptor: FileDescriptor) {
    self.path = path
    lock = FileLock(descriptor: descriptor.rawValue)
    // On file systems where locks do not work, `sweep` removes nothing, so no lock is needed.
    guard (try? lock.hold(LOCK_EX)) == nil || lock.isNamed(path) else { return nil }
  }

  deinit { remove() }

  /// Creates a file with a hidden name. First removes this user's hidden files and folders whose writers were killed.
  package static func file(in folder: String) throws -> HiddenEntry {
    sweep(folder)
    return try make(in: folder, prefix: leftoverPrefix) { try .open(new: $0) }
  }

  /// Creates a temporary folder that only this user can read. If the process is killed, a later process removes it.
  /// - Parameter prefix: The beginning of the names of all such folders. Nothing else may have such a name.
  package static func scratch(in parent: String, prefix: String) throws(RevisionError) -> HiddenEntry {
    try RevisionError.naming(parent) { try folder(in: parent, prefix: prefix, permissions: 0o700) }
  }

  /// The beginning of the names of scratch folders in the system's temporary folder.
  package static let temporaryPrefix = "springbench-scratch-"

  package static func folder(
    in folder: String, prefix: String = HiddenEntry.leftoverPrefix, permissions: mode_t = 0o777
  ) throws -> HiddenEntry {
    sweep(folder, prefix: prefix)
    return try make(in: folder, prefix: prefix) { path in
      try Errno.check(mkdir(path, permissions))
      do { return try .open(folder: path) } catch Errno.noSuchFileOrDirectory {
        return nil  // Removed in between.
      }
    }
  }

  private static let leftoverPrefix = ".writing-"

  private static func make(in folder: String, prefix: String, _ open: (String) throws -> FileDescriptor?) throws
    -> HiddenEntry
  {
    while true {
      let path = "\(folder)/\(prefix)\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
      if let descriptor = try open(path), let entry = HiddenEntry(path, locking: descriptor) { return entry }
    }
  }

  package func remove() { try? Paths.remove(path) }

  /// Removes the hidden files and folders that ended processes left in a folder.
  package static func sweep(_ folder: String, prefix: String = HiddenEntry.leftoverPrefix) {
    for name in Paths.names(in: folder) where name.hasPrefix(prefix) {
      let path = "\(folder)/\(name)"
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      // Even root leaves another user's entry alone, because that user may have put something harmful into it.
      var status = stat()
      let isOwn = fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
      if isOwn, flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try? Paths.remove(path) }
      close(descriptor)
    }
  }
}

extension FileDescriptor {
  /// Writes the data and waits until it is on disk.
  package func writeLasting(_ data: Data) throws {
    _ = try writeAll(data)
    // This also reports exceeded quotas, which some file systems check late.
    try Errno.check(fsync(rawValue))
  }

  fileprivate static func open(new path: String) throws -> FileDescriptor {
    try open(
      FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
      permissions: FilePermissions(rawValue: 0o666))
  }

  fileprivate static func open(folder path: String) throws -> FileDescriptor {
    try open(FilePath(path), .readOnly, options: [.directory, .closeOnExec])
  }
}
