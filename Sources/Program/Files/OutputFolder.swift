import Foundation

/// The folder that run documents and reports go to.
struct OutputFolder {
  var path: String

  init(path: String) {
    self.path = path
  }

  /// Makes sure that a run of this machine can be written, before anything is measured: makes the
  /// folders, writes a file, and takes away again what was not there before.
  func checkWritable(machine: String) throws(UsageError) {
    guard !path.isEmpty, !path.contains("\0") else {
      throw UsageError(
        "--output", "\"\(path)\" is not the name of a folder", remedy: "give one as in --output results")
    }
    do throws(FolderProbe.Obstacle) {
      try FolderProbe(path: Paths.joined(path, machine)).run()
      if Paths.isFolder(path) { try FolderProbe(path: path).run() }
    } catch {
      throw UsageError(
        "--output", "\"\(path)\" cannot be written to (\(error.folder): \(error.problem))",
        remedy: "name a folder that you may write to")
    }
    guard !ResultsIndex(folder: path).isForeign else {
      throw UsageError(
        "--output",
        "\"\(path)\" has a \(ResultsIndex.fileName) that springbench did not write and would be lost",
        remedy: "name a separate folder, as in --output results")
    }
  }

  /// Writes the files of a run as `<machine>/<name>/`, whole or not at all, and refreshes the index.
  ///
  /// - Returns: The run's folder. Its name has a number at its end where the name was taken.
  func write(files: [(name: String, data: Data)], machine: String, name: String) throws(RunError)
    -> String
  {
    let parent = path + "/" + machine
    let folder: String
    do {
      folder = try Self.write(files, parent: parent, name: name)
    } catch {
      throw RunError("the run could not be written to \"\(parent)\": \(error)")
    }
    do {
      try ResultsIndex(folder: path).refresh()
    } catch {
      throw RunError(
        "the run is whole in \"\(folder)\", but the index of \"\(path)\" could not be written: \(error)")
    }
    return folder
  }

  private static func write(
    _ files: [(name: String, data: Data)], parent: String, name: String
  ) throws(WholeFile.Problem) -> String {
    var number = 1
    while true {
      let folder = WholeFolder(path: number == 1 ? "\(parent)/\(name)" : "\(parent)/\(name)-\(number)")
      do throws(WholeFile.Problem) {
        try folder.create(files)
        return folder.path
      } catch .taken where number < 1_000 {
        number += 1
      }
    }
  }
}
