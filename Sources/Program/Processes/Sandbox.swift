import Foundation

/// Bubblewrap (https://github.com/containers/bubblewrap) around springbench, which shows what is listed here and
/// nothing else of the machine: no network, no other processes, no sockets, no home folder. Within it, `Wall` keeps
/// code of the package to what it needs.
struct Sandbox: Codable, Sendable {
  /// Top folder of the checkout.
  var repository: String
  var buildFolder: String
  /// The folder of everything that revisions need, in the build folder.
  var store: String
  /// The folders in which git keeps the history of the checkout.
  var gitFolders: [String]
  /// Programs and packages that all may read.
  var visible: [String]

  /// The folder for temporary files of code of the package.
  static let home = "/sandbox"
  static let listPath = "/sandbox.json"

  /// The sandbox around this process. No variable and no file of a user can pretend that there is one.
  static let current: Sandbox? = {
    // Only a sandbox has its root in memory, read-only.
    guard SystemFiles().read("/proc/self/mounts")?.contains(/(^|\n)tmpfs \/ tmpfs ro,/) ?? false,
      let list = FileManager.default.contents(atPath: listPath)
    else { return nil }
    return try? JSONDecoder().decode(Sandbox.self, from: list)
  }()

  /// Where revisions are built.
  var slot: String { "\(store)/slot" }
  /// The programs of all revisions.
  var builds: String { "\(store)/builds" }
  /// The parts of the checkout that code of the package cannot see.
  var hidden: [String] { gitFolders + [buildFolder] }
}
