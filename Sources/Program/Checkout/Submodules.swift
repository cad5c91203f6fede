import Foundation

/// Fills the submodules of a checkout from those that the user has, since git would set its own
/// configuration and ask the network.
struct Submodules {
  /// In the user's checkout.
  var git: Git

  /// - Returns: Notes on those that are not there.
  func copy(from commit: String, to root: String) async throws -> [String] {
    let list = try await git.output(["ls-tree", "-r", "-z", commit], to: "list the files of a revision")
    var notes: [String] = []
    for entry in list.split(separator: "\0") where entry.hasPrefix("160000 ") {
      let parts = entry.split(separator: "\t", maxSplits: 1)
      guard parts.count == 2, let hash = parts[0].split(separator: " ").last else { continue }
      let path = String(parts[1])
      if try await !copy(path, String(hash), to: "\(root)/\(path)") {
        notes.append(
          "the submodule \(path) is empty: \(hash.prefix(7)) is not here; git submodule update "
            + "--init fetches it")
      }
    }
    return notes
  }

  /// Notes on those whose own files differ from their commits: a commit of the working tree names only
  /// the commits of its submodules.
  func changed() async throws -> [String] {
    let status = try await git.output(
      ["status", "--porcelain=v2", "-z", "--untracked-files=no", "--ignore-submodules=none"],
      to: "read the state of the submodules")
    return status.split(separator: "\0").compactMap { entry in
      // 1 XY sub mH mI mW hH hI path; the third field is S<c><m><u> for a submodule.
      let fields = entry.split(separator: " ", maxSplits: 8)
      guard fields.count == 9, fields[0] == "1", fields[2].hasPrefix("S"),
        fields[2].contains("M") || fields[2].contains("U")
      else { return nil }
      return "changes inside the submodule \(fields[8]) are not built; commit them there"
    }
  }

  private func copy(_ path: String, _ hash: String, to target: String) async throws -> Bool {
    let module = Git(folder: "\(git.folder)/\(path)")
    // An empty folder is not a checkout, and would show the outer one.
    guard FileManager.default.fileExists(atPath: "\(module.folder)/.git"),
      try await module.run(["cat-file", "-e", "\(hash)^{commit}"]).isSuccess
    else { return false }
    let index = target + ".springbench-index"
    defer { try? FileManager.default.removeItem(atPath: index) }
    let environment = ["GIT_INDEX_FILE": index]
    try await module.output(["read-tree", hash], to: "read the submodule \(path)", environment: environment)
    try await module.output(
      ["checkout-index", "--all", "--force", "--prefix=\(target)/"], to: "copy the submodule \(path)",
      environment: environment)
    return true
  }
}
