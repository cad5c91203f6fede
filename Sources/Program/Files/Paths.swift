import Foundation
import SystemPackage

/// Paths that the user typed. Foundation traps on some of them, such as a one-character name that does not
/// exist.
enum Paths {
  /// The folder that a path lies in; `.` for a name alone.
  static func parent(_ path: String) -> String {
    let parent = FilePath(path).removingLastComponent().string
    return parent.isEmpty ? "." : parent
  }

  /// The last component; what has none, as `/`, is its own name.
  static func name(_ path: String) -> String { FilePath(path).lastComponent?.string ?? path }

  static func joined(_ folder: String, _ name: String) -> String {
    FilePath(folder).appending(name).string
  }

  /// What a path leads to, symbolic links followed, whether or not it is there.
  static func target(_ path: String) -> String {
    // Without the slash at its end, which would lead through a symbolic link.
    var target = FilePath(path).string
    // As many as Linux follows.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else { break }
      target = next.hasPrefix("/") ? next : joined(parent(target), next)
    }
    return target
  }

  /// Makes a folder, and those on the way to it. One that is there already is not an error.
  static func makeFolder(_ path: String) throws(Errno) {
    // Another process may take an empty folder away, which it made to try whether it can be written to.
    var attempts = 0
    while true {
      if mkdir(path, 0o777) == 0 { return }
      let problem = Errno(rawValue: errno)
      if problem == .fileExists {
        guard isFolder(path) else { throw .notDirectory }
        return
      }
      attempts += 1
      let parent = parent(path)
      guard problem == .noSuchFileOrDirectory, parent != path, attempts <= 50 else { throw problem }
      try makeFolder(parent)
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Tries to write below a folder that is there: a disk that is full says so only then.
  static func tryWriting(in folder: String) throws(Errno) {
    do throws(WholeFile.Problem) {
      try WholeFile(folder: folder).tryWriting()
    } catch {
      guard case .system(_, let problem) = error else { return }
      throw Errno(rawValue: problem)
    }
  }
}

/// Checks, before any work is done, whether a folder can be created and written to, and leaves what was
/// there.
struct FolderProbe {
  var path: String

  struct Obstacle: Error {
    /// The folder that could not be made or written to.
    var folder: String
    var problem: Errno
  }

  /// Makes the folders, writes a file, and takes away again what was not there before.
  func run() throws(Obstacle) {
    // Another process may be trying too, and take away the folders that both of them need.
    var attempt = 1
    while try !run(isLast: attempt == Self.attemptCount) { attempt += 1 }
  }

  private static let attemptCount = 50

  /// - Returns: Whether the folders were still there when they were written to.
  private func run(isLast: Bool) throws(Obstacle) -> Bool {
    let added = missingFolders
    defer { for folder in added.reversed() { rmdir(folder) } }
    for folder in added where mkdir(folder, 0o777) != 0 && errno != EEXIST {
      guard errno == ENOENT, !isLast else { throw Obstacle(folder: folder, problem: Errno(rawValue: errno)) }
      return false
    }
    do throws(Errno) {
      try Paths.tryWriting(in: path)
    } catch {
      guard error == .noSuchFileOrDirectory, !isLast else { throw Obstacle(folder: path, problem: error) }
      return false
    }
    return true
  }

  /// Those on the way to `path` that are not there, outermost first.
  private var missingFolders: [String] {
    var missing: [String] = []
    var folder = path
    while access(folder, F_OK) != 0, missing.count < 256 {
      missing.append(folder)
      folder = Paths.parent(folder)
    }
    return missing.reversed()
  }
}

/// The system's reason in an error that Foundation passed on.
enum SystemReason {
  /// The system's own words, as in `No such file or directory`. Never Foundation's, which speak of operations.
  static func text(_ error: any Error) -> String {
    number(error).map { String(cString: strerror($0)) } ?? "for an unknown reason"
  }

  /// As `errno` had it; nil where the system had no part in it.
  static func number(_ error: any Error) -> Int32? {
    if let problem = error as? Errno { return problem.rawValue }
    var current = error as NSError
    while current.domain != NSPOSIXErrorDomain, let cause = current.userInfo[NSUnderlyingErrorKey] as? NSError
    {
      current = cause
    }
    if current.domain == NSPOSIXErrorDomain { return Int32(current.code) }
    return current.domain == NSCocoaErrorDomain ? number(cocoaCode: current.code) : nil
  }

  private static func number(cocoaCode code: Int) -> Int32? {
    switch CocoaError.Code(rawValue: code) {
    case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
    case .fileReadNoPermission, .fileWriteNoPermission: EACCES
    case .fileReadInvalidFileName, .fileWriteInvalidFileName: EINVAL
    case .fileReadTooLarge: EFBIG
    case .fileWriteFileExists: EEXIST
    case .fileWriteOutOfSpace: ENOSPC
    case .fileWriteVolumeReadOnly: EROFS
    case .fileReadUnknown, .fileWriteUnknown: EIO
    default: nil
    }
  }
}
