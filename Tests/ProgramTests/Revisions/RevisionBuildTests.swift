import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Platform
@testable import Program

/// Tests what is built, from which sources, and how often. A fake compiler copies `source.txt` as the program.
@Suite(.serialized) struct RevisionBuildTests {
  struct Row: Decodable {
    var path: String
    var commit: String?
    var isDirty: Bool
    var isCached: Bool
    var toolchain: String

    var program: String { String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self) }
  }

  func row(_ process: FixtureProcess) throws -> Row {
    try #require(process.status == 0, "\(process.error)")
    return try #require(try JSONDecoder().decode([Row].self, from: Data(process.output.utf8)).first)
  }

  @Test func eachRevisionIsBuiltOnceFromItsOwnFiles() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("second", to: "source.txt")
    try await repository.commit("second")
    let before = try await repository.userState()
    let first = try row(try await repository.build("HEAD~1", "--json"))
    let second = try row(try await repository.build("main", "--json"))
    let again = try row(try await repository.build("HEAD~1", "--json"))
    #expect(first.program == "first")
    #expect(second.program == "second")
    #expect(try await repository.git("rev-parse", "HEAD~1") == first.commit)
    #expect([first, second, again].map(\.isCached) == [false, false, true])
    #expect(again.path == first.path)
    #expect(first.toolchain.contains("9.9"))
    #expect(repository.buildCount == 2)
    #expect(try await repository.userState() == before && repository.leftovers.isEmpty)
  }

  @Test func theWorkingTreeIsBuiltAsItLiesThere() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("staged", to: "source.txt")
    try await repository.git("add", "source.txt")
    try repository.write("changed,", to: "source.txt")
    try repository.write("new", to: "untracked.txt")
    try repository.write("ignored", to: ".build/pins")
    let before = try await repository.userState()
    let built = try row(try await repository.build("--json"))
    #expect(built.program == "changed,new")
    #expect(built.isDirty)
    #expect(try await repository.git("rev-parse", "HEAD") == built.commit)
    #expect(try row(try await repository.build("--json")).isCached)
    #expect(try await repository.userState() == before && repository.leftovers.isEmpty)
    try repository.write("newer", to: "untracked.txt")
    #expect(try row(try await repository.build("--json")).program == "changed,newer")
    #expect(repository.buildCount == 2)
  }

  @Test func aCleanWorkingTreeIsItsCommit() async throws {
    let repository = try await ThrowawayRepository()
    let tree = try row(try await repository.build("--json"))
    let head = try row(try await repository.build("HEAD", "--json"))
    #expect(!tree.isDirty)
    #expect(head.isCached)
    #expect(head.path == tree.path)
  }

  @Test func aMergeThatIsNotFinishedIsBuiltAsItLiesThere() async throws {
    let repository = try await ThrowawayRepository()
    try await repository.git("checkout", "--quiet", "-b", "topic")
    try repository.write("theirs", to: "source.txt")
    try await repository.commit("theirs")
    try await repository.git("checkout", "--quiet", "main")
    try repository.write("ours", to: "source.txt")
    try await repository.commit("ours")
    try await repository.git("-c", "alias.join=!git merge --quiet topic || true", "join")
    let before = try await repository.userState()
    #expect(before[1] == "UU source.txt")
    let built = try row(try await repository.build("--json"))
    #expect(built.program.contains("<<<<<<<"))
    #expect(try await repository.userState() == before)
  }

  @Test func aWorkingTreeWithoutAnyCommitIsBuilt() async throws {
    let repository = try await ThrowawayRepository()
    try await repository.git("update-ref", "-d", "HEAD")
    let built = try row(try await repository.build("--json"))
    #expect(built.program == "first")
    #expect(built.isDirty)
    #expect(built.commit == nil)
    #expect(try await repository.build("HEAD").status == 64)
  }

  @Test func aBuildFolderThatGitDoesNotIgnoreStaysOutOfTheBuildAndOutOfTheStatus() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("", to: ".gitignore")
    try await repository.commit("ignores nothing")
    let before = try await repository.git("status", "--porcelain")
    let built = try row(try await repository.build("--json"))
    #expect(!built.isDirty)
    #expect(try await repository.git("status", "--porcelain") == before)
    try repository.write("an object file", to: ".build/x.o")
    #expect(try row(try await repository.build("--json")).isCached)
  }

  @Test func aReportThatIsWrittenIntoTheWorkingTreeIsNoReasonToBuildItAnew() async throws {
    let repository = try await ThrowawayRepository()
    for name in ["gate.md", "other.md"] {
      try repository.write("of an earlier comparison", to: name)
      _ = try await repository.run(["compare", "HEAD", "--report", "markdown=\(repository.root)/gate.md"])
      #expect(repository.buildCount == (name == "gate.md" ? 1 : 2))
    }
  }

  @Test func aBuildFolderOnAnotherDiskServesToo() async throws {
    let repository = try await ThrowawayRepository()
    let disk = repository.base + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: repository.root + "/.build", withDestinationPath: disk)
    try repository.write(".build\n", to: ".gitignore")
    try await repository.commit("ignores the link")
    let before = try await repository.userState()
    let built = try row(try await repository.build("--json"))
    #expect(built.path.hasPrefix(disk + "/springbench/"))
    #expect(!built.isDirty)
    #expect(try await repository.userState() == before)
  }

  @Test func flagsToolchainsVariablesAndCopiesMakeBuildsOfTheirOwn() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("// swift-tools-version: 6.1\n// environment[\"MINE_MODE\"]\n", to: "Package.swift")
    try await repository.commit("a manifest that reads a variable")
    let builds = [
      try await repository.build("HEAD", "--json"),
      try await repository.build("HEAD", "--json", "--build-flag", "-Xswiftc", "--build-flag", "-Ounchecked"),
      try await repository.build("HEAD", "--json", environment: ["FAKE_VERSION": "9.10"]),
      try await repository.build("HEAD", "--json", environment: ["MINE_MODE": "1"], passing: ["MINE_MODE"]),
      try await repository.build("HEAD", "--json", environment: ["OTHER_MODE": "1"]),
      try await repository.build("HEAD", "--json", "--copy", "1"),
    ]
    #expect(try builds.map { try row($0).isCached } == [false, false, false, false, true, false])
  }

  @Test func aPackageInASubfolderIsBuiltThere() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("// swift-tools-version: 6.1\n", to: "Benchmarks/Package.swift")
    try repository.write("inner", to: "Benchmarks/source.txt")
    try await repository.commit("a package below")
    let package = repository.root + "/Benchmarks"
    #expect(try row(try await repository.build("HEAD", "--json", package: package)).program == "inner")
    let missing = try await repository.build("HEAD~1", package: package)
    #expect(missing.status == 1)
    #expect(missing.errorLines.count == 1)
    #expect(missing.error.contains("HEAD~1 has no Package.swift in Benchmarks"))
    #expect(try await repository.git("status", "--porcelain").isEmpty)
  }

  /// Compilers do not list such files among those that they read.
  @Test func aFileOutsideThatAFlagOrAManifestNamesTellsBuildsApart() async throws {
    let repository = try await ThrowawayRepository()
    let flags = [
      "--config=\(repository.base)/a.cfg", "@../d.rsp", "-load-plugin-executable", "\(repository.base)/e.so#Macros",
    ].map { "--build-flag=\($0)" }
    try repository.write("", to: "some/file.txt")
    try repository.write(
      "// swift-tools-version: 6.1\n// unsafeFlags([\"@\(repository.base)/b.rsp\"]), pkgConfig: \"c\"\n",
      to: "Package.swift")
    try await repository.commit("flags")
    func build(in folder: String = "") async throws -> Bool {
      try row(
        try await repository.build(
          arguments: ["HEAD", "--json"] + flags, environment: ["PKG_CONFIG_PATH": repository.base],
          in: repository.root + folder)
      ).isCached
    }
    let names = ["a.cfg", "b.rsp", "c.pc", "d.rsp", "e.so"]
    for name in names { try repository.write("1", to: "../\(name)") }
    #expect(try await !build())
    for isCached in [false, true] { #expect(try await build(in: "/some") == isCached) }
    for name in names {
      #expect(try await build())
      try repository.write("2", to: "../\(name)")
      #expect(try await !build(), "\(name)")
    }
  }

  @Test func aPackageBesideTheRepositoryIsFoundAndItsChangesAreSeen() async throws {
    let repository = try await ThrowawayRepository()
    let neighbor = repository.base + "/neighbor"
    try repository.write(",neighbor", to: "../neighbor/source.txt")
    try repository.write("// swift-tools-version: 6.1\n// path: \"../neighbor\"\n", to: "Package.swift")
    try await repository.commit("depends on its neighbor")
    try await repository.git("-C", neighbor, "init", "--quiet")
    let first = try await repository.build("HEAD", "--json")
    #expect(try row(first).program == "first,neighbor")
    #expect(first.error.contains("\(neighbor) is outside the repository"))
    #expect(try row(try await repository.build("HEAD", "--json")).isCached)
    try repository.write(",changed", to: "../neighbor/source.txt")
    #expect(try row(try await repository.build("HEAD", "--json")).program == "first,changed")
  }

  @Test func aPackageBesideTheRepositoryThatGitDoesNotKnowIsKnownByItsFiles() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write(",neighbor", to: "../neighbor/source.txt")
    try repository.write("// swift-tools-version: 6.1\n// path: \"../neighbor\"\n", to: "Package.swift")
    try await repository.commit("depends on its neighbor")
    #expect(try row(try await repository.build("HEAD", "--json")).program == "first,neighbor")
    #expect(try row(try await repository.build("HEAD", "--json")).isCached)
    #expect(repository.buildCount == 1)
    try repository.write(",changed", to: "../neighbor/source.txt")
    #expect(try row(try await repository.build("HEAD", "--json")).program == "first,changed")
    #expect(repository.buildCount == 2)
  }

  @Test func thePlaceOfAProgramIsAskedOfSwiftPM() async throws {
    let repository = try await ThrowawayRepository()
    let environment = ["FAKE_BINARIES": "out/Products/Release-linux"]
    #expect(try row(try await repository.build("HEAD", "--json", environment: environment)).program == "first")
  }

  @Test func manifestsForOtherVersionsAndFilesThatTheyReadSayWhatTheProgramsAre() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("// swift-tools-version: 6.1\nimport PackageDescription\n", to: "Package.swift")
    try repository.write("// benchmarks other\n", to: "Package@swift-6.0.swift")
    try repository.write("// benchmarks named\n", to: "names.txt")
    try await repository.commit("another manifest")
    let other = try row(try await repository.run(["build-revision", "HEAD", "--json"], product: nil))
    #expect(Paths.name(other.path) == "other")
    try await repository.git("rm", "--quiet", "Package@swift-6.0.swift")
    try repository.write("// swift-tools-version: 6.1\nimport Foundation\n", to: "Package.swift")
    try await repository.commit("a manifest that reads a file")
    let named = try row(try await repository.run(["build-revision", "HEAD", "--json"], product: nil))
    #expect(Paths.name(named.path) == "named")
  }

  @Test func aVariableOfAnyManifestOfTheRepositoryMakesABuildOfItsOwn() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("// swift-tools-version: 6.1\n// environment[\"MINE_MODE\"]\n", to: "Library/Package.swift")
    try await repository.commit("a library whose manifest reads a variable")
    #expect(try row(try await repository.build("HEAD", "--json")).isCached == false)
    let other = try await repository.build("HEAD", "--json", environment: ["MINE_MODE": "1"], passing: ["MINE_MODE"])
    #expect(try row(other).isCached == false)
  }

  @Test func aVariableThatIsPassedOnMakesABuildOfItsOwn() async throws {
    let repository = try await ThrowawayRepository()
    for (value, isCached) in [("slow checks", false), ("fast checks", false), ("fast checks", true)] {
      let built = try await repository.build(
        "HEAD", "--json", environment: ["PLUGIN_MODE": value], passing: ["PLUGIN_MODE"])
      let row = try row(built)
      #expect(row.isCached == isCached)
      let record = try String(contentsOfFile: Paths.parent(row.path) + "/build.json", encoding: .utf8)
      #expect(record.contains("PLUGIN_MODE") && !record.contains(value), "the value may be a secret")
    }
  }

  @Test func theUsersMirrorsMakeABuildOfItsOwn() async throws {
    let repository = try await ThrowawayRepository()
    for text in ["one", "two"] {
      try repository.write(text, to: ".swiftpm/configuration/mirrors.json")
      #expect(try row(try await repository.build("HEAD", "--json")).isCached == false)
    }
  }

  @Test func clonesOfDependenciesThatTheUserHasAreAtHand() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("a clone", to: ".build/repositories/dependency/HEAD")
    #expect(try await repository.build("HEAD").status == 0)
    let copy = repository.root + "/.build/springbench/revisions/slot/scratch/repositories/dependency/HEAD"
    #expect(FileManager.default.contents(atPath: copy) == Data("a clone".utf8))
  }

  @Test func aBuildThatIsNotWholeIsBuiltAgain() async throws {
    let repository = try await ThrowawayRepository()
    let built = try row(try await repository.build("HEAD", "--json"))
    let folder = (built.path as NSString).deletingLastPathComponent
    try Data("fir".utf8).write(to: URL(fileURLWithPath: built.path))
    #expect(try row(try await repository.build("HEAD", "--json")).program == "first")
    try FileManager.default.removeItem(atPath: folder)
    for name in try FileManager.default.contentsOfDirectory(atPath: (folder as NSString).deletingLastPathComponent)
    where !name.hasSuffix(".lock") {
      try Data("{".utf8).write(
        to: URL(fileURLWithPath: "\((folder as NSString).deletingLastPathComponent)/\(name)/build.json"))
    }
    #expect(try row(try await repository.build("HEAD", "--json")).isCached == false)
  }

  @Test func twoAtOnceDoNotHarmEachOther() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("second", to: "source.txt")
    try await repository.commit("second")
    let before = try await repository.userState()
    async let a = repository.build("HEAD", "--json")
    async let b = repository.build("HEAD~1", "--json")
    async let c = repository.build("HEAD", "--json")
    let rows = [try row(try await a), try row(try await b), try row(try await c)]
    #expect(rows.map(\.program) == ["second", "first", "second"])
    #expect(repository.buildCount == 2)
    #expect(try await repository.userState() == before && repository.leftovers.isEmpty)
  }
}
