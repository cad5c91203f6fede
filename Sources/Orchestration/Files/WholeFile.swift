import Foundation
import SystemPackage

/// A file of a history, which is there whole or not at all, whatever happens while it is written.
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
    defer { unlink(hidden) }
    let path = "\(folder)/\(name)"
    // Unlike a rename, a link never takes the place of another file.
    if link(hidden, path) != 0 {
      let problem = errno
      guard problem != EEXIST else { throw .taken }
      // Some file systems have no links. Writers hold a lock, so that nobody comes in between.
      guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(problem) else { throw .system(path, problem) }
      guard access(path, F_OK) != 0 else { throw .taken }
      guard rename(hidden, path) == 0 else { throw .system(path, errno) }
    }
    try syncFolder()
  }

  /// Writes a file anew; readers see the old one or the new one.
  func replace(_ name: String, _ data: Data) throws(Problem) {
    let hidden = try writeHidden(data)
    let path = "\(folder)/\(name)"
    guard rename(hidden, path) == 0 else {
      let problem = errno
      unlink(hidden)
      throw .system(path, problem)
    }
    try syncFolder()
  }

  /// Removes what killed writers left behind. Only for who holds the lock of all writers.
  func sweep() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(Self.leftoverPrefix) { unlink("\(folder)/\(name)") }
  }

  private func writeHidden(_ data: Data) throws(Problem) -> String {
    let unique = String(UInt64.random(in: 0 ... .max), radix: 36)
    let path = "\(folder)/\(Self.leftoverPrefix)\(getpid())-\(unique)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .system(path, errno) }
    var problem: Int32?
    do {
      _ = try FileDescriptor(rawValue: descriptor).writeAll(data)
    } catch {
      problem = (error as? Errno)?.rawValue ?? EIO
    }
    if problem == nil, fsync(descriptor) != 0 { problem = errno }
    // Where quotas are checked late, closing is what fails.
    if close(descriptor) != 0, problem == nil { problem = errno }
    if let problem {
      unlink(path)
      throw .system(path, problem)
    }
    return path
  }

  /// Else the name of a file may be lost where its content is not.
  private func syncFolder() throws(Problem) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(folder, errno) }
    defer { close(descriptor) }
    // Some file systems do not sync folders, and say that it makes no sense.
    if fsync(descriptor) != 0, errno != EINVAL { throw .system(folder, errno) }
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
