import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import Judging
@testable import Platform
@testable import Program

/// Tests suites that were written for package-benchmark, and the package that replaces package-benchmark.
@Suite struct StandInPackageTests {
  private static let manifest = """
    // swift-tools-version: 6.1
    import PackageDescription
    let package = Package(
      name: "suite",
      dependencies: [
        .package(path: "../"), .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.11.1"),
      ],
      targets: [
        .executableTarget(name: "Fast", dependencies: [.product(name: "Benchmark", package: "benchmark")]),
        .executableTarget(name: "other"),
      ])
    """

  @Test func itIsForManifestsThatDependOnTheOriginalAndNotOnFrameBench() {
    #expect(StandInPackage.isNeeded(by: Self.manifest))
    #expect(StandInPackage.isNeeded(by: "git@github.com:ordo-one/package-benchmark"))
    #expect(!StandInPackage.isNeeded(by: Self.manifest + "FrameBench"))
    #expect(StandInPackage.isNeeded(by: "url: \"ssh://git@example.org/us/package-benchmark.git\","))
    #expect(
      StandInPackage.isNeeded(by: "let host = \"https://github.com\", url: \"\\(host)/ordo-one/package-benchmark\""))
    for other in [
      "ordo-one/TextTable", "google/swift-benchmark", "apple/swift-collections-benchmark", "us/benchmark-x",
    ] { #expect(!StandInPackage.isNeeded(by: "\"https://github.com/\(other)\"")) }
  }

  @Test func programsWrittenForTheOriginalAreProgramsOfBenchmarks() async throws {
    let folder = try TemporaryFolder()
    try Data(Self.manifest.utf8).write(to: URL(fileURLWithPath: folder.path + "/Package.swift"))
    #expect(try await PackageManifest.benchmarkProducts(in: folder.path, called: "it") == ["Fast"])
  }

  @Test func itHasTheVersionsThatAManifestNamesAndOnePlaceForItsContent() async throws {
    let folder = try TemporaryFolder()
    let made = try await StandInPackage(for: Self.manifest, in: folder.path)
    let again = try await StandInPackage(for: Self.manifest, in: folder.path)
    #expect(made.folder == again.folder && made.stamp == again.stamp)
    for name in ["benchmark", "package-benchmark"] {
      let git = Git(folder: "\(made.folder)/\(name)")
      #expect(try await git.knowsCommit("1.11.1"))
      #expect(try await git.knowsCommit("1.999.0"))
      let files = try await git.output(["ls-tree", "-r", "HEAD"], to: "list its files")
      // The modules are real files in the replacing package. In springbench's repository they are symbolic links, which
      // have the mode 120000.
      #expect(files.contains("Sources/FrameBench/Suite/Suite.swift") && !files.contains("120000"))
    }
  }

  @Test func manifestsWithOtherVersionsHaveOtherRepositories() async throws {
    let folder = try TemporaryFolder()
    var folders: Set<String> = []
    for version in ["1.11.7", "1.11.8"] {
      let manifest = Self.manifest.replacing("1.11.1", with: version)
      let made = try await StandInPackage(for: manifest, in: folder.path)
      #expect(try await Git(folder: "\(made.folder)/benchmark").knowsCommit(version))
      folders.insert(made.folder)
    }
    #expect(folders.count == 2)
  }

  @Test func aProgramWithoutThePackageBesideItSaysWhereToGetIt() async throws {
    let folder = try TemporaryFolder()
    try Data(Self.manifest.utf8).write(to: URL(fileURLWithPath: folder.path + "/Package.swift"))
    try await Git(folder: folder.path).output(["init", "--quiet"], to: "make a repository")
    let program = folder.path + "/springbench"
    // A child copies the program. If this process did, a child that another test starts meanwhile would inherit the open
    // file, and Linux executes no file that is open for writing.
    let copy = try ChildProcess(
      executable: "/bin/cp", arguments: [FixtureProcess.springbench, program], timeout: hangLimit)
    #expect(try await copy.run().isSuccess)
    let process = ChildProcess(
      executable: program, arguments: ["list"], environment: ["SPRINGBENCH_PROGRAM": nil], timeout: hangLimit,
      folder: folder.path)
    let end = try await process.run(input: Data())
    #expect(end.status == .exited(1))
    #expect(end.errorTail.contains("make install, in springbench's folder"), "\(end.errorTail)")
  }

  @Test func aCheckoutKeepsItsOwnMirrorsAndLosesThePinsOfTheOriginal() async throws {
    let folder = try TemporaryFolder()
    let fork = "\"https://example.org/us/package-benchmark.git\""
    let standIn = try await StandInPackage(for: Self.manifest + fork, in: folder.path)
    let checkout = "\(folder.path)/checkout"
    let mirrors = "\(checkout)/.swiftpm/configuration/mirrors.json"
    try FileManager.default.createDirectory(
      atPath: "\(checkout)/.swiftpm/configuration", withIntermediateDirectories: true)
    try Data(#"{"version": 1, "object": [{"original": "https://a/b", "mirror": "https://c/b"}]}"#.utf8).write(
      to: URL(fileURLWithPath: mirrors))
    let pins = #"{"version": 3, "pins": [{"identity": "benchmark"}, {"identity": "swift-nio"}]}"#
    try Data(pins.utf8).write(to: URL(fileURLWithPath: "\(checkout)/Package.resolved"))
    try standIn.settle(in: checkout)
    let text = try String(contentsOfFile: mirrors, encoding: .utf8)
    #expect(text.contains("https://c/b") && text.contains("\(standIn.folder)/benchmark"))
    #expect(text.contains("\"https://github.com/ordo-one/package-benchmark\"") && text.contains(fork))
    let left = try String(contentsOfFile: "\(checkout)/Package.resolved", encoding: .utf8)
    #expect(left.contains("swift-nio") && !left.contains("\"benchmark\""))
    try Data("{".utf8).write(to: URL(fileURLWithPath: mirrors))
    #expect(throws: RevisionError.self) { try standIn.settle(in: checkout) }
  }

  @Test(arguments: [".swiftpm", ".swiftpm/configuration"]) func settingsThatAreALinkAreNotWrittenTo(_ name: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let standIn = try await StandInPackage(for: Self.manifest, in: folder.path)
    let (theirs, link) = ("\(folder.path)/theirs", "\(folder.path)/checkout/\(name)")
    for path in [theirs, Paths.parent(link)] { try Paths.makeFolder(path) }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: theirs)
    let failure = #expect(throws: RevisionError.self) { try standIn.settle(in: "\(folder.path)/checkout") }
    #expect(failure?.description == "\(name) is a symbolic link in the revision; make it a folder")
    #expect(Paths.names(in: theirs).isEmpty)
  }

  @Test func aFolderOfThresholdsIsABudgetFile() throws {
    let folder = try TemporaryFolder()
    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    }
    #expect(throws: UsageError.self) { try BudgetFile.find(folder.path, package: nil) }
    try write("Fast.Parse_it.all.p90.json", #"{"mallocCountTotal": 8000, "retainCount": 3}"#)
    try write("Fast.only_retains.p90.json", #"{"retainCount": 3}"#)
    try write("notes.json", "{}")
    let file = try #require(try BudgetFile.find(folder.path, package: nil))
    #expect(file.rules.count == 1 && file.rules[0].limits.count == 1)
    #expect("\(file.rules[0].limits[0].bound.value)" == "8000.0")
    #expect(file.isTolerant)
    try write("Fast.Parse_it.all.p90.json", #"{"throughput": 1000}"#)
    let ofRate = try #require(try BudgetFile.find(folder.path, package: nil)?.rules.first?.limits)
    #expect("\(ofRate[0].key)" == "frameNanoseconds.p90" && ofRate[0].bound.value == 1_000_501)
    try write("Fast.Parse_it.all.p90.json", #"{"throughput": 1000, "wallClock": 900000}"#)
    #expect(try BudgetFile.find(folder.path, package: nil)?.rules.first?.limits.map(\.bound.value) == [900_000])
    try write("Fast.It's_'s.p90.json", #"{"mallocCountTotal": 1}"#)
    #expect(try BudgetFile.find(folder.path, package: nil)?.rules.first?.pattern.description == "It's_'s/default/*")
  }
}
