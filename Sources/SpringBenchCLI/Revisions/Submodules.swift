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
          "the submodule \(path) is left empty: \(hash.prefix(7)) is not here; git submodule update "
            + "--init fetches it")
      }
    }
    return notes
  }

  private func copy(_ path: String, _ hash: String, to target: String) async throws -> Bool {
    let module = Git(folder: "\(git.folder)/\(path)")
    // An empty folder is no checkout, and would show the outer one.
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
