import Foundation
import Platform
import SystemPackage

/// A new package of benchmarks for an existing package or for an app, and the CI files that run it for pull requests.
package struct NewPackage: Sendable {
  /// The folder of the package or the app to benchmark.
  package let folder: String
  /// The name of the new package, and of its folder.
  package let name: String
  private let source: LibrarySource
  /// The name of the package or the app to benchmark.
  private let subject: String
  private let subjectLibraries: [String]
  private let layouts: AppLayouts?
  private let service: Recipe.Service
  /// The top folder of the Git checkout that contains `folder`, and the path from there to the new package. GitHub and
  /// GitLab look for CI files in this top folder. Without a checkout, it is `folder` itself.
  private let place: (root: String, package: String)

  private static let product = "benchmarks"

  /// Asks SwiftPM for the products of the package to benchmark, unless layouts of an app are given.
  package init(folder: String, name: String, source: LibrarySource, layouts: AppLayouts?, service: Recipe.Service)
    async throws
  {
    (self.folder, self.name, self.source, self.layouts, self.service) = (folder, name, source, layouts, service)
    guard name.wholeMatch(of: #/[A-Za-z0-9_][A-Za-z0-9_.-]*/#) != nil else {
      throw UsageError(
        "--folder", "\(name.debugDescription) is not a plain name",
        remedy: "use letters, digits, dots, dashes and underscores; it becomes a folder of the package")
    }
    place = try await Self.place(of: name, in: folder)
    if layouts != nil {
      guard Paths.isFolder(folder), let path = Paths.real(folder) else {
        throw UsageError("there is no folder \(folder)", remedy: "name that of the app")
      }
      (subject, subjectLibraries) = (Paths.name(path), [])
      return
    }
    guard FileManager.default.fileExists(atPath: Paths.joined(folder, "Package.swift")) else {
      throw UsageError(
        "\(folder) has no Package.swift",
        remedy: "name the folder of the package to benchmark, or with --layout the files of an app's layouts")
    }
    let manifest = try await PackageManifest.read(folder) {
      RunError("swift package dump-package fails in \(folder)\(lastLine(ofStandardError: $0))")
    }
    (subject, subjectLibraries) = (manifest.name, manifest.libraries)
    let benchmarks = subjectLibraries.isEmpty ? manifest.benchmarkProducts() : []
    guard benchmarks.isEmpty else {
      throw UsageError(
        "\(folder) is itself a package of benchmarks (\(benchmarks[0]))",
        remedy: "name the folder of the package to benchmark, or run springbench here")
    }
  }

  private static func place(of name: String, in folder: String) async throws -> (root: String, package: String) {
    guard let path = Paths.real(folder), let root = try await Git(folder: path).checkoutRoot().flatMap(Paths.real),
      path.hasPrefix(root + "/")
    else { return (folder, name) }
    return (root, Paths.joined(String(path.dropFirst(root.count + 1)), name))
  }

  private var target: String { Paths.joined(folder, name) }
  private static let sources = "Sources/\(product)"

  /// Writes the folder of the new package, then the CI files. Existing CI files are kept, but an existing folder is an
  /// error. Returns lines to print about what was written.
  /// - Parameter links: Whether the new package gets links to the layouts' files instead of copies.
  package func write(links: Bool) throws -> [String] {
    if links { try layouts?.checkThatNoneIsChanged() }
    let copies: [WholeFolder.File] = (links ? [] : layouts?.copies ?? []).map {
      ("\(Self.sources)/\($0.name)", Data($0.text.utf8))
    }
    do throws(WholeFile.Problem) { try WholeFolder(path: target).create(files + copies) } catch .taken {
      let remedy = layouts == nil ? "" : ", or copy the layouts anew with --renew"
      throw UsageError(
        "\(target) is there already", remedy: "choose another name with --folder\(remedy); nothing was written")
    } catch { throw RunError("\(target) could not be written: \(error)") }
    if links { for file in layouts?.files ?? [] { try link(file) } }
    return ["\(target): a package with \(layouts.map { "benchmarks of \($0.names)" } ?? "one benchmark")"]
      + (layouts?.notes(isCopied: !links) ?? missingLibrary)
      + (try Recipe.all(for: service, source: source, in: place.package).map(write)) + [
        source.note(manifest: "\(target)/Package.swift")
      ]
  }

  /// A line to print if the benchmarks cannot import the package's code; otherwise empty.
  private var missingLibrary: [String] {
    guard subjectLibraries.isEmpty else { return [] }
    return [
      "\(subject) has no library product, so its code cannot be imported yet: add one to its Package.swift, and to"
        + " the dependencies in \(target)/Package.swift"
    ]
  }

  /// Copies the layouts again into a package that was written before. Returns lines to print about the copies.
  package func renew() throws -> [String] {
    let copies = (layouts?.copies ?? []).map { (path: "\(target)/\(Self.sources)/\($0.name)", text: $0.text) }
    for (path, _) in copies where (Paths.mode(path) ?? 0) & S_IFMT != S_IFREG {
      throw UsageError("--renew", "\(path) is no copy", remedy: "leave out --renew to make a package")
    }
    for (path, text) in copies {
      do throws(WholeFile.Problem) { try WholeFile(path).replace(Data(text.utf8)) } catch {
        throw RunError("\(path) could not be written: \(error)")
      }
    }
    return copies.map { "\($0.path): copied anew" }
      + (layouts.map { $0.changes + $0.copies.flatMap(\.uncalledMethods) } ?? [])
  }

  /// Creates a symbolic link to a file of the app. Its path is relative, so it stays valid if the checkout moves.
  private func link(_ file: LayoutFile) throws {
    let folder = "\(target)/\(Self.sources)"
    guard let from = Paths.real(folder), let to = Paths.real(file.path) else { return }
    let path = Paths.relative(to, from: from)
    guard symlink(path, "\(folder)/\(file.name)") == 0 else {
      throw RunError("\(folder)/\(file.name) could not be linked to \(path): \(Errno.last)")
    }
  }

  private func write(_ recipe: Recipe) throws -> String {
    let path = Paths.joined(place.root, recipe.path)
    do {
      try Paths.makeFolder(Paths.parent(path))
      try WholeFile(path).create(Data(recipe.text.utf8))
    } catch WholeFile.Problem.taken { return "\(path): left as it is\(recipe.remedy)" } catch {
      throw RunError("\(path) could not be written: \(error); the rest was")
    }
    return "\(path): \(recipe.purpose)"
  }

  private var files: [WholeFolder.File] {
    [
      ("Package.swift", manifest), ("\(Self.sources)/main.swift", main), ("springbench.yml", budgets),
      ("README.md", readme), (".gitignore", ignored),
    ].map { ($0.0, Data($0.1.utf8)) }
  }

  /// The last line has what the CI files of `init` write.
  private let ignored = ".build/\nresults/*\n!results/baselines/\n/comment.md\n/gate.*\n/gate-profiles/\n"

  private var manifest: String {
    let quoted = subject.debugDescription
    let package = layouts == nil ? ".package(name: \(quoted), path: \"..\"),\n    " : ""
    let libraries = subjectLibraries.map { ".product(name: \($0.debugDescription), package: \(quoted))," }
    let ours = (layouts == nil ? ["FrameBench"] : ["FrameBench", "UIKit", "UIKitScenarios"]).map(source.product)
    let settings = layouts == nil ? "" : ",\n\(AppLayouts.settings)"
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "\(Self.product)",
        dependencies: [
          \(package)\(source.dependency)
        ],
        targets: [
          .executableTarget(
            name: "\(Self.product)",
            dependencies: [
              \((libraries + ours).joined(separator: "\n        "))
            ]\(settings))
        ],
        // Benchmarks run one at a time: top-level variables of main.swift may be used in all of them.
        swiftLanguageModes: [.v5]
      )

      """
  }

  private var main: String {
    if let layouts { return layouts.main(suite: subject) }
    // The compiler's name of a module is an identifier: `my_lib` for the target `my-lib`.
    let modules = subjectLibraries.map { $0.replacing(#/\W|^\d/#, with: "_") }
    let imports = (["FrameBench"] + modules).sorted().map { "import \($0)" }
    return """
      \(imports.joined(separator: "\n"))

      var suite = Suite(\(subject.debugDescription))

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
          \(layouts == nil ? "allocationCount.max: 100" : "frameNanoseconds.p99: 4ms")
      # - ids: example/**
      #   limits:
      #     frameNanoseconds.p99: 5us     # of a call; springbench gate --suggest proposes limits from a run

    """
  }

  private var readme: String {
    let add =
      layouts == nil ? "`suite.measure(\"name\") { … }`" : "`suite.add(layout: MyLayout(), items: [100, 1_000])`"
    return """
      # Benchmarks of \(subject)

      - Measure: `springbench run`, here; it builds first.
      - Slower than `main`? `springbench compare main`
      - Add a benchmark: \(add) in `\(Self.sources)/main.swift`.

      """
  }
}
