import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import Platform
@testable import Program

/// Tests that a failure of git or of the compiler is not mistaken for the answer "no" or an empty list.
@Suite(.serialized) struct ToolAnswerTests {
  // MARK: Questions to git

  @Test func aNameThatGitDoesNotKnowIsANo() async throws {
    let repository = try await ThrowawayRepository()
    let git = Git(folder: repository.root)
    for name in ["HEAD", "main", try await repository.git("rev-parse", "HEAD")] {
      #expect(try await git.knowsCommit(name), "\(name)")
    }
    let others = [
      "nowhere", "0123456789012345678901234567890123456789", "HEAD~9", "HEAD@{99}", "main@{upstream}", "HEAD..main",
      "^HEAD", "HEAD:source.txt", "HEAD:nowhere", "HEAD^{tree}", "results/run.json", "no such\nthing",
    ]
    for name in others { #expect(try await !git.knowsCommit(name), "\(name)") }
    #expect(try await git.entry(at: "source.txt", in: "HEAD") == .file("first"))
    for path in ["nothing", "source.txt/nothing", "no/such/folder"] {
      #expect(try await git.entry(at: path, in: "HEAD") == .none, "\(path)")
    }
  }

  @Test func aBranchThatLacksCommitsOfItsBaseHasDiverged() async throws {
    let repository = try await ThrowawayRepository()
    let git = Git(folder: repository.root)
    let first = try await repository.git("rev-parse", "HEAD")
    try await repository.git("checkout", "--quiet", "-b", "mine")
    try await repository.commit("mine")
    let mine = try await repository.git("rev-parse", "HEAD")
    #expect(try await git.divergence(of: mine, from: first) == nil)
    try await repository.git("checkout", "--quiet", "main")
    try await repository.commit("second")
    try await repository.commit("third")
    let main = try await repository.git("rev-parse", "HEAD")
    let found = try #require(try await git.divergence(of: mine, from: main))
    #expect(found.start == first && found.count == 2)
    #expect(try await git.divergence(of: first, from: main) == nil)
    // Each branch of the clone has only its newest commit, so git cannot tell whether they diverged.
    let clone = repository.base + "/clone"
    try await repository.git(
      "clone", "--quiet", "--depth", "1", "--no-single-branch", "file://\(repository.root)", clone)
    let shallow = try #require(try await Git(folder: clone).divergence(of: mine, from: main))
    #expect(shallow.start == nil)
    try await repository.git("checkout", "--quiet", "--orphan", "other")
    try await repository.commit("a history of its own")
    let other = try await repository.git("rev-parse", "HEAD")
    #expect(try await git.divergence(of: other, from: main) == nil)
  }

  @Test func relativePathsInBuildFlagsNameFilesOfTheRevision() throws {
    let here = try #require(Paths.real(FileManager.default.currentDirectoryPath))
    let checkout = NSTemporaryDirectory() + "springbench-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: checkout) }
    try FileManager.default.createDirectory(
      atPath: "\(checkout)/\(Paths.name(here))", withIntermediateDirectories: true)
    func folder(_ repository: String, _ checkout: String) -> String? {
      PackageLocation(repository: repository, prefix: "Sub", buildFolder: here).currentFolder(in: checkout)
    }
    #expect(folder(here, checkout) == checkout)
    #expect(folder(Paths.parent(here), checkout) == "\(checkout)/\(Paths.name(here))")
    #expect(folder(Paths.parent(here), "\(checkout)/none") == "\(checkout)/none/Sub")
    #expect(folder("\(here)/elsewhere", checkout) == nil)
  }

  @Test func whereThereIsNoRepositoryOrNoCommitThereIsNoHead() async throws {
    let folder = try TemporaryFolder()
    let git = Git(folder: folder.path)
    #expect(try await git.head() == nil)
    #expect(try await !git.knowsCommit("HEAD"))
    try await git.output(["init", "--quiet"], to: "make a repository")
    #expect(try await git.head() == nil)
    #expect(try await git.checkoutRoot() == Paths.real(folder.path))
    try await git.output(["init", "--quiet", "--bare", "bare"], to: "make a repository")
    #expect(try await Git(folder: folder.path + "/bare").checkoutRoot() == nil)
  }

  @Test func aRepositoryThatCannotBeReadIsNotNone() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("[", to: ".git/config")
    let git = Git(folder: repository.root)
    await #expect(throws: RevisionError.self) { try await git.head() }
    await #expect(throws: RevisionError.self) { try await git.knowsCommit("main") }
  }

  @Test(arguments: ["HEAD:source.txt", "HEAD^{tree}"], [nil, "no object"]) func aFileThatCannotBeReadIsNotMissing(
    _ name: String, _ content: String?
  ) async throws {
    let repository = try await ThrowawayRepository()
    try await replace(name, of: repository, by: content)
    let git = Git(folder: repository.root)
    await #expect(throws: RevisionError.self) { try await git.entry(at: "source.txt", in: "HEAD") }
    let process = try await repository.build("HEAD")
    #expect(process.status == 1 && process.errorLines.count == 1, "\(process.error)")
    #expect(process.error.contains("git could not"), "\(process.error)")
  }

  @Test func aFileThatGitCannotAddIsNamed() async throws {
    let repository = try await ThrowawayRepository()
    try await repository.git("init", "--quiet", "inner")
    let process = try await repository.build()
    #expect(process.status == 1 && process.error.contains("'inner/' does not have a commit"), "\(process.error)")
  }

  @Test func aBranchWhoseCommitIsMissingIsNotUnknown() async throws {
    let repository = try await ThrowawayRepository()
    try await repository.commit("second")
    try await repository.git("branch", "old", "HEAD~1")
    try await replace("old", of: repository, by: nil)
    let git = Git(folder: repository.root)
    for name in ["old", "HEAD~1"] {
      await #expect(throws: RevisionError.self, "\(name)") { try await git.knowsCommit(name) }
    }
    let process = try await repository.build("old")
    #expect(process.status == 1 && process.error.contains("git could not read old: the object"), "\(process.error)")
  }

  /// Replaces the file of a git object. Removes the file if the content is nil.
  private func replace(_ name: String, of repository: ThrowawayRepository, by content: String?) async throws {
    let hash = try await repository.git("rev-parse", name)
    let path = "\(repository.root)/.git/objects/\(hash.prefix(2))/\(hash.dropFirst(2))"
    try FileManager.default.removeItem(atPath: path)
    if let content { try Data(content.utf8).write(to: URL(fileURLWithPath: path)) }
  }

  @Test func aPartialCloneWhoseRemoteIsGoneSaysWhatItCannotFetch() async throws {
    let repository = try await ThrowawayRepository()
    let manifest = "// swift-tools-version: 6.1\n// benchmarks tiny\n"
    try repository.write("#!/bin/sh\nexec '\(try FixtureProcess.path)' \"$@\"\n", to: "source.txt")
    try repository.write(manifest, to: "Package.swift")
    try await repository.commit("benchmarks")
    try repository.write(manifest + "// more\n", to: "Package.swift")
    try await repository.commit("another manifest")
    try await repository.git("config", "uploadpack.allowFilter", "true")
    let clone = repository.base + "/clone"
    try await repository.git("clone", "--quiet", "--filter=blob:none", "file://\(repository.root)", clone)
    try FileManager.default.moveItem(atPath: repository.root, toPath: repository.base + "/elsewhere")
    for command in [["build-revision", "HEAD~1"], ["compare", "HEAD~1", "--filter", "steady/naive/10$"]] {
      let process = try await repository.run(command, package: clone, product: nil)
      #expect(process.status == 1 && process.output.isEmpty, "\(process.output)")
      #expect(process.errorLines.count == 1 && process.error.contains("git could not read Package.swift"))
      #expect(process.error.contains("remote ('\(repository.root)' does not appear to be a git repository)"))
    }
    let unknown = try await repository.build("0123456789012345678901234567890123456789", package: clone)
    #expect(unknown.status == 1 && unknown.error.contains("Could not read from remote repository"), "\(unknown.error)")
    // If the remote can be reached, git can tell that there is no such commit.
    try FileManager.default.moveItem(atPath: repository.base + "/elsewhere", toPath: repository.root)
    let asked = try await repository.build("0123456789012345678901234567890123456789", package: clone)
    #expect(asked.status == 64 && asked.error.contains("git knows no revision"), "\(asked.error)")
    #expect(try await repository.build("HEAD~1", package: clone).status == 0)
  }

  @Test func aShallowCloneIsNoProofThatThereIsNothing() async throws {
    let repository = try await ThrowawayRepository()
    try await repository.git("branch", "side")
    try await repository.commit("second")
    let clone = repository.base + "/clone"
    try await repository.git(
      "clone", "--quiet", "--depth", "1", "--no-single-branch", "file://\(repository.root)", clone)
    let gate = try await FixtureProcess.run(["gate", "--baseline", "HEAD~1"], in: clone)
    #expect(gate.status == 4 && gate.error.contains("git fetch --unshallow"), "\(gate.error)")
    await #expect {
      try await CommitRange.between("origin/side", "origin/main", Git(folder: clone), flag: "--good")
    } throws: { "\($0)".contains("is not an ancestor of origin/main; this clone is shallow") }
  }

  // MARK: Whose checkout it is

  /// A bare repository's configuration may name commands. So git must not mistake a folder of a commit for one.
  @Test func filesThatLookLikeABareRepositoryAreNone() async throws {
    let repository = try await ThrowawayRepository()
    for (name, text) in [
      ("HEAD", "ref: refs/heads/main\n"), ("config", "[core]\n\tbare = true\n"), ("objects/x", ""), ("refs/x", ""),
    ] { try repository.write(text, to: "inner/\(name)") }
    let inner = Git(folder: repository.root + "/inner")
    await #expect { try await inner.output(["rev-parse", "--is-bare-repository"], to: "look") } throws: {
      "\($0)".contains("bare repository")
    }
  }

  @Test(.enabled(if: getuid() == 0, "only root can give files away"))
  func aCheckoutOfAnotherUserIsTrustedAsGitTrustsIt() async throws {
    let (repository, home) = (try await ThrowawayRepository(), try TemporaryFolder())
    try repository.write("#!/bin/sh\nexec '\(try FixtureProcess.path)' \"$@\"\n", to: "source.txt")
    let chown = ChildProcess(executable: "chown", arguments: ["-R", "1234:1234", repository.root], timeout: hangLimit)
    try #require(try await chown.run().isSuccess)
    let nobodys = ["HOME": home.path, "XDG_CONFIG_HOME": home.path, "GIT_CONFIG_NOSYSTEM": "1"]
    let words =
      "detected dubious ownership in repository at '\(repository.root)';"
      + " git config --global --add safe.directory \(repository.root)"
    let refused = try await repository.build("HEAD", environment: nobodys)
    #expect(refused.status == 1 && refused.errorLines.count == 1 && refused.error.contains(words), "\(refused.error)")
    let run = try await repository.run(
      ["run", "--filter", "steady/naive/10$", "--runs", "1"], environment: nobodys, in: repository.root)
    #expect(run.status == 1 && run.error.contains(words), "\(run.error)")
    #expect(!FileManager.default.fileExists(atPath: repository.root + "/results"))

    let trusting = [
      ["SUDO_UID": "1234"], ["GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"],
    ]
    for (number, variables) in trusting.enumerated() {
      let built = try await repository.build(
        arguments: ["HEAD", "--copy", "\(number)"], environment: nobodys.merging(variables) { $1 })
      #expect(built.status == 0, "\(built.error)")
      #expect(repository.buildCount == number + 2)
      for name in variables.keys { #expect(!repository.buildEnvironment.contains(name)) }
    }
  }

  @Test func variablesOfGitReachGitAlone() {
    let all = [
      "PATH": "/bin", "GITHUB_TOKEN": "a", "GIT_DIR": "b", "GIT_TRACE": "1", "GIT_LITERAL_PATHSPECS": "1",
      "SUDO_UID": "1", "SSH_AUTH_SOCK": "c", "GIT_SSH_COMMAND": "ssh", "GIT_CONFIG_COUNT": "1",
      "GIT_CONFIG_KEY_0": "http.extraHeader", "GIT_CONFIG_VALUE_0": "secret", "GIT_CONFIG_GLOBAL": "/dev/null",
    ]
    let ofGit = [
      "SUDO_UID", "SSH_AUTH_SOCK", "GIT_SSH_COMMAND", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0",
      "GIT_CONFIG_GLOBAL",
    ]
    #expect(InheritedEnvironment.ofGit(all).keys.sorted() == (ofGit + ["PATH"]).sorted())
    #expect(Array(InheritedEnvironment.reduced(all).keys) == ["PATH"])
  }

  // MARK: Without git

  @Test func withoutGitDocumentsAreComparedWhereNoRevisionCanBeMeant() async throws {
    let (repository, plain) = (try await ThrowawayRepository(), try TemporaryFolder())
    let empty = try TemporaryFolder()
    for folder in [repository.root, plain.path] {
      for name in ["old.json", "new.json", "origin/main/run.json"] {
        try StoredRuns.write(try StoredRuns.document(), to: "\(folder)/\(name)")
      }
    }
    func run(_ arguments: [String], in folder: String) async throws -> ChildProcess.End {
      try await ChildProcess(
        executable: FixtureProcess.springbench, arguments: arguments,
        environment: ["PATH": empty.path, "GITHUB_ACTIONS": "false"], timeout: hangLimit, folder: folder
      ).run()
    }
    let gate = ["gate", "--run", "new.json", "--baseline", "origin/main"]
    for arguments in [["compare", "old.json", "new.json"], gate] {
      let there = try await run(arguments, in: plain.path)
      #expect(there.isSuccess, "\(there.errorTail)")
      let here = try await run(arguments, in: repository.root)
      #expect(here.status == .exited(1) && here.errorTail.contains("git cannot be started"), "\(here.errorTail)")
    }
    let paths = try await run(["compare", "./old.json", "./new.json"], in: repository.root)
    #expect(paths.isSuccess, "\(paths.errorTail)")
  }

  // MARK: Questions to Swift

  @Test func aCompilerThatFailsIsNotOneWithoutALinker() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("#!/bin/sh\necho no such library >&2\nexit 1\n", to: "../tools/swiftc", isExecutable: true)
    let process = try await repository.build("HEAD")
    #expect(process.status == 1 && process.errorLines.count == 1, "\(process.error)")
    #expect(process.error.contains("swiftc -print-target-info fails; last line of stderr: no such library"))
    #expect(repository.leftovers.isEmpty)
  }

  @Test(arguments: ["{}", "{\"name\": \"p\"}", "{\"name\": \"p\", \"products\": []}", "[]", ""])
  func aDescriptionWithoutListsIsNoPackageWithoutBenchmarks(_ dump: String) {
    #expect(PackageManifest(dump: Data(dump.utf8)) == nil)
  }

  @Test func packagesElsewhereAreThoseThatSwiftPMLists() throws {
    let (scratch, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
    let checkout = scratch.path + "/checkout"
    try FileManager.default.createDirectory(atPath: checkout + "/inner", withIntermediateDirectories: true)
    func sources() throws -> [String] {
      try Surroundings(scratch: scratch.path, checkout: checkout).outside.keys.sorted()
    }
    func write(_ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path + "/workspace-state.json"))
    }
    func dependency(_ path: String) -> String {
      """
      {"basedOn": null, "subpath": "x", "packageRef": {"identity": "x", "kind": "fileSystem", "location": "\(path)",
      "name": "x"}, "state": {"name": "fileSystem", "path": "\(path)"}}
      """
    }
    #expect(try sources().isEmpty)
    let remote = """
      {"basedOn": null, "subpath": "y", "packageRef": {"identity": "y", "kind": "remoteSourceControl",
      "location": "https://a/y", "name": "y"}, "state": {"checkoutState": {"revision": "1", "version": "1.0.0"},
      "name": "sourceControlCheckout"}}
      """
    let list = [dependency(elsewhere.path), dependency(checkout + "/inner"), remote].joined(separator: ", ")
    try write("{\"object\": {\"artifacts\": [], \"dependencies\": [\(list)], \"prebuilts\": []}, \"version\": 7}")
    let found = try sources()
    #expect(found == [Paths.real(elsewhere.path)])
    try write("{\"object\": {\"packages\": []}, \"version\": 99}")
    #expect(throws: RevisionError.self) { try sources() }
  }

  @Test func aProgramThatCannotBeAskedIsNotOneWithoutTheBenchmark() async throws {
    let folder = try TemporaryFolder()
    let program = folder.path + "/program"
    try Data("#!/bin/sh\nexit 3\n".utf8).write(to: URL(fileURLWithPath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    try StoredRuns.write(try StoredRuns.document(), to: folder.path + "/run.json")
    try Data("budgets:\n  - ids: other/mine/10\n    limits:\n      allocationCount.max: 1\n".utf8).write(
      to: URL(fileURLWithPath: folder.path + "/springbench.yml"))
    for (programs, status, words) in [
      (program, Int32(1), "does not describe its benchmarks"), ("", 64, "matches no benchmark"),
    ] {
      let gate = try await FixtureProcess.run(
        ["gate", "--run", "run.json"], environment: ["SPRINGBENCH_PROGRAM": programs], in: folder.path)
      #expect(gate.status == status && gate.error.contains(words), "\(gate.error)")
    }
  }
}
