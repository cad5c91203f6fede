import CProcessControl
import Foundation
import SystemPackage

/// A file that is either replaced completely or stays as it was, whatever happens while it is written.
struct WholeFile {
  /// Its folder must exist.
  let path: String

  init(_ path: String) { self.path = path }

  enum Problem: Error, Equatable {
    case taken
    case system(String, Errno)
  }

  /// Writes a new file, never over an existing one. It is durable once this returns.
  func create(_ data: Data) throws(Problem) {
    let hidden = try HiddenEntry.file(in: Paths.parent(path))
    defer { hidden.remove() }
    try Problem.naming(hidden.path) { try hidden.descriptor.writeLasting(data) }
    // Unlike a rename, a link never replaces another file.
    if link(hidden.path, path) != 0 {
      let problem = Errno.last
      guard problem != .fileExists else { throw .taken }
      // Some file systems have no links. Writers hold a lock, so no other process interferes.
      guard [.notPermitted, .notSupported, .noFunction].contains(problem) else {
        throw .system(path, problem)
      }
      guard access(path, F_OK) != 0 else { throw .taken }
      try Problem.naming(path) { try Errno.check(rename(hidden.path, path)) }
    }
    try WholeFolder.sync(Paths.parent(path))
  }

  /// Rewrites a file, keeping its permissions; readers see the old one or the new one.
  ///
  /// - Parameter beforehand: Work to do once the new file is on disk, and before it is visible.
  func replace(_ data: Data, after beforehand: () throws(Problem) -> Void = {}) throws(Problem) {
    try Problem.naming(path) { try stream(after: beforehand) { try $0(data) } }
  }

  /// As `replace(_:after:)`, piece by piece. Errors of `body` pass through.
  func stream(
    after beforehand: () throws -> Void = {}, _ body: ((Data) throws -> Void) throws -> Void
  ) throws {
    let hidden = try HiddenEntry.file(in: Paths.parent(path))
    defer { hidden.remove() }
    var status = stat()
    if stat(path, &status) == 0 {
      try Errno.check(fchmod(hidden.descriptor.rawValue, status.st_mode & 0o7777))
    }
    try body { _ = try hidden.descriptor.writeAll($0) }
    try hidden.descriptor.writeLasting(Data())
    try beforehand()
    try Errno.check(rename(hidden.path, path))
    try WholeFolder.sync(Paths.parent(path))
  }
}

extension WholeFile.Problem: CustomStringConvertible {
  var description: String {
    switch self {
    case .taken: "the name is taken"
    case .system(_, let problem): "\(problem)" + (Self.remedy(problem).map { "; \($0)" } ?? "")
    }
  }

  private static func remedy(_ problem: Errno) -> String? {
    switch problem {
    case .noSpace, .diskQuotaExceeded: "make room and run again"
    case .fileTooLarge: "raise the limit of file sizes (ulimit -f) and run again"
    case .permissionDenied, .notPermitted, .readOnlyFileSystem: "name a folder that you may write to"
    default: nil
    }
  }

  /// Turns errors of `body` into problems with a path.
  static func naming<Value>(_ path: String, _ body: () throws -> Value) throws(Self) -> Value {
    do {
      return try body()
    } catch {
      throw error as? Self ?? .system(path, Errno(of: error) ?? .ioError)
    }
  }
}

extension FileDescriptor {
  /// Writes and waits for the disk.
  func writeLasting(_ data: Data) throws {
    _ = try writeAll(data)
    // Also reports quotas that are checked late.
    try Errno.check(fsync(rawValue))
  }
}

/// A folder of files that is either replaced completely or stays as it was, whatever happens while it is
/// written.
struct WholeFolder {
  typealias File = (name: String, data: Data)
  typealias Problem = WholeFile.Problem

  let path: String

  /// - Parameter path: If it is a symbolic link to a folder, its target is used.
  init(path: String) { self.path = Paths.target(path) }

  private var parent: String { Paths.parent(path) }

  /// Writes a new folder, never over one with files in it.
  ///
  /// - Throws: `.taken` if there is one.
  func create(_ files: [File]) throws(Problem) {
    guard access(path, F_OK) != 0 else { throw .taken }
    let hidden = try Self.written(files, in: parent)
    defer { hidden.remove() }
    guard rename(hidden.path, path) == 0 else {
      let problem = Errno.last
      throw [.fileExists, .directoryNotEmpty, .notDirectory].contains(problem)
        ? .taken : .system(path, problem)
    }
    try Self.sync(parent)
  }

  /// Replaces the content of the folder by these files.
  func replace(_ files: [File]) throws(Problem) {
    let hidden = try Self.written(files, in: parent)
    defer { hidden.remove() }
    // Now the old folder has the hidden name, and is removed with it.
    if process_control_exchange(hidden.path, path) != 0, rename(hidden.path, path) != 0 {
      // Not every file system exchanges folders: for a moment there is none.
      let old = try HiddenEntry.folder(in: parent)
      defer { old.remove() }
      try Problem.naming(path) {
        try Errno.check(rename(path, old.path))
        guard rename(hidden.path, path) != 0 else { return }
        let problem = Errno.last
        rename(old.path, path)
        throw problem
      }
    }
    try Self.sync(parent)
  }

  /// Adds these files to an existing folder: none is visible before all of them are on disk.
  func add(_ files: [File]) throws(Problem) {
    let hidden = try Self.written(files, in: path)
    defer { hidden.remove() }
    for file in files {
      let target = Paths.joined(path, file.name)
      try Problem.naming(target) { try Errno.check(rename(Paths.joined(hidden.path, file.name), target)) }
    }
    try Self.sync(path)
  }

  /// Moves the folder out of the way first, so that a partial removal is never visible.
  func remove() throws(Problem) {
    let hidden = try HiddenEntry.folder(in: parent)
    defer { hidden.remove() }
    try Problem.naming(path) { try Errno.check(rename(path, hidden.path)) }
  }

  /// A hidden folder of the files.
  private static func written(_ files: [File], in parent: String) throws(Problem) -> HiddenEntry {
    try Problem.naming(parent) { try Paths.makeFolder(parent) }
    let hidden = try HiddenEntry.folder(in: parent)
    do throws(Problem) {
      var made: Set<String> = [hidden.path]
      for file in files {
        let target = "\(hidden.path)/\(file.name)"
        let folder = Paths.parent(target)
        try Problem.naming(target) {
          if made.insert(folder).inserted { try Paths.makeFolder(folder) }
          let descriptor = try FileDescriptor.open(new: target)
          try descriptor.closeAfter { try descriptor.writeLasting(file.data) }
        }
      }
      for folder in made { try sync(folder) }
    } catch {
      hidden.remove()
      throw error
    }
    return hidden
  }

  /// Makes names durable: otherwise a folder's names may be lost even if its files are not.
  static func sync(_ folder: String) throws(Problem) {
    try Problem.naming(folder) {
      let descriptor = try FileDescriptor.open(folder: folder)
      // Some file systems do not sync folders, and return EINVAL.
      try descriptor.closeAfter {
        if fsync(descriptor.rawValue) != 0, Errno.last != .invalidArgument { throw Errno.last }
      }
    }
  }
}

/// A file or a folder under a hidden name while it is written. It is locked while its writer lives, which
/// distinguishes it from the remains of a killed writer.
final class HiddenEntry: Sendable {
  let path: String
  let descriptor: FileDescriptor

  /// Nil if it was removed before it was locked.
  ///
  /// - Parameter descriptor: The open file or folder; closed with this.
  private init?(_ path: String, locking descriptor: FileDescriptor) {
    self.path = path
    self.descriptor = descriptor
    while flock(descriptor.rawValue, LOCK_EX) != 0 {
      // If locks do not work, nothing is removed either.
      guard errno == EINTR else { return }
    }
    guard FileLock.isNamed(path, descriptor.rawValue) else { return nil }
  }

  deinit { try? descriptor.close() }

  /// Removes files of killed writers in the folder first.
  static func file(in folder: String) throws(WholeFile.Problem) -> HiddenEntry {
    sweep(folder)
    return try make(in: folder) { try .open(new: $0) }
  }

  /// A folder that exists as long as this process, or until it is removed or renamed.
  ///
  /// - Parameters:
  ///   - prefix: Beginning of the names of all such folders, and of nothing else.
  ///   - permissions: Before the process's mask.
  static func folder(
    in folder: String, prefix: String = HiddenEntry.leftoverPrefix, permissions: mode_t = 0o777
  ) throws(WholeFile.Problem) -> HiddenEntry {
    sweep(folder, prefix: prefix)
    return try make(in: folder, prefix: prefix) { path in
      try Errno.check(mkdir(path, permissions))
      do {
        return try .open(folder: path)
      } catch Errno.noSuchFileOrDirectory {
        return nil  // Removed in between.
      }
    }
  }

  private static let leftoverPrefix = ".writing-"

  private static func make(
    in folder: String, prefix: String = HiddenEntry.leftoverPrefix, _ open: (String) throws -> FileDescriptor?
  ) throws(WholeFile.Problem) -> HiddenEntry {
    while true {
      let path = "\(folder)/\(prefix)\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
      let descriptor = try WholeFile.Problem.naming(path) { try open(path) }
      if let descriptor, let entry = HiddenEntry(path, locking: descriptor) { return entry }
    }
  }

  func remove() { Self.remove(path) }

  /// Removes entries of processes that have ended.
  static func sweep(_ folder: String, prefix: String = HiddenEntry.leftoverPrefix) {
    for name in Paths.names(in: folder) where name.hasPrefix(prefix) {
      let path = "\(folder)/\(name)"
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
      close(descriptor)
    }
  }

  private static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}

extension FileDescriptor {
  fileprivate static func open(new path: String) throws -> FileDescriptor {
    try open(
      FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
      permissions: FilePermissions(rawValue: 0o666))
  }

  fileprivate static func open(folder path: String) throws -> FileDescriptor {
    try open(FilePath(path), .readOnly, options: [.directory, .closeOnExec])
  }
}

/// A folder that exists as long as this value, readable only by this user. If the process is killed, the
/// next one that cleans up removes it.
final class ScratchFolder: Sendable {
  /// Beginning of names in the system's temporary folder.
  static let temporaryPrefix = "springbench-scratch-"

  var path: String { entry.path }
  private let entry: HiddenEntry

  /// - Parameters:
  ///   - parent: Must exist.
  ///   - prefix: Beginning of the names of all such folders, and of nothing else.
  init(in parent: String, prefix: String) throws(RevisionError) {
    do throws(WholeFile.Problem) {
      entry = try HiddenEntry.folder(in: parent, prefix: prefix, permissions: 0o700)
    } catch {
      guard case .system(let path, let problem) = error else { throw .files("\(parent): \(error)") }
      throw .file(path, problem)
    }
  }

  deinit { entry.remove() }
}
