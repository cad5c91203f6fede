import Foundation
import SystemPackage

/// A file or a pipe that the user named, which is read completely.
package struct InputFile {
  /// The maximum size of a document in bytes. The largest real documents have a few megabytes.
  package static let sizeLimit = 256 << 20

  /// The longest time to wait for data from a pipe.
  package static let patience = Duration.seconds(8)

  package let path: String
  package var sizeLimit: Int
  package var patience = Self.patience

  package init(_ path: String, sizeLimit: Int = Self.sizeLimit) { (self.path, self.sizeLimit) = (path, sizeLimit) }

  /// A problem with the file. The text, which is written after the file's name, states the fault and the remedy.
  package enum Problem: Error, Equatable, CustomStringConvertible {
    case system(Errno)
    case unsuitable(String)

    package static let readOnce = unsuitable(
      "is a pipe, and has to be read several times; write to a file first and name that")
    package static func tooLarge(limit: Int) -> Problem {
      unsuitable("has more than \(limit >> 20) MB; is it the right file?")
    }
    package static func silent(_ patience: Duration) -> Problem {
      unsuitable("is a pipe without data for \(patience / .seconds(1)) s; write to a file first and name that")
    }

    package var description: String {
      switch self {
      case .system(let problem): "cannot be read: \(problem); name a file that you may read"
      case .unsuitable(let fault): fault
      }
    }
  }

  package func read() throws(Problem) -> Data {
    // Opens a named pipe without waiting for its writer. A descriptor that is already open is duplicated, because a
    // reopened one would not report that its writer has gone.
    let descriptor =
      openDescriptor.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(.last) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(.last) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFIFO else { throw Self.problem(kind) }
    return try readAll(descriptor, waiting: kind == S_IFIFO)
  }

  /// Returns the content of a file that code of the measured package may have replaced. Nil if it is not a regular
  /// file: a link is not followed, and a pipe is not waited for.
  package static func untrusted(_ path: String) -> Data? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return try? InputFile(path).readAll(descriptor, waiting: false)
  }

  /// Checks that this is a regular file, which can be read more than once.
  package func checkRepeatable() throws(Problem) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(.last) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG else { throw kind == S_IFIFO ? .readOnce : Self.problem(kind) }
    guard access(path, R_OK) == 0 else { throw .system(.last) }
    guard status.st_size <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
  }

  private static func problem(_ kind: mode_t) -> Problem {
    switch kind {
    case S_IFDIR: .unsuitable("is a folder; name a file")
    case S_IFSOCK: .unsuitable("is a socket; name a file or a pipe")
    default: .unsuitable("is a device, which never ends; name a file or a pipe")
    }
  }

  /// The open descriptor that a path such as `/dev/stdin` or `/dev/fd/63` names. Nil for other paths, and if the
  /// descriptor is that of a regular file.
  private var openDescriptor: Int32? {
    let prefix = ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix)
    let number = path == "/dev/stdin" ? 0 : prefix.flatMap { Int32(path.dropFirst($0.count)) }
    guard let number, number >= 0 else { return nil }
    var status = stat()
    // A regular file is opened again, because the program that opened it may have moved the descriptor's position.
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return nil }
    return number
  }

  private func readAll(_ descriptor: Int32, waiting: Bool) throws(Problem) -> Data {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      if waiting { try wait(descriptor) }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return data }
      guard count > 0 else {
        guard errno == EINTR || errno == EAGAIN else { throw .system(.last) }
        continue
      }
      data.append(contentsOf: buffer.prefix(count))
      guard data.count <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
    }
  }

  /// Waits until there is something to read, or no writer is left.
  private func wait(_ descriptor: Int32) throws(Problem) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&request, 1, Int32(patience / .milliseconds(1)))
      if count > 0 { return }
      if count == 0 { throw .silent(patience) }
      guard errno == EINTR else { throw .system(.last) }
    }
  }
}

extension StringProtocol { package var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) } }

/// The files in which the kernel describes the machine, below a root that tests can choose.
package struct SystemFiles: Sendable, Hashable {
  /// The path of the root, without a slash at its end. Empty means the root of the machine.
  package var root = ""

  package init(root: String = "") { self.root = root }

  package static var searchPath: String { ProcessInfo.processInfo.environment["PATH"] ?? "" }

  package func read(_ path: String) -> String? { try? String(contentsOfFile: root + path, encoding: .utf8) }

  /// Returns the trimmed text of a file; nil if nothing remains.
  package func value(_ path: String) -> String? { read(path).map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 } }

  package func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  package func names(in path: String) -> [String] { Paths.names(in: root + path).sorted() }

  /// Returns the paths of the programs with this name in the folders of a `PATH`, in the order of the folders.
  package func programs(_ name: String, path: String) -> [String] {
    path.split(separator: ":").map { "\($0)/\(name)" }.filter {
      access(root + $0, X_OK) == 0 && !Paths.isFolder(root + $0)
    }
  }
}
