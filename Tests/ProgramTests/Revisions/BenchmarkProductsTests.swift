import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import Judging
@testable import Platform
@testable import Program

/// Tests which programs of a package are benchmarks. A package may have several benchmark programs, none, or programs
/// of another protocol version.
@Suite struct BenchmarkProductsTests {
  private func products(_ targets: String, products: String = "") throws -> [String] {
    let manifest = "{\"name\": \"p\", \"products\": [\(products)], \"targets\": [\(targets)]}"
    return try #require(PackageManifest(dump: Data(manifest.utf8))).benchmarkProducts()
  }

  private static let library = "{\"product\": [\"FrameBench\", \"springbench\", null, null]}"

  private func target(_ name: String, type: String = "executable", path: String? = nil, _ needs: String) -> String {
    let path = path.map { "\"path\": \"\($0)\", " } ?? ""
    return "{\"name\": \"\(name)\", \"type\": \"\(type)\", \(path)\"dependencies\": [\(needs)], \"settings\": [1]}"
  }

  @Test func executablesThatDependOnTheLibraryAreByTheNamesOfTheirProducts() throws {
    let found = try products(
      [target("a", Self.library), target("b", "{\"byName\": [\"FrameBench\", null]}"), target("c", "")].joined(
        separator: ","), products: "{\"name\": \"first\", \"type\": {\"executable\": null}, \"targets\": [\"a\"]}")
    #expect(found == ["first", "b"])
  }

  @Test func throughALibraryOfTheirOwnTheyDoSoOnlyWhereNoOtherDoesItself() throws {
    let (own, program) = (target("own", type: "regular", Self.library), target("a", "{\"target\": [\"own\", null]}"))
    #expect(try products([own, program].joined(separator: ",")) == ["a"])
    #expect(try products([own, program, target("b", Self.library)].joined(separator: ",")) == ["b"])
  }

  @Test func fixturesOfTestsAreNone() throws {
    #expect(try products(target("a", path: "Tests/Fixture", Self.library)).isEmpty)
  }

  @Test func aManifestIsReadByTheCompilersOwnPackageManager() async throws {
    let folder = try TemporaryFolder()
    let text = """
      // swift-tools-version: 6.1
      import PackageDescription
      let package = Package(
        name: "mine", dependencies: [.package(path: "../elsewhere")],
        targets: [
          .executableTarget(name: "fast", dependencies: [.product(name: "FrameBench", package: "elsewhere")]),
          .executableTarget(name: "other"),
        ])
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/Package.swift"))
    #expect(try await PackageManifest.benchmarkProducts(in: folder.path, called: "it") == ["fast"])
    try Data("let".utf8).write(to: URL(fileURLWithPath: folder.path + "/Package.swift"))
    await #expect(throws: RevisionError.self) {
      try await PackageManifest.benchmarkProducts(in: folder.path, called: "it")
    }
  }

  // MARK: Programs

  /// Writes scripts that behave like benchmark programs.
  private func scripts(_ texts: String..., in folder: TemporaryFolder) throws -> [String] {
    try texts.enumerated().map { index, text in
      let path = "\(folder.path)/program-\(index)"
      try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      return path
    }
  }

  @Test func severalProgramsGiveOneCatalogueAndEachRunsItsOwn() async throws {
    let folder = try TemporaryFolder()
    let fixture = try FixtureProcess.path
    let programs = try scripts(
      "FIXTURE_ONLY_REBUILT=200 exec '\(fixture)' \"$@\"", "FIXTURE_ONLY_EXAMPLES=1 exec '\(fixture)' \"$@\"",
      in: folder)
    let list = try await FixtureProcess.run(["list", "--program"] + programs)
    #expect(list.status == 0 && list.output.hasPrefix("rebuilt/mine/200\n"), "\(list.error)")
    #expect(list.output.split(separator: "\n").count > 3)
    let apart = try await FixtureProcess.run(["list", "--program", programs[0], "--program", programs[1]])
    #expect(apart.output == list.output)
    let run = try await FixtureProcess.run(
      ["run", "--filter", "rebuilt|bounce.*/100$", "--frames", "8", "--runs", "1", "--json", "--program"] + programs,
      in: folder.path)
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.contains("\"rebuilt/mine/200\"") && run.output.contains("bounce/"))
    let twice = try await FixtureProcess.run(["list", "--program", programs[0], programs[0]])
    #expect(twice.status == 1 && twice.error.contains("both have a scenario \"program-0.rebuilt\""), "\(twice.error)")
  }

  @Test func aNameThatTwoProgramsHaveBeginsWithTheProgram() async throws {
    let folder = try TemporaryFolder()
    let script = "FIXTURE_ONLY_REBUILT=200 exec '\(try FixtureProcess.path)' \"$@\""
    let run = try await FixtureProcess.run(
      ["run", "--frames", "8", "--runs", "1", "--json", "--program"] + scripts(script, script, in: folder),
      in: folder.path)
    #expect(run.status == 0, "\(run.error)")
    for name in ["program-0", "program-1"] { #expect(run.output.contains("\"\(name).rebuilt/mine/200\"")) }
  }

  @Test(arguments: [
    ("echo '{\"protocolVersion\": 99}'", "protocol version 99 instead of 2"),
    ("echo hello", "does not describe its benchmarks"), ("exit 3", "does not describe its benchmarks"),
  ]) func aProgramThatCannotBeAskedIsNamed(_ script: String, _ message: String) async throws {
    let folder = try TemporaryFolder()
    let programs = try scripts(script, in: folder)
    let process = try await FixtureProcess.run(["list", "--program"] + programs)
    #expect(process.status == 1 && process.error.contains(message), "\(process.error)")
    #expect(process.error.contains(programs[0]) && process.errorLines.count == 1, "\(process.error)")
  }

  @Test func aPersonWhoStartsAProgramIsToldHow() async throws {
    let end = try await ChildProcess(executable: try FixtureProcess.path, arguments: [], timeout: hangLimit).run(
      input: Data())
    #expect(end.status == .exited(64))
    #expect(
      end.errorTail
        == "SuiteFixture: this program holds benchmarks; springbench run, in the folder of its package, measures them\n"
    )
  }

  @Test func aProductIsLookedForInThePackageBelowToo() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("// swift-tools-version: 6.1\n// benchmarks tiny\n", to: "Benchmarks/Package.swift")
    try repository.write("#!/bin/sh\nexec '\(try FixtureProcess.path)' \"$@\"\n", to: "Benchmarks/source.txt")
    try await repository.commit("benchmarks in a package of their own")
    let list = try await repository.run(["list"], in: repository.root)
    #expect(list.status == 0 && list.output.contains("steady/"), "\(list.error)")
    let built = try await repository.build(arguments: ["HEAD"], in: repository.root)
    #expect(built.status == 0 && built.output.contains("/Benchmarks/.build/"), "\(built.error)")
    let named = try await repository.run(["list"], product: nil)
    #expect(named.status == 64, "\(named.error)")
    #expect(named.error.contains("another package in \(repository.root)/Benchmarks"), "\(named.error)")
  }

  @Test(arguments: ["Package.swift", "Package@swift-6.0.swift"])
  func benchmarksThatTheBaseHasInTheOtherFolderAreNotTakenForNone(name: String) async throws {
    let repository = try await ThrowawayRepository()
    let manifest = "// swift-tools-version: 6.1\n"
    try repository.write(manifest, to: "Benchmarks/Package.swift")
    try repository.write(manifest + "// FrameBench\n", to: "Benchmarks/\(name)")
    try await repository.commit("benchmarks below")
    try await repository.git("rm", "--quiet", "-r", "Benchmarks")
    try repository.write(manifest + "// benchmarks tiny\n", to: "Package.swift")
    try repository.write("#!/bin/sh\nexec '\(try FixtureProcess.path)' \"$@\"\n", to: "source.txt")
    try await repository.commit("benchmarks at the top")
    let compared = try await repository.run(["compare", "main~1"], product: nil, in: repository.root)
    #expect(
      compared.status == 1 && compared.error.contains("Benchmarks/Package.swift may have some"), "\(compared.error)")
  }

  @Test func aManifestThatIsALinkIsFollowed() async throws {
    let repository = try await ThrowawayRepository()
    try FileManager.default.removeItem(atPath: repository.root + "/Package.swift")
    try repository.write("// swift-tools-version: 6.1\n// benchmarks tiny\n", to: "Shared.swift")
    try FileManager.default.createSymbolicLink(
      atPath: repository.root + "/Package.swift", withDestinationPath: "Shared.swift")
    try await repository.commit("a link")
    let built = try await repository.run(["build-revision", "HEAD"], product: nil)
    #expect(built.status == 0, "\(built.error)")
    let cached = repository.root + "/.build/springbench/revisions/slot/scratch/ModuleCache"
    try Data().write(to: URL(fileURLWithPath: cached))
    try repository.write("// swift-tools-version: 6.1\n// environment[\"SWIFT_MODE\"]\n", to: "Shared.swift")
    try await repository.commit("another manifest behind the link")
    let other = try await repository.build("HEAD")
    #expect(other.status == 0 && !FileManager.default.fileExists(atPath: cached), "\(other.error)")
    let mode = try await repository.build("HEAD", environment: ["SWIFT_MODE": "1"])
    #expect(mode.status == 0 && mode.output != other.output, "\(mode.error)")
    #expect(repository.buildCount == 3)
  }

  // MARK: Revisions

  private static let program = """
    #!/bin/sh
    case "$0" in
      *first) export FIXTURE_ONLY_REBUILT=200 ;;
      *) export FIXTURE_SCENARIO=mine FIXTURE_ONLY_EXAMPLES=1 ;;
    esac
    exec 'PATH' "$@"
    """

  @Test func theProgramsOfTwoRevisionsArePairedByNameAndOneThatOnlyTheCandidateHasIsNew() async throws {
    let repository = try await ThrowawayRepository()
    let arguments = [
      "compare", "main~1", "main", "--filter", "rebuilt|bounce.*/100$", "--seconds", "1", "--frames", "40",
      "--tolerance", "90%", "--seed", "1", "--json",
    ]
    try repository.write(Self.program.replacing("PATH", with: try FixtureProcess.path), to: "source.txt")
    try repository.write("// swift-tools-version: 6.1\n// benchmarks first\n", to: "Package.swift")
    try await repository.commit("one program")
    let new = try await repository.run(arguments, product: nil)
    #expect(new.status == 0 && new.error.contains("main~1 has no benchmarks"), "\(new.error)")
    #expect(try Self.verdicts(new) == [true: ["missing"]])
    try repository.write(
      "// swift-tools-version: 6.1\n// benchmarks first\n// benchmarks another\n", to: "Package.swift")
    try await repository.commit("two programs")
    let both = try await repository.run(
      arguments + ["--report", "document=\(repository.base)/both.json"], product: nil)
    #expect(both.status == 0, "\(both.error)")
    let document = try ComparisonDocument(
      contentsOf: try Data(contentsOf: URL(fileURLWithPath: "\(repository.base)/both.json")))
    #expect(document.method.familyAlpha == ComparisonRule(tolerance: 0.9).familyAlpha, "what is new must not judge")
    #expect(try Self.verdicts(both) == [true: ["unchanged"], false: ["missing"]])
    try repository.write(
      Self.program.replacing("PATH", with: try FixtureProcess.path).replacing("*first)", with: "*first|*another)"),
      to: "source.txt")
    try await repository.commit("two programs with one name")
    let shared = try await repository.run(
      ["compare", "main", "--filter", "rebuilt"] + arguments.dropFirst(5), product: nil)
    #expect(shared.status == 0, "\(shared.error)")
    for name in ["another", "first"] { #expect(shared.output.contains("\"\(name).rebuilt/mine/200\"")) }
  }

  @Test func aGateMeasuresNothingWhereProgramsAndLimitsAreThoseOfTheBaseline() async throws {
    let repository = try await ThrowawayRepository()
    // The package builds a real program, because two scripts never count as the same program.
    try FileManager.default.removeItem(atPath: repository.root + "/source.txt")
    try FileManager.default.copyItem(atPath: try FixtureProcess.path, toPath: repository.root + "/source.txt")
    try repository.write("// swift-tools-version: 6.1\n// benchmarks first\n", to: "Package.swift")
    let limits = "budgets:\n  - ids: rebuilt/mine/*\n    limits:\n      allocationCount.max: 1000\n"
    try repository.write(limits, to: "springbench.yml")
    try await repository.commit("one program")
    try repository.write("words", to: "README.md")
    try await repository.commit("words")
    let folder = try TemporaryFolder()
    let arguments = [
      "gate", "--baseline", "main~1", "--budgets", repository.root + "/springbench.yml", "--frames", "8", "--runs", "1",
      "--output", folder.path,
    ]
    func gate() async throws -> FixtureProcess {
      try await repository.run(
        arguments, product: nil, environment: ["FIXTURE_ONLY_REBUILT": "200"], passing: ["FIXTURE_ONLY_REBUILT"])
    }
    let same = try await gate()
    #expect(same.status == 0 && folder.contents.isEmpty, "\(same.error)")
    #expect(same.output.contains("1 noted"), "\(same.output)")
    try repository.write(limits.replacing("1000", with: "900"), to: "springbench.yml")
    let changed = try await gate()
    #expect(changed.status == 0 && !folder.contents.isEmpty, "\(changed.error)")
  }

  /// Returns the verdicts of the rows that were judged. The key `true` has those of the program `first`, and `false`
  /// all others.
  private static func verdicts(_ process: FixtureProcess) throws -> [Bool: Set<String>] {
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(process.output.utf8)) as? [[String: Any]])
    return Dictionary(grouping: rows) { ($0["id"] as? String)?.hasPrefix("rebuilt") ?? false }.mapValues {
      Set($0.compactMap { $0["verdict"] as? String }).subtracting(["notJudged"])
    }
  }
}
