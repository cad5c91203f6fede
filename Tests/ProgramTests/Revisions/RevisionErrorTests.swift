import Foundation
import Testing

@testable import Builds
@testable import FrameBench
@testable import Platform
@testable import Program

/// Tests errors: one line names the problem, the exit status tells wrong usage from a failed build, no files remain.
@Suite(.serialized) struct RevisionErrorTests {
  struct Case: Sendable {
    var arguments: [String]
    var mentions: [String]
  }

  static let cases = [
    Case(arguments: ["--", "-x"], mentions: ["\"-x\"", "begins with a dash"]),
    Case(arguments: ["--", "--upload-pack=touch /tmp/x"], mentions: ["begins with a dash"]),
    Case(arguments: [""], mentions: ["\"\" is not a git revision"]),
    Case(arguments: ["mian"], mentions: ["\"mian\"", "did you mean \"main\"?"]),
    Case(arguments: ["topic"], mentions: ["did you mean \"origin/topic\"?"]),
    Case(arguments: ["no such\nthing"], mentions: ["git knows no revision"]),
    Case(arguments: ["HEAD~99"], mentions: ["HEAD~99", "git branch --all"]),
    Case(arguments: ["0123456789012345678901234567890123456789"], mentions: ["git knows no revision"]),
    Case(arguments: ["HEAD..main"], mentions: ["HEAD..main"]),
    Case(arguments: ["HEAD:source.txt"], mentions: ["is not a commit"]),
    Case(arguments: ["double"], mentions: ["\"double\" is ambiguous", "refs/tags/double"]),
  ]

  @Test(arguments: cases) func aBadNameIsReportedInOneLine(_ bad: Case) async throws {
    let repository = try await ThrowawayRepository()
    try await repository.git("branch", "double")
    try repository.write("other", to: "source.txt")
    try await repository.commit("other")
    try await repository.git("tag", "double")
    try await repository.git("update-ref", "refs/remotes/origin/topic", "HEAD")
    let before = try await repository.userState()
    let process = try await repository.build(arguments: bad.arguments)
    #expect(process.status == 64)
    #expect(process.output.isEmpty)
    #expect(process.errorLines.count == 1)
    #expect(process.error.hasPrefix("springbench: error: "))
    for mention in bad.mentions { #expect(process.error.contains(mention)) }
    #expect(repository.buildCount == 0)
    #expect(try await repository.userState() == before && repository.leftovers.isEmpty)
  }

  @Test func errorsOfTheCompilerAreShownWithoutTheNoiseAround() {
    let error = [
      "/a/main.swift:3:1: error: cannot find 'thing' in scope", "2 | ", "3 | thing",
      "  | `- error: cannot find 'thing'",
    ]
    let note = ["/a/b.swift:9:1: note: did you mean this?", " 9 | let things"]
    let warning = ["/a/main.swift:1:8: warning: unused", "1 | import Foundation"]
    let noise = ["Building for production...", "error: emit-module command failed with exit code 1"]
    let lines =
      noise + warning + error + note + ["warning: 'p': dependency 'q' is not used by any target"] + error + noise
    #expect(SwiftBuild.errors(in: lines) == error + note)
    let steps = [
      "Fetching https://a.b/c from cache", "Working copy of https://a.b/c resolved at 1.0.0", "[3/9] Compiling",
    ]
    let ofTheLinker = ["Building for production...", "ld.lld: error: undefined symbol: f", ">>> referenced by a.o"]
    let noReturn = ["/a/main.swift:3:9: error: missing return in closure expected to return 'UInt64'", "3 |   }"]
    #expect(
      SwiftBuild.errors(in: noReturn).last == "springbench: note: a frame that returns nothing ends with `return`")
    #expect(SwiftBuild.errors(in: steps + ofTheLinker) == ofTheLinker)
  }

  @Test func aDependencyThatCannotBeFetchedIsNoFaultOfTheSources() {
    let clone = "error: Failed to clone repository https://a.b/c:\n    Cloning into bare repository '/d'..."
    let unreachable = clone + "\n    fatal: unable to access 'https://a.b/c/': Could not resolve host: a.b"
    let missing = clone + "\n    fatal: repository '/e' does not exist"
    let reason = "fatal: unable to access 'https://a.b/c/': Could not resolve host: a.b"
    for isInSandbox in [false, true] {
      #expect(SwiftBuild.fetchFailure(in: unreachable, isInSandbox: isInSandbox) == reason)
      #expect(SwiftBuild.fetchFailure(in: "a.swift:1:1: error: Failed to connect", isInSandbox: isInSandbox) == nil)
    }
    #expect(SwiftBuild.fetchFailure(in: missing, isInSandbox: false) == nil)
    #expect(SwiftBuild.fetchFailure(in: missing, isInSandbox: true) == "fatal: repository '/e' does not exist")
    let error = RevisionError.notFetched("main", cause: "git said no", isInSandbox: true)
    #expect(!error.isOfTheSources && error.description.contains("swift package resolve"))
  }

  @Test func aRevisionThatDoesNotBuildShowsWhatTheCompilerSaidLast() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("[1/9] Compiling\nmain.swift:3:1: error: no such thing\n 3 | thing\n", to: "broken.txt")
    try await repository.commit("broken")
    let before = try await repository.userState()
    let process = try await repository.build("main", "--json")
    #expect(process.status == 1)
    #expect(process.output.isEmpty)
    #expect(
      process.errorLines == [
        "springbench: error: main does not build: main.swift:3:1: error: no such thing",
        "  main.swift:3:1: error: no such thing", "   3 | thing",
      ])
    #expect(try await repository.userState() == before && repository.leftovers.isEmpty)
    #expect(try await repository.build("HEAD~1").status == 0)
  }

  @Test(arguments: [
    ("error: no product named 'tiny'", "main has no executable product \"tiny\""),
    ("error: unable to write: No space left on device", "no space left on the disk"),
    ("error: compile command failed due to signal 9 (use -v to see invocation)", "is there enough memory?"),
    ("clang: error: unable to execute command: Killed", "is there enough memory?"),
  ]) func commonCausesAreNamed(_ text: String, _ message: String) async throws {
    let repository = try await ThrowawayRepository()
    try repository.write(text, to: "broken.txt")
    try await repository.commit("broken")
    let process = try await repository.build("main")
    #expect(process.status == 1)
    #expect(process.errorLines.count == 1)
    #expect(process.error.contains(message))
  }

  @Test func aBuildThatWasKilledIsNoFaultOfTheSources() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("kill -KILL $PPID\n", to: "script.sh")
    try await repository.commit("a script")
    let process = try await repository.build("main")
    #expect(process.status == 1 && process.error.contains("is there enough memory?"), "\(process.error)")
  }

  @Test func aShallowCloneSaysThatItIs() async throws {
    let repository = try await ThrowawayRepository()
    try await repository.commit("second")
    let clone = repository.base + "/clone"
    try await repository.git("clone", "--quiet", "--depth", "1", "file://\(repository.root)", clone)
    let process = try await repository.build("HEAD~1", package: clone)
    #expect(process.status == 64)
    #expect(process.error.contains("git fetch --unshallow"))
  }

  @Test func aFolderThatIsNoPackageOrNoCheckoutIsNamed() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("// swift-tools-version: 6.1\n", to: "../plain/Package.swift")
    let noCheckout = try await repository.build("HEAD", package: repository.base + "/plain")
    #expect(noCheckout.status == 64)
    #expect(noCheckout.error.contains("is not in a git checkout"))
    let noPackage = try await repository.build("HEAD", package: repository.base)
    #expect(noPackage.status == 64)
    #expect(noPackage.error.contains("--package-path"))
    #expect(noPackage.errorLines.count == 1)
  }

  @Test func missingToolsAreNamed() async throws {
    let repository = try await ThrowawayRepository()
    let empty = repository.base + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    let noGit = try await repository.build("HEAD", environment: ["PATH": empty])
    #expect(noGit.error.contains("git cannot be started"))
    try FileManager.default.copyItem(atPath: repository.base + "/tools/git", toPath: empty + "/git")
    let noSwift = try await repository.build("HEAD", environment: ["PATH": empty, "FAKE_GIT_WHEN": ""])
    #expect(noSwift.error.contains("swift cannot be started"))
    #expect([noGit.status, noSwift.status] == [1, 1])
    #expect(repository.leftovers.isEmpty)
  }

  @Test func variablesOfAGitHookDoNotLeadAstray() async throws {
    let repository = try await ThrowawayRepository()
    let other = try await ThrowawayRepository()
    try repository.write("changed", to: "source.txt")
    let before = try await other.userState()
    let process = try await repository.build(environment: [
      "GIT_DIR": other.root + "/.git", "GIT_WORK_TREE": other.root, "GIT_INDEX_FILE": other.root + "/.git/index",
    ])
    #expect(process.status == 0)
    let path = process.output.trimmingCharacters(in: .newlines)
    #expect(FileManager.default.contents(atPath: path) == Data("changed".utf8))
    #expect(try await other.userState() == before)
  }
}
