import Foundation
import SystemPackage

/// A file that a command writes because `--output` says so.
struct OutputFile {
  let path: String
  /// What names it on the command line.
  var option = "--output"

  init(path: String, option: String = "--output") {
    self.path = path
    self.option = option
  }

  /// Checks before any work is done whether the file can be written.
  func checkWritable() throws(UsageError) {
    guard !path.isEmpty, !path.contains("\0") else {
      throw UsageError(
        option, "\"\(path)\" is not the name of a file", remedy: "give one as in \(option) report.md")
    }
    guard !Paths.isFolder(path) else {
      throw UsageError(
        option, "\"\(path)\" is a folder",
        remedy: "name a file in it as in \(Paths.joined(path, "report.md"))")
    }
    if isReplaceable {
      let parent = Paths.parent(Paths.target(path))
      do throws(Errno) {
        try Paths.tryWriting(in: parent)
      } catch {
        throw unwritable(parent, error)
      }
    } else if access(path, W_OK) != 0 {
      throw unwritable(path, Errno(rawValue: errno))
    }
  }

  private func unwritable(_ place: String, _ problem: Errno) -> UsageError {
    UsageError(
      option, "\"\(path)\" cannot be written (\(place): \(problem))",
      remedy: "name a file in an existing folder that you may write to")
  }

  /// Whole or not at all; what is not a plain file, as `/dev/stdout`, is written to and not replaced.
  func write(_ data: Data) throws(RunError) {
    do throws(WholeFile.Problem) {
      if isReplaceable {
        let target = Paths.target(path)
        try WholeFile(folder: Paths.parent(target)).replace(Paths.name(target), data)
      } else {
        try writeThrough(data)
      }
    } catch {
      throw RunError("\"\(path)\" could not be written: \(error)")
    }
  }

  private func writeThrough(_ data: Data) throws(WholeFile.Problem) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(path, errno) }
    defer { close(descriptor) }
    do {
      try FileDescriptor(rawValue: descriptor).writeAll(data)
    } catch {
      throw .system(path, (error as? Errno)?.rawValue ?? EIO)
    }
  }

  /// As `write(_:)`, a piece at a time.
  func stream(_ body: ((String) throws -> Void) throws -> Void) throws {
    do {
      if isReplaceable {
        let target = Paths.target(path)
        try WholeFile(folder: Paths.parent(target)).replace(Paths.name(target), body)
      } else {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try body { try file.write(contentsOf: Data($0.utf8)) }
        try file.close()
      }
    } catch let error as UsageError {
      throw error
    } catch let error as WholeFile.Problem {
      throw RunError("\"\(path)\" could not be written: \(error)")
    } catch let error as Errno {
      throw RunError("\"\(path)\" could not be written: \(error)")
    } catch {
      throw RunError("\"\(path)\" could not be written: \(SystemReason.text(error))")
    }
  }

  /// Nothing is there, or a plain file.
  var isReplaceable: Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }
}

/// Files and folders that a command writes, or an earlier one wrote. They are not source code: the working
/// tree does not have to be rebuilt or marked dirty because of them.
struct WrittenPaths: Sendable {
  /// Absolute, or relative to the current folder.
  var paths: [String]

  init(_ paths: [String] = []) {
    self.paths = paths
  }

  /// Those within a folder, relative to it.
  func within(_ root: String) -> [String] {
    paths.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
      .filter { $0.hasPrefix(root + "/") }.map { String($0.dropFirst(root.count + 1)) }
  }
}
