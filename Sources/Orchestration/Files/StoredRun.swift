import Foundation
import Measurements

/// A run document that somebody named on the command line.
package struct StoredRun {
  package static let latest = "latest"

  /// The path of the document.
  package let path: String

  /// - Parameter path: Of a document that is there.
  init(path: String) {
    self.path = path
  }

  /// - Parameters:
  ///   - argument: A document, the folder of a run, or `latest`.
  ///   - results: Where the runs of machines lie, for `latest`.
  package init(argument: String, results: String) throws(UsageError) {
    if argument == Self.latest {
      guard let folder = ResultsIndex(folder: results).newestRun() else {
        throw UsageError(
          "latest: there is no run below \"\(results)\"",
          remedy: "measure with springbench run, or name another folder with --results")
      }
      path = folder + "/run.json"
      return
    }
    var isFolder: ObjCBool = false
    guard !argument.isEmpty, FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) else {
      throw UsageError(
        "\"\(argument)\" is not there", remedy: "name a run.json, the folder of a run, or \"latest\"")
    }
    path = isFolder.boolValue ? (argument as NSString).appendingPathComponent("run.json") : argument
    guard FileManager.default.fileExists(atPath: path) else {
      throw UsageError(
        "the folder \"\(argument)\" has no run.json",
        remedy: "name the folder of a run, as in results/<machine>/<run>, or \"latest\"")
    }
  }

  /// - Throws: `RunError` that names the file.
  package func read() throws(RunError) -> RunDocument {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw RunError("\(path) cannot be read: \(SystemReason.text(error)); name a file that you may read")
    }
    do {
      return try RunDocument(contentsOf: data)
    } catch {
      throw RunError("\(path): \(error)")
    }
  }
}
