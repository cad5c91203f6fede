import Foundation
import Testing

@testable import Builds
@testable import Linking
@testable import Platform

/// Tests that the files on the disk are built, regardless of git's index.
@Suite(.serialized) struct WorkingTreeTests {
  private func row(_ process: FixtureProcess) throws -> RevisionBuildTests.Row { try RevisionBuildTests().row(process) }

  @Test(arguments: ["--assume-unchanged", "--skip-worktree"]) func aFileThatGitIsToldNotToLookAtIsBuiltAsItLiesThere(
    mark: String
  ) async throws {
    let repository = try await ThrowawayRepository()
    try repository.write(",more", to: "untracked.txt")
    try await repository.commit("more")
    try await repository.git("update-index", mark, "source.txt", "untracked.txt")
    #expect(try row(try await repository.build("--json")).isDirty == false)
    try repository.write("changed", to: "source.txt")
    unlink(repository.root + "/untracked.txt")
    let before = try await repository.userState()
    let built = try row(try await repository.build("--json"))
    #expect(built.program == "changed" && built.isDirty)
    #expect(try await Git(folder: repository.root).head()?.isDirty == true)
    #expect(try await repository.userState() == before && repository.leftovers.isEmpty)
  }

  /// Compilers read the bytes on the disk, which git may treat as unchanged although they differ.
  @Test(arguments: [
    (attribute: "text", committed: "one\ntwo", there: "one\r\ntwo"),
    (attribute: "filter=first", committed: "first", there: "second"),
    (attribute: "ident", committed: "$Id$", there: "$Id: other $"),
  ]) func aFileThatGitConvertsIsBuiltAsItLiesThere(attribute: String, committed: String, there: String) async throws {
    let repository = try await ThrowawayRepository()
    try await repository.git("config", "filter.first.clean", "sed s/second/first/")
    try repository.write("source.txt \(attribute)\n", to: ".gitattributes")
    try repository.write(committed, to: "source.txt")
    try await repository.commit("attributes")
    try repository.write(there, to: "source.txt")
    let before = try await repository.userState()
    let built = try row(try await repository.build("--json"))
    #expect(built.program == there && built.isDirty)
    #expect(try await repository.userState() == before && repository.leftovers.isEmpty)
    #expect(try row(try await repository.build("--json")).isCached)
    try repository.write(committed, to: "source.txt")
    #expect(try row(try await repository.build("--json")).program.hasPrefix(attribute == "ident" ? "$Id" : committed))
  }

  @Test func aNameThatIsNotUTF8BreaksNoBuild() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("* text=auto\n", to: ".gitattributes")
    let name = Array("\(repository.root)/odd\u{1}".utf8).map { $0 == 1 ? 0xff : $0 }.map(CChar.init(bitPattern:)) + [0]
    let file = creat(name, 0o644)
    #expect(file >= 0 && close(file) == 0)
    try await repository.commit("an odd name")
    try repository.write("one\r\ntwo", to: "source.txt")
    #expect(try row(try await repository.build("--json")).program == "one\r\ntwo")
  }

  /// Git regards a file as unchanged if its size and its modification time in whole seconds are the same.
  @Test(arguments: [true, false]) func aFileOfTheSizeAndTimeOfTheCommittedOneIsRead(isIndexOfThatTime: Bool)
    async throws
  {
    let repository = try await ThrowawayRepository()
    // A test cannot set the time of the last status change (ctime), so git must ignore it.
    try await repository.git("config", "core.trustctime", "false")
    try await repository.git("config", "core.checkStat", "minimal")
    let second = Date(timeIntervalSince1970: 1_700_000_000)
    func date(_ name: String) throws {
      try FileManager.default.setAttributes([.modificationDate: second], ofItemAtPath: "\(repository.root)/\(name)")
    }
    try date("source.txt")
    try await repository.git("update-index", "--refresh")
    if isIndexOfThatTime { try date(".git/index") }
    try repository.write("later", to: "source.txt")
    try date("source.txt")
    #expect(try row(try await repository.build("--json")).program == "later")
  }

  @Test func whatASparseCheckoutLeavesOutIsNoChange() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write(",module", to: "module/inner.txt")
    try repository.write("* text=auto\n", to: ".gitattributes")
    try await repository.commit("a module")
    try await repository.git("sparse-checkout", "set", "--no-cone", "/*", "!/module/")
    #expect(!FileManager.default.fileExists(atPath: repository.root + "/module"))
    #expect(try row(try await repository.build("--json")).isDirty == false)
    #expect(try await Git(folder: repository.root).head()?.isDirty == false)
    try repository.write("changed", to: "source.txt")
    #expect(try row(try await repository.build("--json")).program == "changed")
    try repository.write(",back", to: "module/inner.txt")
    #expect(try row(try await repository.build("--json")).program == "changed,back")
  }

  @Test func aRevisionIsBuiltAsItsHashNamesIt() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("second", to: "source.txt")
    try await repository.commit("second")
    try await repository.git("replace", "HEAD~1", "HEAD")
    #expect(try row(try await repository.build("HEAD~1", "--json")).program == "first")
  }

  @Test func submodulesAreBuiltAsTheyLieThere() async throws {
    let outer = try await ThrowawayRepository()
    let inner = try await ThrowawayRepository()
    try inner.write(",module", to: "inner.txt")
    try inner.write("// swift-tools-version: 6.1\n// Context.environment[\"FLAVOR\"]\n", to: "Package.swift")
    try await inner.commit("inner")
    try await outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "module")
    try await outer.commit("with a submodule")
    let before = try await outer.userState()
    let built = try await outer.build("HEAD", "--json", environment: ["FLAVOR": "1"])
    #expect(try row(built).program == "first,module" && built.error.contains("seems to read FLAVOR"), "\(built.error)")
    #expect(try await outer.userState() == before && outer.leftovers.isEmpty)
    try outer.write(",changed", to: "module/inner.txt")
    try await outer.git("-C", "module", "update-index", "--assume-unchanged", "inner.txt")
    let changed = try row(try await outer.build("--json"))
    #expect(changed.program == "first,changed" && changed.isDirty)
    #expect(try await outer.userState() == before && outer.leftovers.isEmpty)
    // With this setting, git would also look for a commit of the submodule that was not fetched, and fail.
    try await outer.git("config", "submodule.recurse", "true")
    try await outer.git("update-index", "--cacheinfo", "160000,\(String(repeating: "1", count: 40)),module")
    try await outer.git("commit", "--quiet", "--message", "not fetched")
    let unknown = try await outer.build("HEAD", "--json")
    #expect(try row(unknown).program == "first" && unknown.error.contains("1111111 is not here"), "\(unknown.error)")
    try await outer.git("submodule", "--quiet", "deinit", "--force", "module")
    let empty = try await outer.build("HEAD", "--json", "--copy", "1")
    #expect(try row(empty).program == "first")
    #expect(empty.error.contains("the submodule module is empty"))
    try outer.write("Fetched https://example.com/p (0.1s)\nerror: target 'module' is empty\n", to: "broken.txt")
    try await outer.commit("broken")
    let broken = try await outer.build("HEAD")
    #expect(broken.status == 1 && broken.errorLines.count == 3, "\(broken.error)")
    #expect(broken.errorLines.last?.contains("git submodule update --init") == true, "\(broken.error)")
  }

  @Test func resultsInASubmoduleOrBehindALinkAreNoChange() async throws {
    let outer = try await ThrowawayRepository()
    let inner = try await ThrowawayRepository()
    try await outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "module")
    try FileManager.default.createSymbolicLink(atPath: outer.root + "/link", withDestinationPath: inner.root)
    try await outer.commit("with a submodule and a link")
    try outer.write("{}", to: "module/results/run.json")
    for (excluded, isDirty) in [(["module/results", "link/report.md"], false), ([], true)] {
      let state = try await Git(folder: outer.root).workingTreeState(
        excluding: excluded, into: Snapshot(in: outer.base))
      #expect(state.isDirty == isDirty)
    }
  }

  @Test(arguments: [nil, "stored"]) func aFileOfGitLFSWithoutItsContentIsNamed(storage: String?) async throws {
    let repository = try await ThrowawayRepository()
    if let storage { try await repository.git("config", "lfs.storage", storage) }
    try repository.write("*.bin filter=lfs\n", to: "some/.gitattributes")
    let hash = String(repeating: "0a", count: 32)
    try repository.write("version https://git-lfs.github.com/spec/v1\noid sha256:\(hash)\n", to: "some/a b.bin")
    try repository.write("version https://git-lfs.github.com/spec/v1, says a text", to: "text.txt")
    try repository.write("content", to: "some/c.bin")
    // If Git LFS is installed, it would try to fetch the content. Without git's configuration files it is inactive.
    let none = ["GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"]
    try await repository.git("add", "--all", environment: none)
    try await repository.commit("files")
    let built = try await repository.build("HEAD", environment: none)
    #expect(built.status == 0 && built.error.contains("pointer in place of some/a b.bin;"), "\(built.error)")
    #expect(try await !repository.build("HEAD~1", environment: none).error.contains("pointer"))
    #expect(try row(try await repository.build("HEAD", "--json", environment: none)).isCached)
    try repository.write("content", to: ".git/\(storage ?? "lfs")/objects/0a/0a/\(hash)")
    #expect(try row(try await repository.build("HEAD", "--json", environment: none)).isCached == false)
    try await repository.git("config", "filter.lfs.smudge", "cat")
    #expect(try row(try await repository.build("HEAD", "--json", environment: none)).isCached == false)
  }

  @Test func aSubmoduleThatIsFetchedLaterIsBuiltThen() async throws {
    let (outer, inner) = (try await ThrowawayRepository(), try await ThrowawayRepository())
    let pointer = "version https://git-lfs.github.com/spec/v1\n"
    for (name, text) in ["inner.txt": ",module", ".gitattributes": "*.bin filter=lfs\n", "data.bin": pointer] {
      try inner.write(text, to: name)
    }
    let none = ["GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"]
    try await inner.git("add", "--all", environment: none)
    try await inner.commit("inner")
    let submodule = ["-c", "protocol.file.allow=always", "submodule", "--quiet"]
    func git(_ arguments: String...) async throws {
      let git = ChildProcess(
        executable: "git", arguments: ["-C", outer.root] + submodule + arguments, environment: none, timeout: hangLimit)
      try #require(try await git.run().isSuccess)
    }
    func build(_ revision: String) async throws -> (program: String, error: String) {
      let built = try await outer.build(revision, "--json", environment: none)
      return (try row(built).program, built.error)
    }
    try await git("add", inner.root, "module")
    try await outer.commit("with a submodule")
    let whole = try await build("HEAD")
    #expect(whole.program == "first,module" && whole.error.contains("pointer in place of data.bin"), "\(whole.error)")
    try await outer.commit("the same")
    try await git("deinit", "--force", "module")
    #expect(try await build("HEAD").program == "first")
    try await git("update", "--init")
    #expect(try await build("HEAD").program == "first,module")
    try inner.write(",newer", to: "inner.txt")
    try await inner.commit("newer")
    let newer = try await inner.git("rev-parse", "HEAD")
    try await outer.git("update-index", "--cacheinfo", "160000,\(newer),module")
    try await outer.git("commit", "--quiet", "--message", "not fetched")
    #expect(try await build("HEAD").program == "first")
    try await git("update")
    #expect(try await build("HEAD").program == "first,newer")
  }

  @Test func aLinkOutOfTheRepositoryLeadsWhereItLeadsTheUser() async throws {
    let repository = try await ThrowawayRepository()
    let outside = repository.base + "/elsewhere/text.txt"
    try repository.write("outside", to: "../elsewhere/text.txt")
    unlink(repository.root + "/source.txt")
    try FileManager.default.createSymbolicLink(
      atPath: repository.root + "/source.txt", withDestinationPath: "../elsewhere/text.txt")
    try await repository.commit("a link")
    let built = try await repository.build("HEAD", "--json")
    #expect(try row(built).program == "outside")
    #expect(built.error.contains("\(outside) is outside the repository"))
    #expect(try row(try await repository.build("HEAD", "--json")).isCached)
    try repository.write("changed", to: "../elsewhere/text.txt")
    #expect(try row(try await repository.build("HEAD", "--json")).program == "changed")
  }

  @Test func whatIsInNoRevisionIsNamed() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("// swift-tools-version: 6.1\n// benchmarks tiny\n", to: "Package.swift")
    try repository.write(".build/\n*.local.swift\n", to: ".gitignore")
    try repository.write("", to: "Sources/tiny/main.swift")
    try await repository.commit("a target")
    try repository.write("", to: "other.local.swift")
    #expect(try await repository.build().error.isEmpty)
    try repository.write("", to: "Sources/tiny/own.local.swift")
    try repository.write(
      """
      {"object": {"dependencies": [
        {"packageRef": {"name": "feed", "location": "https://a/feed"}, "state": {"name": "edited"}}
      ]}}
      """, to: ".build/workspace-state.json")
    let built = try await repository.build()
    #expect(built.error.contains("git ignores Sources/tiny/own.local.swift, so no revision is built with that"))
    #expect(built.error.contains("feed was edited here, but revisions are built with its pinned version"))
    #expect(try await repository.build("HEAD").error.isEmpty)
    unlink(repository.root + "/Sources/tiny/own.local.swift")
    // A neighboring package may be a dependency of the package that is built.
    try repository.write("// swift-tools-version: 6.1\n// benchmarks tiny\n", to: "Engine/Package.swift")
    try repository.write("", to: "Engine/Sources/tiny/own.swift")
    try await repository.commit("an engine")
    try repository.write("", to: "Engine/Sources/tiny/own.local.swift")
    #expect(try await repository.build().error.contains("git ignores Engine/Sources/tiny/own.local.swift, so no"))
    try FileManager.default.removeItem(atPath: repository.root + "/Engine")
    unlink(repository.root + "/.build/workspace-state.json")
    try repository.write(".build/\nLocal/\nLogs/\n", to: ".gitignore")
    try repository.write("", to: "Logs/log.txt")
    #expect(try await !repository.build().error.contains("git ignores"))
    try repository.write("", to: "Local/include/own.h")
    #expect(try await repository.build().error.contains("git ignores Local/include/own.h, so no revision"))
  }

  @Test func aSourceThatASparseCheckoutLeavesOutIsNamed() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("// swift-tools-version: 6.1\n// benchmarks tiny\n", to: "Package.swift")
    try repository.write("", to: "Sources/tiny/main.swift")
    try repository.write("", to: "Sources/tiny/fast.swift")
    try repository.write("", to: "Other/text.txt")
    try await repository.commit("a target")
    try await repository.git("sparse-checkout", "set", "--no-cone", "/*", "!/Other/")
    #expect(try await repository.build().error.isEmpty)
    // A deleted file causes no message, even if the index marks it as skipped, because a build of the working tree
    // lacks the file, too.
    try await repository.git("sparse-checkout", "disable")
    try await repository.git("update-index", "--skip-worktree", "Sources/tiny/fast.swift")
    unlink(repository.root + "/Sources/tiny/fast.swift")
    #expect(try await repository.build().error.isEmpty)
    try await repository.git("update-index", "--no-skip-worktree", "Sources/tiny/fast.swift")
    try await repository.git("sparse-checkout", "set", "--no-cone", "/*", "!/Sources/tiny/fast.swift")
    let hash = try await repository.git("rev-parse", "HEAD").prefix(7)
    let note = "springbench: note: this sparse checkout leaves out Sources/tiny/fast.swift of"
    for arguments in [[], ["HEAD"]] {
      let built = try await repository.build(arguments: arguments)
      #expect(built.error == "\(note) \(hash)\n", "\(arguments)")
    }
    try repository.write("changed", to: "source.txt")
    #expect(try await repository.build().error == "\(note) the working tree\n")
  }

  /// Files in a folder for results do not count as sources, so sources must not be there.
  @Test func aFolderForResultsWithSourcesIsRefused() async throws {
    let repository = try await ThrowawayRepository()
    let git = Git(folder: repository.root)
    for folder in ["plain", "odd [a]*"] {
      try repository.write("{}", to: "\(folder)/desk/20261121T064712Z-6a73046/run.json")
      try await git.refuseSources(in: [folder])
      for name in ["Package.swift", "Code/main.c"] {
        try repository.write("", to: "\(folder)/\(name)")
        await #expect(
          throws: RevisionError(
            .usage, "\(folder)/\(name) is a source file in a folder for results; name another folder")
        ) { try await git.refuseSources(in: ["none", folder]) }
        unlink("\(repository.root)/\(folder)/\(name)")
      }
    }
    try await git.refuseSources(in: [])
  }

  @Test func aBuildFolderThatGitTracksAlthoughItIgnoresItIsNoError() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("x", to: ".build/x")
    try await repository.git("add", "--force", ".build/x")
    try await repository.commit("a build folder")
    try repository.write("changed", to: "source.txt")
    #expect(try row(try await repository.build("--json")).program == "changed")
  }

  /// A program whose run path leads into the working tree loads the libraries there, not those of its revision.
  @Test func aRunPathThatLeadsIntoTheWorkingTreeIsNamed() async throws {
    let repository = try await ThrowawayRepository()
    let tools = try #require(try await LinkTools.installed())
    let paths = ["Vendor", "$ORIGIN", "$ORIGIN/../../../../../Vendor", "/usr/lib", "\(repository.root)/Vendor", "none"]
    try repository.write("", to: "Vendor/library.txt")
    try await LinkTools.run(
      tools.assembler,
      ["-shared", "-nostdlib", "-fuse-ld=lld", "-Wl,-rpath," + paths.joined(separator: ":"), "-x", "c", "/dev/null"] + [
        "-o", repository.root + "/source.txt",
      ])
    let image = try #require(
      FileManager.default.contents(atPath: repository.root + "/source.txt").flatMap { ELFImage([UInt8]($0)) })
    #expect(image.libraryPaths == paths)
    try await repository.commit("a library")
    let built = try await repository.build(arguments: ["HEAD"], in: repository.root)
    #expect(built.status == 0)
    #expect(
      built.errorLines.map { $0.split(separator: " ").dropFirst(6).first.map(String.init) } == [
        "Vendor", "$ORIGIN/../../../../../Vendor", "\(repository.root)/Vendor",
      ], "\(built.error)")
    #expect(built.error.contains("Vendor leads into the repository, so every revision uses what is there now"))
  }

  @Test(arguments: ["LD_LIBRARY_PATH", "CPATH"]) func aVariableThatLeadsIntoTheWorkingTreeIsNamed(name: String)
    async throws
  {
    let repository = try await ThrowawayRepository()
    try repository.write("", to: "Vendor/vendor.h")
    let folders = "/usr/lib:\(repository.root)/Vendor"
    #expect(try await repository.build("HEAD", environment: [name: "/usr/lib"]).error.isEmpty)
    let built = try await repository.build("HEAD", environment: [name: folders])
    #expect(built.error.contains("\(name) leads into the repository"))
  }

  @Test func aFlagThatLeadsIntoTheWorkingTreeIsNamed() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("", to: "libs/libwork.a")
    for (flag, isNamed) in [("-L\(repository.root)/libs", true), ("-Llibs", false), ("-L/usr/lib", false)] {
      let built = try await repository.build("HEAD", "--build-flag=-Xlinker", "--build-flag=\(flag)")
      #expect(built.status == 0)
      #expect(built.error.contains("\(flag) leads into the repository") == isNamed, "\(built.error)")
    }
  }
}
