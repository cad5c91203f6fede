import ArgumentParser
import Foundation
import FrameBench
import TextFormat

/// Builds one revision and tells where; the first half of a comparison, to look at by hand.
struct BuildRevisionCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "build-revision", abstract: "Builds a git revision of this package.", shouldDisplay: false)

  @Argument(help: "A branch, tag or commit; none: the working tree.")
  var revision: String?
  @OptionGroup var options: BuildOptions
  @Option(help: "Separate builds of the same sources, distinguished by this number.") var copy = 0
  @Flag(help: "Print one JSON array with one object.") var json = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    try await options.enterSandbox(context)
    let built = try await Interruption.cancelling {
      let builder = try await options.settings.builder(console: context.console)
      let revision = revision.map(Revision.revision) ?? .workingTree
      guard let product = try await builder.products(of: revision).first else {
        throw RevisionError.noBenchmarks("\(revision.name)")
      }
      return try await builder.executable(product, for: revision, copy: copy)
    }
    for note in built.notes { context.console.note(note) }
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
