import Foundation
import TextFormat

/// A package of benchmarks for a package that has none, and the recipe that runs it for pull requests.
package struct NewPackage: Sendable {
  /// Where springbench comes from.
  package enum Source: Sendable {
    /// A folder.
    case path(String)
    /// A repository, from this version on.
    case url(String, version: String)
  }

  /// Folder of the package to benchmark.
  package let folder: String
  private let source: Source
  private let package: Described

  package static let folderName = "Benchmarks"
  private static let product = "benchmarks"

  /// Asks SwiftPM for the package's products.
  package init(folder: String, source: Source) async throws {
    self.folder = folder
    self.source = source
    guard FileManager.default.fileExists(atPath: Paths.joined(folder, "Package.swift")) else {
      throw UsageError(
        "\(folder) has no Package.swift", remedy: "name the folder of the package to benchmark")
    }
    package = try await Described.read(folder)
  }

  /// Writes the folder, then the recipe; what is there already is kept.
  ///
  /// - Returns: What was written, and what was left as it is, a line each.
  package func write() throws -> [String] {
    let target = Paths.joined(folder, Self.folderName)
    do throws(WholeFile.Problem) {
      try WholeFolder(path: target).create(files)
    } catch {
      if case .taken = error {
        throw UsageError(
          "\(target) is there already", remedy: "add a scenario to it, or move it away; nothing was written")
      }
      throw RunError("\(target) could not be written: \(error)")
    }
    return ["\(target): a package with one benchmark"] + [try writeRecipe()]
  }

  private func writeRecipe() throws -> String {
    let workflows = Paths.joined(folder, ".github/workflows")
    let path = Paths.joined(workflows, "springbench.yml")
    let recipe = PullRequestRecipe(folder: Self.folderName, source: source).text
    do {
      try FileManager.default.createDirectory(atPath: workflows, withIntermediateDirectories: true)
      try WholeFile(folder: workflows).create("springbench.yml", Data(recipe.utf8))
    } catch WholeFile.Problem.taken {
      return "\(path): left as it is"
    } catch {
      throw RunError("\(path) could not be written: \(error); the rest was")
    }
    return "\(path): the gate for pull requests on GitHub"
  }

  private var files: [WholeFolder.File] {
    [
      ("Package.swift", manifest), ("Sources/\(Self.product)/main.swift", main),
      ("springbench.yml", budgets), ("README.md", readme),
      (".gitignore", ".build/\nresults/*\n!results/baselines/\n"),
    ].map { ($0.0, Data($0.1.utf8)) }
  }

  private var manifest: String {
    let products = package.libraries.map {
      "\n        .product(name: \(quoted($0)), package: \(quoted(package.identity))),"
    }
    return """
      // swift-tools-version: 6.1
      import PackageDescription

      let package = Package(
        name: "\(Self.product)",
        dependencies: [
          .package(path: ".."),
          \(dependency),
        ],
        targets: [
          .executableTarget(
            name: "\(Self.product)",
            dependencies: [\(products.joined())
              .product(name: "FrameBench", package: "springbench"),
              .product(name: "SpringBenchCLI", package: "springbench"),
            ])
        ]
      )

      """
  }

  private var dependency: String {
    switch source {
    case .path(let path): ".package(name: \"springbench\", path: \(quoted(path)))"
    case .url(let url, let version): ".package(url: \(quoted(url)), from: \(quoted(version)))"
    }
  }

  private var main: String {
    let imports = (["FrameBench", "SpringBenchCLI"] + package.libraries).sorted().map { "import \($0)" }
    return """
      \(imports.joined(separator: "\n"))

      var suite = Suite(\(quoted(package.name)))

      // Call what you want to measure instead. Its result counts as used.
      suite.measure("example") { (0..<1_000).map { identity($0) }.reduce(0, +) }

      await SpringBench.main(suite)

      """
  }

  private var budgets: String {
    """
    # What a call or a frame may cost; the gate fails beyond it.
    version: 1
    refreshRate: 60
    budgets:
      - ids: "**"
        limits:
          missedFrames: 0

    """
  }

  private var readme: String {
    """
    # Benchmarks of \(package.name)

    - Build: `swift build -c release`, here; then `.build/release/\(Self.product) run` measures.
    - Slower than `main`? `.build/release/\(Self.product) compare main`
    - Add a benchmark: `suite.measure("name") { … }` in `Sources/\(Self.product)/main.swift`.

    """
  }

  private func quoted(_ text: String) -> String { text.debugDescription }
}

extension NewPackage {
  /// What SwiftPM says of a package.
  private struct Described {
    var name: String
    /// As dependencies on its folder call it.
    var identity: String
    /// Modules that its library products consist of and that can be imported by the product's name.
    var libraries: [String]

    private struct Dump: Decodable {
      struct Product: Decodable {
        var name: String
        var targets: [String]
        var type: [String: JSONIgnored?]
      }

      struct JSONIgnored: Decodable {
        init(from decoder: any Decoder) throws {}
      }

      var name: String
      var products: [Product]
    }

    static func read(_ folder: String) async throws -> Described {
      let process = ChildProcess(
        executable: .name("swift"), arguments: ["package", "--package-path", folder, "dump-package"],
        timeout: .seconds(300))
      let end = try await process.run(
        orThrow: RevisionError.missingTool("swift", remedy: "put a Swift toolchain on the PATH"))
      guard end.isSuccess, let dump = try? JSONDecoder().decode(Dump.self, from: end.output) else {
        throw RunError(
          "swift package dump-package fails in \(folder)\(lastLine(ofStandardError: end.errorTail))")
      }
      // A product that has a module of its name: others would need names that nobody can guess.
      let libraries = dump.products.filter {
        $0.type.keys.contains("library") && $0.targets.contains($0.name)
      }
      let resolved = PackageFolder.realPath(folder) ?? folder
      return Described(
        name: dump.name, identity: Paths.name(resolved).lowercased(),
        libraries: libraries.map(\.name).sorted())
    }
  }
}
