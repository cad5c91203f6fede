import ArgumentParser
import Foundation
import TextFormat

struct InitCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Writes a package of benchmarks into a package of yours.",
    discussion: """
      Writes Benchmarks/ with one benchmark, a budget file and a README, and \
      .github/workflows/springbench.yml, which runs the gate for pull requests. Existing files are kept.

      EXAMPLES
        springbench init ~/MyPackage
        springbench init --springbench https://example.org/springbench
        springbench init --folder FrameBenchmarks
      """)

  @Argument(
    help: ArgumentHelp("Folder of the package to benchmark (default: the current folder).", valueName: "package"))
  var folder: String?
  @Option(
    "Where the new package gets springbench from: a URL or a path (default: where this program was built).", "source")
  var springbench: String?
  @Option(
    name: .customLong("folder"), parsing: .unconditional,
    help: ArgumentHelp("Folder of the new package, made in the package's own (default: Benchmarks).", valueName: "name")
  ) var name: String?

  func run(in context: CommandContext) async throws -> ExitStatus {
    let folder = folder ?? "."
    let source = try NewPackage.Source(springbench)
    let package = try await NewPackage(folder: folder, name: name ?? PackageFolder.usualFolder, source: source)
    var text = try package.write().map { "\($0)\n" }.joined()
    if case .path(let path) = source {
      text += "It gets FrameBench from \(path); name a URL there, and in the recipe, before others build it.\n"
    }
    text += "Next: cd \(ShellWord.quoted(["\(folder)/\(package.name)"])) && springbench run\n"
    try context.console.write(text)
    return .success
  }
}

/// A new package of benchmarks for an existing package, and the recipes that run it for pull requests.
struct NewPackage: Sendable {
  /// Where springbench comes from.
  enum Source: Sendable {
    /// A folder.
    case path(String)
    /// A repository, from this version on.
    case url(String)
  }

  /// The folder of the package to benchmark.
  let folder: String
  /// The name of the new package and its folder.
  let name: String
  private let source: Source
  private let package: String
  private let libraries: [String]

  private static let product = "benchmarks"

  /// Asks SwiftPM for the package's products.
  init(folder: String, name: String, source: Source) async throws {
    (self.folder, self.name, self.source) = (folder, name, source)
    guard name.wholeMatch(of: #/[A-Za-z0-9_][A-Za-z0-9_.-]*/#) != nil else {
      throw UsageError(
        "--folder", "\(name.debugDescription) is not a plain name",
        remedy: "use letters, digits, dots, dashes and underscores; it becomes a folder of the package")
    }
    guard FileManager.default.fileExists(atPath: Paths.joined(folder, "Package.swift")) else {
      throw UsageError("\(folder) has no Package.swift", remedy: "name the folder of the package to benchmark")
    }
    let manifest = try await PackageManifest.read(folder) {
      RunError("swift package dump-package fails in \(folder)\(lastLine(ofStandardError: $0))")
    }
    (package, libraries) = (manifest.name, manifest.libraries)
  }

  /// Writes the folder, then the recipes; existing files are kept. Returns a line for each.
  func write() throws -> [String] {
    let target = Paths.joined(folder, name)
    do throws(WholeFile.Problem) { try WholeFolder(path: target).create(files) } catch .taken {
      throw UsageError("\(target) is there already", remedy: "choose another name with --folder; nothing was written")
    } catch { throw RunError("\(target) could not be written: \(error)") }
    return ["\(target): a package with one benchmark"] + [
      try writeRecipe("springbench.yml", source.gateRecipe(in: name).utf8, "the gate for pull requests on GitHub"),
      try writeRecipe("springbench-comment.yml", PackageResources.github_comment_yml, "comments on them"),
    ]
  }

  private func writeRecipe(_ name: String, _ recipe: some Sequence<UInt8>, _ what: String) throws -> String {
    let workflows = Paths.joined(folder, ".github/workflows")
    let path = Paths.joined(workflows, name)
    do {
      try Paths.makeFolder(workflows)
      try WholeFile(path).create(Data(recipe))
    } catch WholeFile.Problem.taken { return "\(path): left as it is" } catch {
      throw RunError("\(path) could not be written: \(error); the rest was")
    }
    return "\(path): \(what)"
  }

  private var files: [WholeFolder.File] {
    [
      ("Package.swift", manifest), ("Sources/\(Self.product)/main.swift", main), ("springbench.yml", budgets),
      ("README.md", readme), (".gitignore", ".build/\nresults/*\n!results/baselines/\n"),
    ].map { ($0.0, Data($0.1.utf8)) }
  }

  private var manifest: String {
    let quoted = package.debugDescription
    let products = libraries.map { "\n        .product(name: \($0.debugDescription), package: \(quoted))," }
    return """
      // swift-tools-version: 6.1
      import PackageDescription

      let package = Package(
        name: "\(Self.product)",
        dependencies: [
          .package(name: \(quoted), path: ".."),
          \(source.dependency),
        ],
        targets: [
          .executableTarget(
            name: "\(Self.product)",
            dependencies: [\(products.joined())
              .product(name: "FrameBench", package: \(source.packageName.debugDescription)),
            ])
        ]
      )

      """
  }

  private var main: String {
    let imports = (["FrameBench"] + libraries).sorted().map { "import \($0)" }
    return """
      \(imports.joined(separator: "\n"))

      var suite = Suite(\(package.debugDescription))

      // Call what you want to measure instead. Its result counts as used.
      suite.measure("example") { (0..<1_000).map { identity($0) }.reduce(0, +) }

      await suite.main()

      """
  }

  private var budgets: String {
    """
    # What a call or a frame may cost; springbench gate fails beyond it. All limits: docs/budgets.md of springbench.
    version: 1
    budgets:
      - ids: "**"
        limits:
          allocationCount.max: 100
      # - ids: example/**
      #   limits:
      #     frameNanoseconds.p99: 5us     # of a call; springbench gate --suggest proposes limits from a run

    """
  }

  private var readme: String {
    """
    # Benchmarks of \(package)

    - Measure: `springbench run`, here; it builds first.
    - Slower than `main`? `springbench compare main`
    - Add a benchmark: `suite.measure("name") { … }` in `Sources/\(Self.product)/main.swift`.

    """
  }
}

extension NewPackage.Source {
  /// - Parameter text: A URL or a path; nil: the package that the running program was built from.
  init(_ text: String?) throws(UsageError) {
    if let text, text.contains("://") || text.hasPrefix("git@") {
      self = .url(text)
      return
    }
    guard let path = text ?? PackageFolder.ofProgram() else {
      throw UsageError(
        "--springbench", "is needed: this program was installed, and does not lie in springbench's package",
        remedy: "name the URL or the folder of that package")
    }
    guard let resolved = Paths.real(path),
      let manifest = try? String(contentsOfFile: Paths.joined(resolved, "Package.swift"), encoding: .utf8),
      manifest.contains("name: \"springbench\"")
    else {
      throw UsageError("--springbench", "\(path) is not springbench's package", remedy: "name its URL or its folder")
    }
    self = .path(resolved)
  }

  /// For the manifest of a package that depends on it.
  var dependency: String {
    switch self {
    case .path(let path): ".package(name: \"springbench\", path: \(path.debugDescription))"
    case .url(let url): ".package(url: \(url.debugDescription), from: \"\(springBenchVersion)\")"
    }
  }

  /// The package's name in dependencies on its products: for a URL, SwiftPM uses the last part.
  var packageName: String {
    guard case .url(let url) = self else { return "springbench" }
    let end = url.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? ""
    return end.hasSuffix(".git") ? String(end.dropLast(4)) : end
  }

  /// The recipe of docs/ci that judges pull requests on GitHub: builds, measures and judges.
  /// - Parameter folder: Path of the package from the top of the repository; empty: the top.
  func gateRecipe(in folder: String) -> String {
    var text = String(decoding: PackageResources.github_pull_request_yml, as: UTF8.self)
    let source =
      switch self {
      case .url(let url): url.debugDescription
      case .path: "\"\"      # name the URL of springbench's repository here"
      }
    text.replace(#/SPRINGBENCH_SOURCE: .*/#, with: "SPRINGBENCH_SOURCE: \(source)")
    guard !folder.isEmpty else { return text }
    text.replace(#/shell: bash.*/#) { "\($0.output)\n        working-directory: \(folder)" }
    text.replace("path: .build", with: "path: \(folder)/.build")
    text.replace(#/( {12})(comment\.md|gate\.md|gate\.xml|results\/)\n/#) { "\($0.1)\(folder)/\($0.2)\n" }
    // The build compiles the sources of the whole repository.
    let end = "# from the content.\n"
    text.replace(end, with: "\(end)        working-directory: ${{ github.workspace }}\n")
    return text
  }
}
