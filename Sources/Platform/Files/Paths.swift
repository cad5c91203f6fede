import CProcessControl
import Foundation
import SystemPackage

/// Operations on paths from users. Foundation's own operations crash on some paths, such as a one-character name that
/// does not exist.
package enum Paths {
  /// Returns the folder that contains the file of a path; `.` if the path is only a name.
  package static func parent(_ path: String) -> String {
    var bytes = Array(path.utf8CString)
    return bytes.withUnsafeMutableBufferPointer { String(cString: dirname($0.baseAddress)) }
  }

  /// Returns the last component. If there is none, as in `/`, this is the path itself.
  package static func name(_ path: String) -> String { FilePath(path).lastComponent?.string ?? path }

  package static func joined(_ folder: String, _ name: String) -> String { FilePath(folder).appending(name).string }

  /// Returns the absolute path, which is valid in any working directory.
  package static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }

  /// Returns the path that leads from a folder to `target`. Both paths must be absolute and without symbolic links.
  package static func relative(_ target: String, from folder: String) -> String {
    let (steps, goal) = (FilePath(folder).components.map(\.string), FilePath(target).components.map(\.string))
    let shared = zip(steps, goal).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: steps.count - shared) + goal[shared...]).joined(separator: "/")
  }

  /// Returns a path, percent-encoded for a link. Only the slash stays, and what RFC 3986 does not require to be encoded.
  package static func encoded(_ path: String) -> String {
    let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~/")
    return path.addingPercentEncoding(withAllowedCharacters: plain) ?? path
  }

  /// Returns the names in a folder; empty if the folder cannot be read.
  package static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  /// Returns the target of a path after following symbolic links, whether or not it exists.
  package static func target(_ path: String) -> String {
    // `FilePath` removes a trailing slash. With that slash, the system would follow a symbolic link instead of reading
    // it.
    var target = FilePath(path).string
    // The limit ends a circle of links. Linux also follows at most 40.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else { break }
      target = next.hasPrefix("/") ? next : joined(parent(target), next)
    }
    return target
  }

  /// Returns the path without symbolic links; nil if nothing exists there.
  package static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Creates a folder and its parents. An existing folder is not an error.
  package static func makeFolder(_ path: String) throws(Errno) {
    // Tries several times, because another process may remove a parent folder that it created only to test its
    // permissions.
    for attempt in 0...50 {
      if mkdir(path, 0o777) == 0 { return }
      let problem = Errno.last
      if problem == .fileExists, isFolder(path) { return }
      let parent = parent(path)
      guard problem == .noSuchFileOrDirectory, parent != path, attempt < 50 else {
        throw problem == .fileExists ? .notDirectory : problem
      }
      try makeFolder(parent)
    }
  }

  /// Removes a file, or a folder with everything in it, without following links. It is no error if nothing exists at
  /// the path. Tries several times, because a process that is being killed may still write files.
  package static func remove(_ path: String) throws(Errno) {
    for attempt in 1...5 {
      let problem = process_control_remove(path)
      if problem == 0 { return }
      if attempt == 5 { throw Errno(rawValue: problem) }
      usleep(20_000)
    }
  }

  package static func isFolder(_ path: String) -> Bool { kind(path) == S_IFDIR }

  /// Returns the kind of the file, such as `S_IFREG`, after following symbolic links. Nil if nothing exists there.
  package static func kind(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Returns the kind and permissions of a file, folder or symbolic link. Nil if nothing exists there.
  package static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  /// Tries to write a file in an existing folder, because only this reveals a full disk.
  package static func tryWriting(in folder: String) throws(Errno) {
    let hidden = try attempt(try HiddenEntry.file(in: folder)) { Errno(of: $0) ?? .ioError }
    defer { hidden.remove() }
    try attempt(try hidden.descriptor.writeLasting(Data(count: 4_096))) { Errno(of: $0) ?? .ioError }
  }

  /// Returns the error for a place that cannot be written to: a `UsageError`, unless no place could take the file.
  static func unwritable(_ option: String, _ problem: String, _ reason: Errno, _ remedy: String) -> any Error {
    guard [.noSpace, .diskQuotaExceeded, .fileTooLarge].contains(reason), let room = WholeFile.Problem.remedy(reason)
    else { return UsageError(option, problem, remedy: remedy) }
    return RunError("\(option): \(problem); \(room)")
  }

  /// Checks, before any work is done, whether a folder can be created and written to. Creates the folders, writes a
  /// file, and removes everything that did not exist before.
  /// - Parameter complaint: The beginning of the error's message, which says what cannot be done.
  package static func checkWritable(_ folder: String, _ option: String, _ complaint: String) throws {
    let missing = Array(sequence(first: folder, next: parent).prefix(256).prefix { access($0, F_OK) != 0 })
    // Removes the innermost folder first.
    defer { for folder in missing { rmdir(folder) } }
    for attempt in 1...50 {
      do throws(Errno) {
        try makeFolder(folder)
        return try tryWriting(in: folder)
      } catch {
        // Another process may do this check at the same time, and remove folders that both processes need.
        if error == .noSuchFileOrDirectory, attempt < 50 { continue }
        let obstacle = missing.last { !isFolder($0) } ?? folder
        throw unwritable(option, "\(complaint) (\(obstacle): \(error))", error, "name a folder that you may write to")
      }
    }
  }
}

extension Errno {
  package static var last: Errno { Errno(rawValue: errno) }

  /// Throws the error of a C call that did not return 0.
  package static func check(_ result: Int32) throws(Errno) { guard result == 0 else { throw last } }

  /// The system's reason for an error of Foundation, whose own text only describes Foundation's operation. Nil if the
  /// error has no such reason.
  package init?(of error: any Error) {
    var current = error as NSError
    while current.domain != NSPOSIXErrorDomain, let cause = current.userInfo[NSUnderlyingErrorKey] as? NSError {
      current = cause
    }
    let posix = current.domain == NSPOSIXErrorDomain ? Errno(rawValue: Int32(current.code)) : nil
    let cocoa = current.domain == NSCocoaErrorDomain ? Self.problems[CocoaError.Code(rawValue: current.code)] : nil
    guard let problem = error as? Errno ?? posix ?? cocoa else { return nil }
    self = problem
  }

  private static let problems: [CocoaError.Code: Errno] = [
    .fileNoSuchFile: .noSuchFileOrDirectory, .fileReadNoSuchFile: .noSuchFileOrDirectory,
    .fileReadNoPermission: .permissionDenied, .fileWriteNoPermission: .permissionDenied,
    .fileReadInvalidFileName: .invalidArgument, .fileWriteInvalidFileName: .invalidArgument,
    .fileReadTooLarge: .fileTooLarge, .fileWriteFileExists: .fileExists, .fileWriteOutOfSpace: .noSpace,
    .fileWriteVolumeReadOnly: .readOnlyFileSystem, .fileReadUnknown: .ioError, .fileWriteUnknown: .ioError,
  ]
}

/// Returns the value of `body`. An error of `body` is replaced by `failure`.
package func attempt<Value, Failure: Error>(
  _ body: @autoclosure () throws -> Value, orThrow failure: (any Error) -> Failure
) throws(Failure) -> Value { do { return try body() } catch { throw failure(error) } }

/// Returns the system's own description of an error, such as `No such file or directory`.
package func systemReason(_ error: any Error) -> String { Errno(of: error).map { "\($0)" } ?? "for an unknown reason" }
