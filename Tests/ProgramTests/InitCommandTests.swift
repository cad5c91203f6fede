import Foundation
import Testing
import Yams

@testable import Builds
@testable import Execution
@testable import Platform
@testable import Program

/// Tests creating a package of benchmarks inside a package that has none.
@Suite struct InitCommandTests {
  private static let manifest = """
    // swift-tools-version: 6.1
    import PackageDescription

    let package = Package(
      name: "Feed",
      products: [.library(name: "Feed", targets: ["Feed"]), .library(name: "All", targets: ["Feed"])],
      targets: [.target(name: "Feed")])

    """

  private static let commit = "0123456789abcdef0123456789abcdef01234567"
  private static let source = "https://example.org/springbench#\(commit)"

  private func package() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let sources = folder.path + "/feed/Sources/Feed"
    try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
    try Self.manifest.write(toFile: folder.path + "/feed/Package.swift", atomically: true, encoding: .utf8)
    try "public func load() -> Int { 1 }\n".write(toFile: sources + "/Feed.swift", atomically: true, encoding: .utf8)
    return folder
  }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func thePackageDependsOnTheUsersAndOnSpringbench() async throws {
    let folder = try package()
    let process = try await FixtureProcess.run(["init", "feed", "--springbench", Self.source], in: folder.path)
    #expect(process.status == 0, "\(process.error)")
    let root = folder.path + "/feed"
    let manifest = try text(root + "/Benchmarks/Package.swift")
    #expect(manifest.contains(".package(name: \"Feed\", path: \"..\")"))
    #expect(manifest.contains(".package(url: \"https://example.org/springbench\", revision: \"\(Self.commit)\")"))
    // The product `All` is left out, because there is no module `All` that could be imported.
    #expect(manifest.contains(".product(name: \"Feed\", package: \"Feed\")") && !manifest.contains("All"))
    let main = try text(root + "/Benchmarks/Sources/benchmarks/main.swift")
    #expect(main.hasPrefix("import Feed\nimport FrameBench\n") && main.hasSuffix("\nawait suite.main()\n"))
    #expect(try text(root + "/Benchmarks/README.md").split(separator: "\n").count <= 5)
    let recipe = try text(root + "/.github/workflows/springbench.yml")
    #expect(recipe.contains("working-directory: Benchmarks\n"))
    // In the CI file, two steps use a cache of the build folder, and the artifact to upload consists of five paths.
    #expect(recipe.matches(of: #/path: Benchmarks\/\.build\n/#).count == 2)
    #expect(
      recipe.matches(of: #/ Benchmarks\/(comment\.md|gate\.md|gate\.xml|gate-profiles\/|results\/)\n/#).count == 5)
    #expect(
      recipe.contains("        working-directory: ${{ github.workspace }}\n        run: |\n          git ls-files"))
    #expect(
      try text(root + "/.github/workflows/springbench-comment.yml").contains("workflows: [frames]")
        && recipe.contains("\nname: frames\n"))
    #expect(recipe.contains("SPRINGBENCH_SOURCE: \"https://example.org/springbench\"\n"))
    #expect(recipe.contains("SPRINGBENCH_COMMIT: \"\(Self.commit)\" "))
    #expect(process.output.contains("cd feed/Benchmarks && springbench run\n"))
  }

  @Test func aModuleIsImportedByTheNameThatTheCompilerGivesIt() async throws {
    let folder = try package()
    try Self.manifest.replacing("\"Feed\"", with: "\"my-feed\"").write(
      toFile: folder.path + "/feed/Package.swift", atomically: true, encoding: .utf8)
    let process = try await FixtureProcess.run(["init", "feed", "--springbench", Self.source], in: folder.path)
    #expect(process.status == 0, "\(process.error)")
    let root = folder.path + "/feed/Benchmarks"
    #expect(try text(root + "/Package.swift").contains(".product(name: \"my-feed\", package: \"my-feed\")"))
    #expect(try text(root + "/Sources/benchmarks/main.swift").hasPrefix("import FrameBench\nimport my_feed\n"))
  }

  @Test func aPackageWithoutALibraryIsToldWhatItLacks() async throws {
    let folder = try package()
    let manifest = Self.manifest.replacing(#/products: \[.*\],/#, with: "")
    try manifest.write(toFile: folder.path + "/feed/Package.swift", atomically: true, encoding: .utf8)
    let process = try await FixtureProcess.run(["init", "feed", "--springbench", Self.source], in: folder.path)
    #expect(process.status == 0 && process.output.contains("Feed has no library product"), "\(process)")
    let both = try await FixtureProcess.run(["init", "feed", "--github", "--gitlab"], in: folder.path)
    #expect(both.error.contains("--gitlab is given as well"))
  }

  @Test func nothingThatIsThereIsOverwritten() async throws {
    let folder = try package()
    let workflows = folder.path + "/feed/.github/workflows"
    try FileManager.default.createDirectory(atPath: workflows, withIntermediateDirectories: true)
    try "mine".write(toFile: workflows + "/springbench.yml", atomically: true, encoding: .utf8)
    let arguments = ["init", "feed", "--springbench", Self.source]
    let first = try await FixtureProcess.run(arguments, in: folder.path)
    #expect(first.status == 0 && first.output.contains("springbench.yml: left as it is"))
    #expect(try text(workflows + "/springbench.yml") == "mine")
    let second = try await FixtureProcess.run(arguments, in: folder.path)
    #expect(second.status == 64 && second.error.contains("is there already"))
    #expect(second.error.contains("--folder"))
    let third = try await FixtureProcess.run(arguments + ["--folder", "Measured"], in: folder.path)
    #expect(third.status == 0 && third.output.contains("cd feed/Measured"), "\(third.error)")
    #expect(FileManager.default.fileExists(atPath: folder.path + "/feed/Measured/springbench.yml"))
  }

  /// A cloned package is named after the end of its URL.
  @Test(arguments: [("https://example.org/a/spring.git", "spring"), ("git@example.org:fork", "fork")])
  func aPackageFromAURLIsNamedByItsEnd(url: String, name: String) {
    #expect(LibrarySource.url(url, commit: Self.commit).packageName == name)
  }

  @Test(arguments: [
    ["init", "nowhere"], ["init", "feed", "--springbench", "feed"],
    ["init", "feed", "--springbench", source, "--folder", "../x"], ["init", "feed", "--link"],
    ["init", "feed", "--springbench", "https://example.org/springbench#0123abc"],
  ]) func whatIsNoPackageIsRefusedBeforeAnythingIsWritten(arguments: [String]) async throws {
    let folder = try package()
    let before = folder.contents
    let process = try await FixtureProcess.run(arguments, in: folder.path)
    #expect(process.status == 64 && folder.contents == before, "\(process.error)")
  }

  @Test(arguments: [(Recipe.Service.gitHub, "github-pull-request.yml"), (.gitLab, "gitlab-ci.yml")])
  func theRecipeIsThatOfTheDocumentation(service: Recipe.Service, name: String) throws {
    let page = try String(contentsOf: repositoryRoot.appendingPathComponent("docs/ci/\(name)"), encoding: .utf8)
    let source = LibrarySource.url("https://example.org/springbench", commit: "HEAD")
    #expect(Recipe.all(for: service, source: source, in: "").first?.text == page)
  }

  @Test func gitLabGetsJobsThatWorkInThePackagesFolder() async throws {
    let folder = try package()
    let arguments = ["init", "feed", "--gitlab", "--springbench", Self.source]
    let process = try await FixtureProcess.run(arguments, in: folder.path)
    #expect(process.status == 0, "\(process.error)")
    let root = folder.path + "/feed"
    #expect(!FileManager.default.fileExists(atPath: root + "/.github"))
    let pipeline = try #require(try Yams.compose(yaml: text(root + "/.gitlab-ci.yml")))
    let jobs = try #require(pipeline["include"]?.sequence?.first?["local"]?.string)
    let recipe = try #require(try Yams.compose(yaml: text("\(root)/\(jobs)")))
    #expect(recipe[".springbench"]?["variables"]?["SPRINGBENCH_COMMIT"]?.string == Self.commit)
    var artifacts: [String] = []
    for (name, job) in try #require(recipe.mapping) {
      if let before = job["before_script"]?.sequence { #expect(before.last?.string == "cd Benchmarks", "\(name)") }
      artifacts += job["artifacts"]?["paths"]?.sequence?.compactMap(\.string) ?? []
      artifacts += job["artifacts"]?["reports"]?.mapping?.values.compactMap(\.string) ?? []
    }
    let program = ".build/springbench-program"
    #expect(artifacts.count == 11 && artifacts.contains(program))
    #expect(artifacts.allSatisfy { $0 == program || $0.hasPrefix("Benchmarks/") }, "\(artifacts)")
  }

  @Test(arguments: [true, false]) func aPackageInARepositoryHasItsRecipeAtTheTop(isGitLab: Bool) async throws {
    let folder = try package()
    try FileManager.default.createDirectory(atPath: folder.path + "/my libs", withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: folder.path + "/feed", toPath: folder.path + "/my libs/feed")
    try await Git(folder: folder.path).output(["init", "--quiet"], to: "make a repository")
    let arguments = ["init", "my libs/feed", "--springbench", Self.source] + (isGitLab ? ["--gitlab"] : [])
    let process = try await FixtureProcess.run(arguments, in: folder.path)
    #expect(process.status == 0, "\(process.error)")
    let recipe = try text(folder.path + (isGitLab ? "/.gitlab/springbench.yml" : "/.github/workflows/springbench.yml"))
    #expect(try Yams.compose(yaml: recipe) != nil)
    let lines = isGitLab ? ["- cd 'my libs/feed/Benchmarks'\n"] : ["working-directory: my libs/feed/Benchmarks\n"]
    #expect(lines.allSatisfy(recipe.contains) && !recipe.contains(" Benchmarks/"), "\(recipe)")
    #expect(Paths.names(in: folder.path + "/my libs/feed").allSatisfy { !$0.hasPrefix(".git") })
    let inside = try await FixtureProcess.run(
      ["init", "my libs/feed/Benchmarks", "--springbench", Self.source], in: folder.path)
    #expect(inside.status == 64 && inside.error.contains("is itself a package of benchmarks"), "\(inside)")
  }

  @Test func aPipelineThatIsThereIsKeptAndTheLineForItIsPrinted() async throws {
    let folder = try package()
    let pipeline = folder.path + "/feed/.gitlab-ci.yml"
    try "mine".write(toFile: pipeline, atomically: true, encoding: .utf8)
    let arguments = ["init", "feed", "--gitlab", "--springbench", Self.source]
    let process = try await FixtureProcess.run(arguments, in: folder.path)
    #expect(process.status == 0, "\(process.error)")
    #expect(
      process.output.contains(".gitlab-ci.yml: left as it is; add include: [{ local: .gitlab/springbench.yml }]\n"))
    #expect(try text(pipeline) == "mine")
  }

  @Test func theManifestIsOneThatSwiftPMReads() async throws {
    let folder = try package()
    let process = try await FixtureProcess.run(["init", "feed", "--springbench", repositoryRoot.path], in: folder.path)
    #expect(process.status == 0, "\(process.error)")
    let dump = ChildProcess(
      executable: "swift", arguments: ["package", "--package-path", folder.path + "/feed/Benchmarks", "dump-package"],
      timeout: .seconds(300))
    #expect(try await dump.run(input: Data()).isSuccess)
  }
}
