import Foundation

/// The sandbox around springbench, made by Bubblewrap (https://github.com/containers/bubblewrap). Inside it, only
/// system folders and the folders listed here are visible. There is no network, no other process, no socket and no home
/// folder. Inside the sandbox, `Wall` restricts code of the package to what it needs.
struct Sandbox: Codable, Sendable {
  /// Top folder of the checkout.
  var repository: String
  var buildFolder: String
  /// The folder with all files that are needed to build revisions, in the build folder.
  var store: String
  /// The folders in which git keeps the history of the checkout.
  var gitFolders: [String]
  /// Programs and packages that every process in the sandbox may read.
  var visible: [String]

  /// The folder in which code of the package can create temporary files.
  static let home = "/sandbox"
  static let listPath = "/sandbox.json"

  /// The sandbox around this process; nil if there is none. A user's variables and files cannot make this look like a
  /// sandbox.
  static let current: Sandbox? = {
    // Only a sandbox has its root in memory, read-only.
    guard SystemFiles().read("/proc/self/mounts")?.contains(/(^|\n)tmpfs \/ tmpfs ro,/) ?? false,
      let list = FileManager.default.contents(atPath: listPath)
    else { return nil }
    return try? JSONDecoder().decode(Sandbox.self, from: list)
  }()

  /// The folder in which revisions are built.
  var slot: String { "\(store)/slot" }
  /// The folder with the programs of all revisions.
  var builds: String { "\(store)/builds" }
  /// The parts of the checkout that code of the package cannot see.
  var hidden: [String] { gitFolders + [buildFolder] }
}
