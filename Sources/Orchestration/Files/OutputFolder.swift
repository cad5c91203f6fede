import Foundation

/// The folder that run documents and reports go to.
package struct OutputFolder {
  var path: String

  package init(path: String) {
    self.path = path
  }

  /// Makes sure that a run of this machine can be written, before anything is measured: makes the
  /// folders, writes a file, and takes away again what was not there before.
  package func checkWritable(machine: String) throws(UsageError) {
    guard !path.isEmpty, !path.contains("\0") else {
      throw UsageError(
        "--output", "\"\(path)\" is not the name of a folder", remedy: "give one as in --output results")
    }
    // Another process may be checking too, and take away the folders that both of them need.
    var attempt = 1
    while try !probe(path + "/" + machine, isLast: attempt == Self.attemptCount) { attempt += 1 }
  }

  private static let attemptCount = 50

  /// - Returns: Whether the folders were still there when they were written to.
  private func probe(_ target: String, isLast: Bool) throws(UsageError) -> Bool {
    let added = Self.missingFolders(of: target)
    defer { for folder in added.reversed() { rmdir(folder) } }
    for folder in added where mkdir(folder, 0o777) != 0 && errno != EEXIST {
      guard errno == ENOENT, !isLast else { throw unwritable(folder) }
      return false
    }
    for folder in [path, target] {
      let probe = "\(folder)/.springbench-\(getpid())-probe"
      guard mkdir(probe, 0o777) == 0 else {
        guard errno == ENOENT, !isLast else { throw unwritable(folder) }
        return false
      }
      rmdir(probe)
    }
    return true
  }

  private func unwritable(_ folder: String) -> UsageError {
    UsageError(
      "--output", "\"\(path)\" cannot be written to (\(folder): \(String(cString: strerror(errno))))",
      remedy: "name a folder that you may write to")
  }

  /// Those on the way to `path` that are not there, outermost first.
  private static func missingFolders(of path: String) -> [String] {
    var missing: [String] = []
    var folder = path
    while !folder.isEmpty, folder != "/", access(folder, F_OK) != 0, missing.count < 256 {
      missing.append(folder)
      folder = parentFolder(of: folder)
    }
    return missing.reversed()
  }

  /// Writes the files of a run as `<machine>/<name>/`, whole or not at all, and refreshes the index.
  ///
  /// - Returns: The run's folder. Its name has a number at its end where the name was taken.
  package func write(files: [(name: String, data: Data)], machine: String, name: String) throws(RunError)
    -> String
  {
    let parent = path + "/" + machine
    do {
      let hidden = "\(parent)/.\(name)-\(getpid())"
      defer { try? FileManager.default.removeItem(atPath: hidden) }
      // The way there too, at once: see above for who may take it away.
      try FileManager.default.createDirectory(atPath: hidden, withIntermediateDirectories: true)
      for file in files { try file.data.write(to: URL(fileURLWithPath: "\(hidden)/\(file.name)")) }
      let folder = try Self.moveInPlace(hidden, parent: parent, name: name)
      try ResultsIndex(folder: path).refresh()
      return folder
    } catch {
      throw RunError("the run could not be written to \"\(parent)\": \(Self.reason(error))")
    }
  }

  /// A rename onto a folder with files in it fails, so two runs never take the same name.
  private static func moveInPlace(_ hidden: String, parent: String, name: String) throws -> String {
    for number in 1...1_000 {
      let folder = number == 1 ? "\(parent)/\(name)" : "\(parent)/\(name)-\(number)"
      if rename(hidden, folder) == 0 { return folder }
      guard [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno) else { break }
    }
    throw RunError("\(name): \(String(cString: strerror(errno)))")
  }

  private static func reason(_ error: any Error) -> String {
    if let error = error as? RunError { return error.description }
    return SystemReason.text(error)
  }
}
