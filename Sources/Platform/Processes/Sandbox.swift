import Foundation

/// The sandbox around springbench, made by Bubblewrap (https://github.com/containers/bubblewrap). Inside, only system
/// folders and the folders listed here are visible. There is no network and no home folder, and processes and sockets
/// outside are out of reach. `Wall` further restricts code of the measured package.
package struct Sandbox: Codable, Sendable {
  /// The top folder of the checkout.
  package var repository: String
  /// The build folders of the packages that may be measured.
  package var buildFolders: [String]
  /// The folders with all files that are needed to build revisions, one in each build folder.
  package var stores: [String]
  /// The folders in which git keeps the history of the checkout.
  package var gitFolders: [String]
  /// The `.git` of other repositories in the checkout, and the build folders of packages that are not measured.
  package var otherGitFolders: [String]
  /// Programs and packages that every process in the sandbox may read.
  package var visible: [String]

  package init(
    repository: String, buildFolders: [String], stores: [String], gitFolders: [String], otherGitFolders: [String],
    visible: [String]
  ) {
    (self.repository, self.buildFolders, self.stores) = (repository, buildFolders, stores)
    (self.gitFolders, self.otherGitFolders, self.visible) = (gitFolders, otherGitFolders, visible)
  }

  /// The folder with the home folders of the programs that springbench starts. No two revisions share one, so that code
  /// of one revision cannot leave settings or caches for programs of another.
  package static let home = "/sandbox"
  /// The folder for springbench's own temporary files. Nothing else can be written outside of the checkout, because it
  /// would be lost when the sandbox ends.
  package static let temporary = "/sandbox.tmp"
  package static let listPath = "/sandbox.json"
  package static let system = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/usr"]
  /// Files in which programs look up libraries, other programs, names of users and hosts, and the time zone.
  package static let settings = [
    "alternatives", "group", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "ld.so.preload", "localtime", "machine-id",
    "nsswitch.conf", "os-release", "passwd", "timezone",
  ].map { "/etc/\($0)" }

  /// The sandbox around this process; nil if there is none. The user's variables and files cannot fake a sandbox.
  package static let current: Sandbox? = {
    // Only a sandbox has its root in memory, read-only.
    guard SystemFiles().read("/proc/self/mounts")?.contains(/(^|\n)tmpfs \/ tmpfs ro,/) ?? false,
      let list = FileManager.default.contents(atPath: listPath)
    else { return nil }
    return try? JSONDecoder().decode(Sandbox.self, from: list)
  }()

  /// Ends all processes in the sandbox except springbench, such as daemons that code of the package left behind. Does
  /// nothing outside of the sandbox.
  package static func endStrays() {
    // A killed process may still finish what it is doing, so this waits until none is left.
    for _ in 1...1_000 {
      guard current != nil, kill(-1, SIGKILL) == 0 else { return }
      usleep(1_000)
    }
  }

  /// The folders in which revisions are built.
  package var slots: [String] { stores.map { "\($0)/slot" } }
  /// The folders with the programs of all revisions.
  package var builds: [String] { stores.map { "\($0)/builds" } }
  /// The parts of the checkout that code of the package cannot see.
  package var hidden: [String] { gitFolders + otherGitFolders + buildFolders }
  /// The folder with git's records of linked worktrees, to which springbench adds its own.
  package var worktrees: String { "\(gitFolders[0])/worktrees" }

  /// Whether a file is part of a repository's history or settings.
  package func isOfGit(_ path: String) -> Bool {
    guard let real = Paths.real(path) else { return false }
    return (gitFolders + otherGitFolders).contains { real == $0 || real.hasPrefix($0 + "/") }
  }
}
