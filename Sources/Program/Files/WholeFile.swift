import CProcessControl
import Foundation
import SystemPackage

/// A file that is either replaced whole or stays as it was, whatever happens while it is written.
struct WholeFile {
  /// The folder, which must be there.
  var folder: String

  /// Writers that were killed leave files that begin like this.
  static let leftoverPrefix = ".writing-"

  enum Problem: Error, Equatable {
    case taken
    case system(String, Int32)
  }

  /// Writes a new file; never one that is there already. It lasts once this returns.
  func create(_ name: String, _ data: Data) throws(Problem) {
    let hidden = try writeHidden(data)
    defer { hidden.remove() }
    let path = "\(folder)/\(name)"
    // Unlike a rename, a link never takes the place of another file.
    if link(hidden.path, path) != 0 {
      let problem = errno
      guard problem != EEXIST else { throw .taken }
      // Some file systems have no links. Writers hold a lock, so that nobody comes in between.
      guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(problem) else { throw .system(path, problem) }
      guard access(path, F_OK) != 0 else { throw .taken }
      guard rename(hidden.path, path) == 0 else { throw .system(path, errno) }
    }
    try WholeFolder.sync(folder)
  }

  /// Rewrites a file, keeping its permissions; readers see the old one or the new one.
  ///
  /// - Parameter beforehand: What has to be done once the disk has taken the new one, and before it is seen.
  func replace(
    _ name: String, _ data: Data, after beforehand: () throws(Problem) -> Void = {}
  ) throws(Problem) {
    let path = "\(folder)/\(name)"
    let hidden = try writeHidden(data, permissions: permissions(of: name))
    do throws(Problem) {
      try beforehand()
    } catch {
      hidden.remove()
      throw error
    }
    guard rename(hidden.path, path) == 0 else {
      let problem = errno
      hidden.remove()
      throw .system(path, problem)
    }
    try WholeFolder.sync(folder)
  }

  /// As `replace(_:_:)`, a piece at a time. Throws what `body` throws, too.
  func replace(_ name: String, _ body: ((String) throws -> Void) throws -> Void) throws {
    let hidden = try makeHidden()
    do {
      if let permissions = permissions(of: name), fchmod(hidden.descriptor, permissions) != 0 {
        throw Errno(rawValue: errno)
      }
      try body { _ = try FileDescriptor(rawValue: hidden.descriptor).writeAll($0.utf8) }
      guard fsync(hidden.descriptor) == 0, rename(hidden.path, "\(folder)/\(name)") == 0 else {
        throw Errno(rawValue: errno)
      }
    } catch {
      hidden.remove()
      throw error
    }
    try WholeFolder.sync(folder)
  }

  /// Nil where there is no such file.
  private func permissions(of name: String) -> mode_t? {
    var status = stat()
    return stat("\(folder)/\(name)", &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  /// Writes 4 KB and takes them away again.
  func tryWriting() throws(Problem) { try writeHidden(Data(count: 4_096)).remove() }

  /// Removes what killed writers left behind.
  func sweep() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(Self.leftoverPrefix) { HiddenEntry.sweep("\(folder)/\(name)") }
  }

  private func writeHidden(_ data: Data, permissions: mode_t? = nil) throws(Problem) -> HiddenEntry {
    let hidden = try makeHidden()
    try Self.write(data, to: hidden.descriptor, hidden.path, permissions)
    return hidden
  }

  /// An empty file under a hidden name.
  private func makeHidden() throws(Problem) -> HiddenEntry {
    sweep()
    while true {
      let unique = String(UInt64.random(in: 0 ... .max), radix: 36)
      let path = "\(folder)/\(Self.leftoverPrefix)\(getpid())-\(unique)"
      let descriptor = try Self.open(new: path)
      if let hidden = HiddenEntry(path, locking: descriptor) { return hidden }
    }
  }

  /// Writes a file that is not there yet, and has the disk take it; on failure there is none.
  static func write(_ data: Data, toNew path: String) throws(Problem) {
    let descriptor = try open(new: path)
    defer { close(descriptor) }
    try write(data, to: descriptor, path, nil)
  }

  private static func open(new path: String) throws(Problem) -> Int32 {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .system(path, errno) }
    return descriptor
  }

  private static func write(
    _ data: Data, to descriptor: Int32, _ path: String, _ permissions: mode_t?
  ) throws(Problem) {
    var problem: Int32?
    if let permissions, fchmod(descriptor, permissions) != 0 { problem = errno }
    do {
      _ = try FileDescriptor(rawValue: descriptor).writeAll(data)
    } catch {
      problem = (error as? Errno)?.rawValue ?? EIO
    }
    // Also where quotas are checked late.
    if problem == nil, fsync(descriptor) != 0 { problem = errno }
    guard let problem else { return }
    unlink(path)
    throw .system(path, problem)
  }
}

extension WholeFile.Problem: CustomStringConvertible {
  var description: String {
    switch self {
    case .taken: "the name is taken"
    case .system(_, let number):
      String(cString: strerror(number)) + (Self.remedy(number).map { "; \($0)" } ?? "")
    }
  }

  private static func remedy(_ number: Int32) -> String? {
    switch number {
    case ENOSPC, EDQUOT: "make room and run again"
    case EFBIG: "raise the limit of file sizes (ulimit -f) and run again"
    case EACCES, EPERM, EROFS: "name a folder that you may write to"
    default: nil
    }
  }
}

/// A folder of files that is either replaced whole or stays as it was, whatever happens while it is written.
struct WholeFolder {
  typealias File = (name: String, data: Data)
  typealias Problem = WholeFile.Problem

  let path: String

  /// - Parameter path: Where it leads to a folder as a symbolic link, that folder is meant.
  init(path: String) { self.path = Paths.target(path) }

  private var parent: String { Paths.parent(path) }

  /// Writes a new folder; never over one with files in it.
  ///
  /// - Throws: `.taken` where there is one.
  func create(_ files: [File]) throws(Problem) {
    guard access(path, F_OK) != 0 else { throw .taken }
    let hidden = try writeHidden(files)
    guard rename(hidden.path, path) == 0 else {
      let problem = errno
      hidden.remove()
      throw [EEXIST, ENOTEMPTY, ENOTDIR].contains(problem) ? .taken : .system(path, problem)
    }
    try Self.sync(parent)
  }

  /// Puts these files in the place of all that the folder held.
  func replace(_ files: [File]) throws(Problem) {
    let hidden = try writeHidden(files)
    defer { hidden.remove() }
    // The old folder ends where the new one was, and is removed with it.
    var problem = process_control_exchange(hidden.path, path)
    if problem == ENOENT { problem = rename(hidden.path, path) == 0 ? 0 : errno }
    if problem != 0 { try replaceInSteps(hidden.path) }
    try Self.sync(parent)
  }

  /// Puts these files beside what the folder holds, which is there: none before the disk has taken all of them.
  func add(_ files: [File]) throws(Problem) {
    let hidden = try WholeFolder(path: Paths.joined(path, "added")).writeHidden(files)
    defer { hidden.remove() }
    for file in files {
      let target = Paths.joined(path, file.name)
      guard rename(Paths.joined(hidden.path, file.name), target) == 0 else { throw .system(target, errno) }
    }
    try Self.sync(path)
  }

  /// Half a removal is not seen: the folder is moved out of the way first.
  func remove() throws(Problem) {
    let hidden = hiddenPath
    guard rename(path, hidden) == 0 else { throw .system(path, errno) }
    HiddenEntry.remove(hidden)
  }

  /// Not every file system exchanges folders: for a moment there is none.
  private func replaceInSteps(_ hidden: String) throws(Problem) {
    let old = hiddenPath
    defer { HiddenEntry.remove(old) }
    if rename(path, old) != 0, errno != ENOENT { throw .system(path, errno) }
    guard rename(hidden, path) == 0 else {
      let problem = errno
      rename(old, path)
      throw .system(path, problem)
    }
  }

  /// Removes what killed writers left behind beside this folder.
  private func sweep() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.wholeMatch(of: /\..+-writing-[0-9]+-[0-9a-z]+/) != nil {
      HiddenEntry.sweep(Paths.joined(parent, name))
    }
  }

  private var hiddenPath: String {
    let unique = String(UInt64.random(in: 0 ... .max), radix: 36)
    return Paths.joined(parent, ".\(Paths.name(path).prefix(60))-writing-\(getpid())-\(unique)")
  }

  private func writeHidden(_ files: [File]) throws(Problem) -> HiddenEntry {
    sweep()
    try Self.makeFolder(parent)
    let hidden = try HiddenEntry.makeFolder(at: { hiddenPath }, permissions: 0o777)
    do {
      try Self.write(files, below: hidden.path)
    } catch {
      hidden.remove()
      throw error
    }
    return hidden
  }

  private static func write(_ files: [File], below path: String) throws(Problem) {
    var made: Set<String> = [path]
    for file in files {
      let target = "\(path)/\(file.name)"
      let folder = Paths.parent(target)
      if made.insert(folder).inserted { try makeFolder(folder) }
      try WholeFile.write(file.data, toNew: target)
    }
    for folder in made { try sync(folder) }
  }

  private static func makeFolder(_ path: String) throws(Problem) {
    do {
      try Paths.makeFolder(path)
    } catch {
      throw .system(path, error.rawValue)
    }
  }

  /// Else the names in a folder may be lost where what they name is not.
  static func sync(_ folder: String) throws(Problem) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(folder, errno) }
    defer { close(descriptor) }
    // Some file systems do not sync folders, and say that it makes no sense.
    if fsync(descriptor) != 0, errno != EINVAL { throw .system(folder, errno) }
  }
}

/// A file or a folder under a hidden name while it is written. It is locked for as long as its writer lives, so that
/// others can tell what a killed writer left behind from what is still being written.
final class HiddenEntry: Sendable {
  let path: String
  let descriptor: Int32

  /// Nil if it was swept away before it was locked.
  ///
  /// - Parameter descriptor: Of the file or folder; it is closed with this.
  init?(_ path: String, locking descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
    while flock(descriptor, LOCK_EX) != 0 {
      // Where nothing can be locked nothing is swept either.
      guard errno == EINTR else { return }
    }
    var (own, named) = (stat(), stat())
    guard fstat(descriptor, &own) == 0, lstat(path, &named) == 0, own.st_ino == named.st_ino else {
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Makes a folder that is there for as long as this process, or until it is removed or renamed.
  ///
  /// - Parameters:
  ///   - path: Another name each time that it is asked; its parent must be there.
  ///   - permissions: Before the process's mask.
  static func makeFolder(at path: () -> String, permissions: mode_t) throws(WholeFile.Problem) -> HiddenEntry
  {
    while true {
      let path = path()
      guard mkdir(path, permissions) == 0 else { throw .system(path, errno) }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      // It was swept away in between.
      if descriptor < 0, errno == ENOENT { continue }
      guard descriptor >= 0 else { throw .system(path, errno) }
      if let entry = HiddenEntry(path, locking: descriptor) { return entry }
    }
  }

  func remove() { Self.remove(path) }

  /// Removes it, unless its writer lives.
  static func sweep(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
  }

  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}

/// A folder that exists as long as this value. If the process is killed, the next one that sweeps removes it.
final class ScratchFolder: Sendable {
  /// Of folders in the system's temporary folder.
  static let temporaryPrefix = "springbench-scratch-"

  var path: String { entry.path }
  private let entry: HiddenEntry

  /// Makes a folder that only this user may read.
  ///
  /// - Parameters:
  ///   - parent: Must be there.
  ///   - prefix: What the names of all such folders begin with, and of nothing else.
  init(in parent: String, prefix: String) throws(RevisionError) {
    do throws(WholeFile.Problem) {
      entry = try HiddenEntry.makeFolder(
        at: { "\(parent)/\(prefix)\(UUID().uuidString)" }, permissions: 0o700)
    } catch {
      guard case .system(let path, let problem) = error else { throw .files("\(parent): \(error)") }
      throw .file(path, problem)
    }
  }

  deinit { entry.remove() }

  /// Removes the folders of processes that have ended.
  static func sweep(_ parent: String, prefix: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) { HiddenEntry.sweep("\(parent)/\(name)") }
  }
}
