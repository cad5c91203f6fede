import ArgumentParser
import Builds
import Execution
import Foundation
import FrameBench
import Linking
import Platform
import TextFormat

struct BuildOptions: ParsableArguments {
  @Option(
    "Folder of the package with the benchmarks (default: around the current folder, or Benchmarks below it).", "dir")
  var packagePath: String?
  @Option("Executable product to build (default: all that depend on FrameBench).", "name") var product: String?
  @Option("An argument for swift build, as -Xswiftc; can be given repeatedly.", "flag") var buildFlag: [String] = []
  @Option(
    """
    Programs of benchmarks that are built already (default: SPRINGBENCH_PROGRAM, else the package's); compare takes \
    two.
    """, "path", parsing: .upToNextOption) var program: [String] = []
  @Flag(help: "Build and run in bubblewrap: without network and home folder, writing nothing.") var sandbox = false
  /// Paths to which the command writes, which do not count as sources. This is not a command-line option.
  var written: [String] = []
  /// Whether the package is built as for a comparison, so that a comparison can use the same programs. This is not a
  /// command-line option.
  var isCompared = false

  /// Returns these options. If none is given except `--sandbox`, the programs that the environment variable
  /// SPRINGBENCH_PROGRAM names are added. Throws if options for building are given together with `--program`.
  func settings(_ context: CommandContext) throws(UsageError) -> BuildOptions {
    var settings = self
    if !program.isEmpty {
      try refuseBuilding()
    } else if Set(given).isSubset(of: ["--sandbox"]), let variable = context.environment["SPRINGBENCH_PROGRAM"] {
      settings.program = variable.split(separator: ":").map(String.init)
    }
    return settings
  }

  /// Refuses options for building if `--program` names programs that are already built.
  func refuseBuilding() throws(UsageError) {
    try refuse(given.filter { $0 != "--program" && $0 != "--sandbox" }, because: Self.areGiven, remedy: "leave it out")
  }

  /// Refuses an option that requires a build if the programs are already built.
  func refuseGiven(_ option: String) throws(UsageError) {
    try refuse(
      program.isEmpty ? [] : [option], because: Self.areGiven,
      remedy: "leave it out, or --program and SPRINGBENCH_PROGRAM")
  }

  private static let areGiven = "programs that are given by their paths are not built"

  func writing(_ paths: [String]) -> BuildOptions {
    var options = self
    options.written += paths
    return options
  }

  /// Returns the commit of the programs: the one that is checked out in a folder, or that of programs that are given by
  /// their paths. Of the latter, only stored builds have a commit.
  func head(in folder: String) async throws -> Git.Head? {
    if program.isEmpty { return try await Git(folder: folder).head(except: written) }
    let commits = Set(program.map { Paths.real($0).flatMap(BuildStore.entry)?.record.key.cleanCommit })
    return commits.count == 1 ? commits.first.flatMap(\.self).map { Git.Head(commit: $0, isDirty: false) } : nil
  }

  /// Returns the catalogue of benchmarks for a command that measures nothing.
  func catalogue(_ context: CommandContext) async throws -> Catalogue {
    try await LazyCatalogue(try settings(context), context.console).get()
  }

  /// Returns the catalogue of the programs that `--program` names. If it names none, builds the package's programs in
  /// place, in release mode.
  func catalogue(_ console: Console) async throws -> Catalogue {
    guard program.isEmpty else { return try await Catalogue(of: program.map(Self.checked)) }
    let (package, products) = try await benchmarks()
    let line = ProgressLine(console: console)
    defer { line.clear() }
    let manifests = PackageFolder.manifests(in: package)
    // In the sandbox, a build in place would write to the checkout. For a suite that was written for package-benchmark,
    // it would make SwiftPM pin springbench's replacement of that package.
    if isCompared || Sandbox.current != nil || StandInPackage.isNeeded(by: manifests) {
      let builds = try await builder(console: console).executables(for: .workingTree)
      for note in Set(builds.flatMap(\.notes)).sorted() { console.note(note) }
      var catalogue = try await Catalogue(of: builds.map(\.url.path), in: package)
      catalogue.builds = builds
      return catalogue
    }
    for note in InheritedEnvironment.withheld(from: manifests) { console.note(note) }
    var paths: [String] = []
    for product in products {
      paths += try await line.while("building \(product) in release") {
        [try await SwiftBuild.plain(package: package, product: product, flags: buildFlag)]
      }
    }
    return try await Catalogue(of: paths, in: package)
  }

  /// Returns a builder of git revisions with these options.
  /// - Throws: If programs are given by their paths, because they would be ignored.
  func builder(console: Console) async throws -> RevisionBuilder {
    try refuse(
      program.isEmpty ? [] : ["--program"], because: "revisions are built here, and a given program belongs to none",
      remedy: "leave it and SPRINGBENCH_PROGRAM out")
    // The compiler answers while SwiftPM reads the manifest. In the sandbox, all processes end when one has ended.
    if Sandbox.current == nil { _ = SwiftBuild.toolchain }
    return RevisionBuilder(
      location: try await PackageLocation.find(try await benchmarks().package), product: product, flags: buildFlag,
      written: written, console: console)
  }

  private func benchmarks() async throws -> (package: String, products: [String]) {
    let folder = try PackageFolder.find(packagePath)
    let packages = try PackageFolder.all(packagePath)
    var found: [(package: String, products: [String])] = []
    for package in packages where product == nil || packages.count > 1 {
      let products = try await PackageManifest.benchmarkProducts(in: package, called: package)
      if let product, products.contains(product) { return (package, [product]) }
      guard product == nil, !products.isEmpty else { continue }
      found.append((package, products))
    }
    // If one of them were chosen here, a commit that adds a program to one package would hide those of the other.
    if found.count > 1 {
      throw RevisionError(
        .usage, "\(found[0].package) and \(found[1].package) both have benchmarks; name one with --package-path")
    }
    if let first = found.first { return first }
    // A product that the user names is built even if it does not look like a program of benchmarks.
    if let product { return (folder, [product]) }
    let manifests = packages.map(PackageFolder.manifests).joined()
    let below = Paths.joined(folder, PackageFolder.usualFolder)
    let hasOther = packagePath != nil && PackageFolder.hasManifest(below)
    throw RevisionError.noBenchmarks(
      folder,
      hints: (hasOther ? ["there is another package in \(below); name it with --package-path"] : [])
        + InheritedEnvironment.withheld(from: manifests) + StandInPackage.otherLibraries(in: manifests))
  }

  @discardableResult static func checked(_ program: String) throws(UsageError) -> String {
    guard let path = Paths.real(program), FileManager.default.isExecutableFile(atPath: path) else {
      throw UsageError("--program", "\"\(program)\" is not a program that can be run", remedy: "give the path of one")
    }
    return path
  }
}

/// A command that may build or start programs of benchmarks. With `--sandbox`, the whole command runs in the sandbox.
protocol BuildingCommand: ContextCommand { var building: BuildOptions { get } }

/// A catalogue whose programs are built when it is first used, for commands that may not need a catalogue.
actor LazyCatalogue {
  private var building: BuildOptions
  private let console: Console
  private var known: Catalogue?

  init(_ building: BuildOptions, _ console: Console) { (self.building, self.console) = (building, console) }

  func setCompared() { building.isCompared = true }

  func get() async throws -> Catalogue {
    if let known { return known }
    let catalogue = try await Interruption.cancelling { [building, console] in try await building.catalogue(console) }
    known = catalogue
    return catalogue
  }
}

/// Builds one revision and prints the path of its program, for `compare --program`.
struct BuildRevisionCommand: BuildingCommand {
  static let configuration = CommandConfiguration(
    commandName: "build-revision", abstract: "Builds a git revision, for compare --program.",
    discussion: """
      Prints the path of the program. Other machines of the same kind can compare it from a shared folder, in other \
      link orders too, as long as it stays in its own folder.

      EXAMPLES
        springbench build-revision main > base
        springbench compare --program $(cat base) $(springbench build-revision)
      """)

  @Argument(help: "A branch, tag or commit; none: the working tree.") var revision: String?
  @OptionGroup var building: BuildOptions
  @Option(help: "Separate builds of the same sources, distinguished by this number.") var copy = 0
  @Flag(help: "Print one JSON array with one object.") var json = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    let built = try await Interruption.cancelling {
      let builder = try await building.builder(console: context.console)
      let revision = revision.map(Revision.revision) ?? .workingTree
      let builds = try await builder.executables(for: revision, copy: copy)
      guard var built = builds.first else { throw RevisionError.noBenchmarks("\(revision.name)") }
      if builds.count > 1 {
        built.notes.append("this is \(built.product), one of \(builds.count) programs; --product names another")
      }
      return built
    }
    for note in built.notes { context.console.note(note) }
    guard json else {
      try context.console.write(built.url.path + "\n")
      return .success
    }
    let row = Row(
      path: built.url.path, commit: built.commit, tree: built.tree, isDirty: built.isDirty, isCached: built.isCached,
      toolchain: built.entry.record.key.toolchain, flags: building.buildFlag,
      buildSeconds: built.entry.record.buildSeconds)
    try context.console.write(try JSONText.indented([row]))
    return .success
  }

  private struct Row: Encodable {
    var path: String
    var commit: String?
    var tree: String
    var isDirty: Bool
    var isCached: Bool
    var toolchain: String
    var flags: [String]
    var buildSeconds: Double
  }
}
