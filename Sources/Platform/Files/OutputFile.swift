import Foundation
import SystemPackage

/// An output file that the user named with an option, such as `--output`.
package struct OutputFile {
  package let path: String
  package var option = "--output"

  package init(path: String, option: String = "--output") { (self.path, self.option) = (path, option) }

  private static let sourceExtensions: Set = [
    "swift", "c", "cc", "cpp", "cxx", "m", "mm", "s", "h", "hh", "hpp", "hxx", "inc", "def", "modulemap",
  ]

  /// Whether compilers would read a file of this name.
  package static func isSource(_ path: String) -> Bool {
    sourceExtensions.contains(FilePath(path).extension?.lowercased() ?? "")
  }

  /// Checks before any work is done whether the file can be written, and that it is no source file.
  package func checkWritable() throws {
    guard !path.isEmpty, !path.contains("\0") else {
      throw UsageError(option, "\"\(path)\" is not the name of a file", remedy: "give one as in \(option) report.md")
    }
    guard !Self.isSource(Paths.target(path)) else {
      throw UsageError(
        option, "\"\(path)\" has the name of a source file, and compilers would read it",
        remedy: "give another name as in \(option) report.md")
    }
    guard !Paths.isFolder(path) else {
      throw UsageError(
        option, "\"\(path)\" is a folder", remedy: "name a file in it as in \(Paths.joined(path, "report.md"))")
    }
    if isReplaceable {
      let parent = Paths.parent(Paths.target(path))
      do throws(Errno) { try Paths.tryWriting(in: parent) } catch { throw unwritable(parent, error) }
    } else if access(path, W_OK) != 0 {
      throw unwritable(path, Errno.last)
    }
  }

  private func unwritable(_ place: String, _ problem: Errno) -> any Error {
    Paths.unwritable(
      option, "\"\(path)\" cannot be written (\(place): \(problem))", problem,
      "name a file in an existing folder that you may write to")
  }

  /// Writes the file completely or not at all. A special file, such as `/dev/stdout`, is written to and not replaced.
  package func write(_ data: Data) throws(RunError) {
    try attempt(try WholeFile.Problem.catching { try write { try $0(data) } }) {
      RunError("\"\(path)\" could not be written: \($0)")
    }
  }

  /// Writes like `write(_:)`, but piece by piece. A `UsageError` of `body` passes through.
  package func stream(_ body: ((Data) throws -> Void) throws -> Void) throws {
    do { try write(body) } catch let error as UsageError { throw error } catch {
      throw RunError("\"\(path)\" could not be written: \(systemReason(error))")
    }
  }

  private func write(_ body: ((Data) throws -> Void) throws -> Void) throws {
    if isReplaceable { return try WholeFile(Paths.target(path)).stream(body) }
    let descriptor = try FileDescriptor.open(FilePath(path), .writeOnly, options: .closeOnExec)
    try descriptor.closeAfter { try body { _ = try descriptor.writeAll($0) } }
  }

  /// Whether a regular file, or nothing, is at the path.
  package var isReplaceable: Bool { [nil, S_IFREG].contains(Paths.kind(path)) }
}

extension Console {
  /// Writes text to the file at a path, completely or not at all. If the path is nil, writes to stdout.
  package func write(_ text: String, to path: String?) throws(RunError) {
    if let path { try OutputFile(path: path).write(Data(text.utf8)) } else { try write(text) }
  }
}

extension [String] {
  /// Returns the paths that lie within a folder, relative to it.
  package func within(_ root: String) -> [String] {
    map { URL(fileURLWithPath: $0).standardizedFileURL.path }.filter { $0.hasPrefix(root + "/") }.map {
      String($0.dropFirst(root.count + 1))
    }
  }
}
