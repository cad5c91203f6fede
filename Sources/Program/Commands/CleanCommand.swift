import ArgumentParser
import TextFormat

struct CleanCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean", abstract: "Removes builds of revisions, and old runs.",
    discussion: """
      Builds of revisions are kept below .build/springbench and are rebuilt when needed. Those that are being \
      measured stay. Baselines and histories are never touched.

      EXAMPLES
        springbench clean                 builds only
        springbench clean --keep 10       builds, and all but the newest ten runs of each machine
      """)

  @Option(
    help: ArgumentHelp("How many of the newest runs of each machine to keep. (default: all)", valueName: "n"))
  var keep: Int?
  @Option(parsing: .unconditional, help: ArgumentHelp("Folder of results.", valueName: "dir"))
  var output = RunSettings.defaultResults
  @Option(help: "Folder of the package. (default: the one around the current folder)")
  var packagePath: String?

  func run(in context: CommandContext) async throws -> ExitStatus {
    if let keep, keep < 0 {
      throw UsageError("--keep: \(keep) is below 0", remedy: "say how many runs to keep")
    }
    let builds = try await Cleaning.removeBuilds(packagePath: packagePath)
    var line = "Removed \(Format.plural(builds.count, "build")) of revisions (\(Self.size(builds)))"
    if builds.inUse > 0 { line += "; \(builds.inUse) in use stayed" }
    try context.console.write(line + ".\n")
    if let keep {
      let runs = try Cleaning.removeRuns(in: output, keeping: keep)
      try context.console.write(
        "Removed \(Format.plural(runs.count, "run")) from \(output) (\(Self.size(runs))).\n")
    }
    return .success
  }

  private static func size(_ removed: Removed) -> String {
    Format.fixed(Double(removed.bytes) / 1e6, decimals: 1) + " MB"
  }
}
