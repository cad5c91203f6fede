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
