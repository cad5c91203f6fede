import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import Platform

/// A git repository with a package, and fake tools. `swift` does not compile, `swiftc` has no linker, and `git` can be
/// told to kill its caller.
final class ThrowawayRepository: Sendable {
  let base: String
  /// The path of the checkout.
  var root: String { base + "/mine" }
  private var tools: String { base + "/tools" }
  private var log: String { base + "/builds.log" }

  init(usesFakeSwift: Bool = true) async throws {
    let folder = NSTemporaryDirectory() + "springbench-revisions-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder + "/mine", withIntermediateDirectories: true)
    base = try #require(Paths.real(folder))
    if usesFakeSwift {
      try write(Self.fakeSwift, to: "../tools/swift", isExecutable: true)
      try write("#!/bin/sh\necho {}\n", to: "../tools/swiftc", isExecutable: true)
      try write(Self.fakeGit, to: "../tools/git", isExecutable: true)
    }
    try await git("init", "--quiet", "--initial-branch=main")
    try write(".build/\n", to: ".gitignore")
    try write("// swift-tools-version: 6.1\n", to: "Package.swift")
    try write("first", to: "source.txt")
    try await commit("first")
  }

  deinit { try? FileManager.default.removeItem(atPath: base) }

  func write(_ text: String, to name: String, isExecutable: Bool = false) throws {
    let path = "\(root)/\(name)"
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    if isExecutable { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path) }
  }

  @discardableResult func git(_ arguments: String..., environment: [String: String] = [:]) async throws -> String {
    let process = ChildProcess(
      executable: "git", arguments: ["-C", root, "-c", "user.name=t", "-c", "user.email=t@localhost"] + arguments,
      environment: environment, timeout: hangLimit)
    let end = try await process.run(input: Data())
    try #require(end.isSuccess, "git \(arguments): \(end.errorTail)")
    return String(decoding: end.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// - Parameter date: The date of the commit. If nil, it is the current date.
  func commit(_ message: String, date: String? = nil) async throws {
    try await git("add", "--all")
    try await git(
      "commit", "--quiet", "--allow-empty", "-m", message, environment: date.map { ["GIT_COMMITTER_DATE": $0] } ?? [:])
  }

  /// Runs `springbench build-revision`.
  ///
  /// - Parameter passing: The names of additional variables to pass on to the build.
  func build(
    _ arguments: String..., package: String? = nil, environment: [String: String] = [:], passing: [String] = []
  ) async throws -> FixtureProcess {
    try await run(["build-revision"] + arguments, package: package, environment: environment, passing: passing)
  }

  func build(arguments: [String], package: String? = nil, environment: [String: String] = [:], in folder: String? = nil)
    async throws -> FixtureProcess
  { try await run(["build-revision"] + arguments, package: package, environment: environment, in: folder) }

  /// Runs a command that builds revisions of this package. The command gets the package's path, unless it runs in its
  /// folder.
  func run(
    _ arguments: [String], package: String? = nil, product: String? = "tiny", environment: [String: String] = [:],
    passing: [String] = [], in folder: String? = nil
  ) async throws -> FixtureProcess {
    var environment = environment
    let search = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    environment["PATH"] = environment["PATH"] ?? "\(tools):\(search)"
    environment["REAL_PATH"] = search
    environment["FAKE_LOG"] = log
    let pretence = environment.keys.filter { $0.hasPrefix("FAKE_") || $0.hasPrefix("REAL_") }
    environment["SPRINGBENCH_PASS_ENVIRONMENT"] = (pretence + passing).joined(separator: ",")
    let path = folder == root && package == nil ? [] : ["--package-path", package ?? root]
    return try await FixtureProcess.run(
      arguments.prefix(1) + path + (product.map { ["--product", $0] } ?? []) + arguments.dropFirst(),
      environment: environment, in: folder)
  }

  /// The number of calls of the fake `swift build`.
  var buildCount: Int {
    (FileManager.default.contents(atPath: log) ?? Data()).filter { $0 == UInt8(ascii: "\n") }.count
  }

  /// The environment of the last call of the fake `swift build`.
  var buildEnvironment: String {
    String(decoding: FileManager.default.contents(atPath: log + ".environment") ?? Data(), as: UTF8.self)
  }

  /// Returns the state of git, and of the files that a build must not change.
  func userState() async throws -> [String] {
    let index = FileManager.default.contents(atPath: "\(root)/.git/index") ?? Data()
    return try await [
      git("for-each-ref"), git("--no-optional-locks", "status", "--porcelain"), git("reflog", "--all"),
      git("stash", "list"), git("symbolic-ref", "HEAD"), git("worktree", "list"), git("config", "--list", "--local"),
      index.base64EncodedString(),
      // All objects, reachable or not.
      git("cat-file", "--batch-all-objects", "--batch-check"),
    ]
  }

  /// The files in the folder of revisions, except for builds, files that are kept for the next build, and the link to
  /// the checkout.
  var leftovers: [String] {
    let store = "\(root)/.build/springbench/revisions"
    let names = FileManager.default.enumerator(atPath: store)?.compactMap { $0 as? String } ?? []
    let link = Siblings(repository: root).path(below: "slot/checkout")
    return names.filter { name in
      !["builds", "slot.lock", "slot", "slot/scratch.stamp"].contains(name) && !name.hasPrefix("builds/")
        && !name.hasPrefix("slot/scratch") && !name.hasPrefix("slot/kept") && !link.hasPrefix(name)
    }
  }

  /// A fake `swift`, which writes the contents of `source.txt` and of other files as the program. For each line `//
  /// benchmarks NAME` in the manifest or in `names.txt`, the package has an executable target that depends on
  /// FrameBench.
  private static let fakeSwift = """
    #!/bin/sh
    if [ "$1" = --version ]; then echo "Swift version ${FAKE_VERSION:-9.9} (pretended)"; exit 0; fi
    verb=$1
    while [ $# -gt 0 ]; do
      case "$1" in
        --package-path) package=$2; shift ;;
        --scratch-path) scratch=$2; shift ;;
        --product) product=$2; shift ;;
        --show-bin-path) shows=yes ;;
      esac
      shift
    done
    if [ "$verb" = package ]; then
      targets=$(sed -n 's|^// benchmarks \\(.*\\)|{"name": "\\1", "type": "executable", "dependencies": [{"byName": ["FrameBench", null]}]}|p' "$package"/Package*.swift "$package/names.txt" 2>/dev/null | paste -sd , -)
      printf '{"name": "mine", "products": [], "targets": [%s]}' "$targets"
      exit 0
    fi
    scratch=${scratch:-$package/.build}
    binaries=$scratch/${FAKE_BINARIES:-release}
    if [ -n "$shows" ]; then echo "$binaries"; exit 0; fi
    echo "$package" >> "$FAKE_LOG"
    env > "$FAKE_LOG.environment"
    if [ -n "$FAKE_SIGNAL" ]; then
      kill -s "$FAKE_SIGNAL" "$PPID"
      for i in $(seq 6000); do sleep 0.05; done
      exit 1
    fi
    cd "$package" || exit 1
    if [ -e broken.txt ]; then cat broken.txt; exit 1; fi
    if [ -e script.sh ]; then mkdir -p pins; sh script.sh > pins/a 2>&1; fi
    mkdir -p "$binaries/tiny.build"
    cat source.txt untracked.txt pins/a ../neighbor/source.txt Package.resolved module/inner.txt \\
      > "$binaries/$product" 2>/dev/null
    chmod +x "$binaries/$product"
    if [ -d ../neighbor ]; then
      printf '{"object": {"dependencies": [{"packageRef": {"location": "%s"}, "state": {"name": "fileSystem", "path": "%s"}}]}}' \\
        "$PWD/../neighbor" "$PWD/../neighbor" > "$scratch/workspace-state.json"
    fi
    """

  /// A fake `git`, which kills its caller before or after the command that `FAKE_GIT_COMMAND` names.
  private static let fakeGit = """
    #!/bin/sh
    PATH=$REAL_PATH
    case " $* " in
      *" $FAKE_GIT_COMMAND "*) if [ -z "$FAKE_GIT_WHEN" ]; then exec git "$@"; fi ;;
      *) exec git "$@" ;;
    esac
    if [ "$FAKE_GIT_WHEN" = before ]; then kill -s KILL "$PPID"; exit 1; fi
    git "$@"
    kill -s KILL "$PPID"
    """
}
