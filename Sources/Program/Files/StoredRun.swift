import Foundation
import Measurements

/// A run document that was named on the command line.
struct StoredRun {
  static let latest = "latest"

  /// The path of the document.
  let path: String

  /// - Parameter path: Of a document that is there.
  init(path: String) {
    self.path = path
  }

  /// - Parameters:
  ///   - argument: A document, the folder of a run, or `latest`.
  ///   - results: Where the runs of machines lie, for `latest`.
  init(argument: String, results: String) throws(UsageError) {
    if argument == Self.latest {
      guard let folder = ResultsIndex(folder: results).newestRun() else {
        throw UsageError(
          "latest: there is no run below \"\(results)\"",
          remedy: "measure with springbench run, or name another folder with --results")
      }
      path = folder + "/run.json"
      return
    }
    guard !argument.isEmpty, access(argument, F_OK) == 0 else {
      throw UsageError(
        "\"\(argument)\" is not there", remedy: "name a run.json, the folder of a run, or \"latest\"")
    }
    path = Paths.isFolder(argument) ? Paths.joined(argument, "run.json") : argument
    guard access(path, F_OK) == 0 else {
      throw UsageError(
        "the folder \"\(argument)\" has no run.json",
        remedy: "name the folder of a run, as in results/<machine>/<run>, or \"latest\"")
    }
  }

  /// - Throws: `RunError` that names the file.
  func read() throws(RunError) -> RunDocument {
    let data: Data
    do throws(InputFile.Problem) {
      data = try InputFile(path).read()
    } catch {
      throw RunError("\(path) \(error)")
    }
    do {
      return try RunDocument(contentsOf: data)
    } catch {
      throw RunError("\(path): \(error)")
    }
  }
}
