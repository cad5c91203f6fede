import ArgumentParser
import Foundation
import FrameReport

/// Builds one revision and tells where; the first half of a comparison, to look at by hand.
struct BuildRevisionCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "build-revision", abstract: "Builds a git revision of this package.", shouldDisplay: false)

  @Argument(help: "A branch, tag or commit; none: the working tree.")
  var revision: String?
  @OptionGroup var options: RevisionOptions
  @Option(help: "Separate builds of the same sources, told apart by this number.") var copy = 0
  @Flag(help: "Print one JSON array with one object.") var json = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    let built = try await Interruption.cancelling {
      let builder = try await options.builder(console: context.console)
      return try await builder.executable(for: revision.map(Revision.revision) ?? .workingTree, copy: copy)
    }
    for note in built.notes { context.console.writeError("springbench: note: \(Console.oneLine(note))\n") }
    guard json else {
      try context.console.write(built.url.path + "\n")
      return .success
    }
    try context.console.write(try JSONText.indented([Row(built)]))
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

    init(_ built: BuiltRevision) {
      path = built.url.path
      commit = built.commit
      tree = built.tree
      isDirty = built.isDirty
      isCached = built.isCached
      toolchain = built.toolchain
      flags = built.flags
      buildSeconds = built.buildSeconds
    }
  }
}

/// Where revisions are built from.
struct RevisionOptions: ParsableArguments {
  @Option(help: "Folder of the package to build. (default: the one that this program was built from)")
  var packagePath: String?
  @Option(help: "Executable product to build. (default: this program)")
  var product: String?
  @Option(
    name: .customLong("build-flag"), parsing: .unconditionalSingleValue,
    help: "An argument for swift build, as -Xswiftc; can be given repeatedly.")
  var buildFlags: [String] = []

  func builder(console: Console) async throws -> RevisionBuilder {
    let location = try await PackageLocation.find(
      packagePath: packagePath, product: product,
      executablePath: try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
      currentFolder: FileManager.default.currentDirectoryPath)
    return RevisionBuilder(location: location, flags: buildFlags, console: console)
  }
}
