import Foundation

/// What `compare` was asked to compare.
package enum ComparedPair {
  /// Two run documents that are there.
  case documents(StoredRun, StoredRun)
  /// Two git revisions, or a revision and the working tree.
  case revisions(String, Revision)
  /// Two programs.
  case executables(String, String)

  /// - Parameters:
  ///   - base: A revision, a run document, or the folder of a run.
  ///   - candidate: Likewise; nil: the working tree.
  package init(base: String, candidate: String?) throws(UsageError) {
    guard Self.isDocument(base) || candidate.map(Self.isDocument) ?? false else {
      self = .revisions(base, candidate.map(Revision.revision) ?? .workingTree)
      return
    }
    guard let candidate else {
      throw UsageError(
        "\"\(base)\" is a run document, and a document is compared with another",
        remedy: "name two documents, or two revisions")
    }
    self = .documents(
      try StoredRun(argument: base, results: "results"),
      try StoredRun(argument: candidate, results: "results"))
  }

  /// A revision may be called like a folder, but not like a folder with a run in it.
  static func isDocument(_ argument: String) -> Bool {
    if argument == StoredRun.latest { return true }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) else {
      return argument.hasSuffix(".json")
    }
    return isFolder.boolValue
      ? FileManager.default.fileExists(atPath: argument + "/run.json") : argument.hasSuffix(".json")
  }
}
