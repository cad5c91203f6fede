import Foundation

/// What `compare` was asked to compare.
enum ComparedPair {
  /// Two run documents that are there.
  case documents(StoredRun, StoredRun)
  /// Two git revisions, or a revision and the working tree.
  case revisions(String, Revision)
  /// Two programs.
  case executables(String, String)

  /// - Parameters:
  ///   - base: A revision, a run document, or the folder of a run.
  ///   - candidate: Likewise; nil: the working tree.
  init(base: String, candidate: String?, console: Console) async throws(UsageError) {
    var areDocuments = false
    for argument in [base, candidate].compactMap(\.self) where Self.isDocument(argument) {
      if await Self.isRevision(argument) {
        console.note(Self.revisionWins(argument))
      } else {
        areDocuments = true
      }
    }
    guard areDocuments else {
      self = .revisions(base, candidate.map(Revision.revision) ?? .workingTree)
      return
    }
    guard let candidate else {
      throw UsageError(
        "\"\(base)\" is a run document, which can only be compared with another document",
        remedy: "name two documents, or two revisions")
    }
    self = .documents(
      try StoredRun(argument: base, results: RunSettings.defaultResults),
      try StoredRun(argument: candidate, results: RunSettings.defaultResults))
  }

  /// Whether it may be one; a revision of that name goes before it.
  static func isDocument(_ argument: String) -> Bool {
    if argument == StoredRun.latest || argument.hasSuffix(".json") { return true }
    var status = stat()
    guard stat(argument, &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return access(Paths.joined(argument, "run.json"), F_OK) == 0
    case S_IFIFO: return true
    default: return false
    }
  }

  /// Whether git knows it here. What leads from a folder as a path is none.
  static func isRevision(_ argument: String) async -> Bool {
    let isPath = ["/", "./", "../"].contains(where: argument.hasPrefix)
    guard !isPath, !argument.isEmpty, !argument.hasPrefix("-"), argument != StoredRun.latest else {
      return false
    }
    return await Git(folder: FileManager.default.currentDirectoryPath).knowsCommit(argument)
  }

  static func revisionWins(_ argument: String) -> String {
    "\(argument) is taken as a git revision; for the run document in the checkout write ./\(argument)"
  }
}
