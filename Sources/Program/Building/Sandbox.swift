import Foundation

/// Bubblewrap (https://github.com/containers/bubblewrap): a revision's code has no network, no home folder and no other
/// processes, and can write only to the checkout.
enum Sandbox {
  private static let mark = "SPRINGBENCH_SANDBOX"

  /// Restarts this program in the sandbox, replacing this process. Returns if it already runs in one.
  static func enter(_ arguments: [String], packagePath: String?) async throws {
    guard ProcessInfo.processInfo.environment[mark] == nil else { return }
    let executable = Paths.real("/proc/self/exe") ?? "/proc/self/exe"
    let currentFolder = FileManager.default.currentDirectoryPath
    let location = try await PackageLocation.find(try PackageFolder.find(packagePath))
    let repository = try await Git(folder: location.repository).output(
      ["rev-parse", "--path-format=absolute", "--git-common-dir"], to: "find its repository")
    // Only existing folders can be mounted. Git makes the second when it registers its first worktree.
    for folder in [location.buildFolder, "\(repository)/worktrees"] { mkdir(folder, 0o777) }
    let options =
      ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"] + hiddenHome(executable)
      + [location.repository, location.buildFolder, currentFolder].flatMap { ["--bind", $0, $0] } + [
        "--ro-bind", repository, repository, "--bind", "\(repository)/worktrees", "\(repository)/worktrees",
      ] + ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent"] + [
        "--setenv", "TMPDIR", "/tmp", "--setenv", mark, "1", "--", executable,
      ]
    var strings = (["bwrap"] + options + arguments).map { strdup($0) }
    strings.append(nil)
    execvp("bwrap", strings)
    throw UsageError(
      "--sandbox: bubblewrap cannot be started (\(String(cString: strerror(errno))))",
      remedy: "install it (on Debian: apt install bubblewrap), or leave --sandbox out")
  }

  /// An empty home folder, with the program and the toolchain if they lie below it.
  private static func hiddenHome(_ executable: String) -> [String] {
    let environment = ProcessInfo.processInfo.environment
    guard let home = environment["HOME"].flatMap(Paths.real), home != "/" else { return [] }
    let path = environment["PATH"] ?? ""
    let swift = path.split(separator: ":").lazy.compactMap { Paths.real("\($0)/swift") }.first
    // A toolchain is usr/bin/swift with usr/lib beside it.
    let needed = [executable + "/..", swift.map { $0 + "/../.." }].compactMap(\.self).map {
      URL(fileURLWithPath: $0).standardizedFileURL.path
    }
    return ["--tmpfs", home]
      + needed.filter { $0.hasPrefix(home + "/") || $0.hasPrefix("/tmp/") }.flatMap { ["--ro-bind", $0, $0] }
  }
}
