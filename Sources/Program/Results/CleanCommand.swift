import ArgumentParser
import Builds
import Execution
import Foundation
import Platform
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

  @Option(help: ArgumentHelp("How many of the newest runs of each machine to keep. (default: all)", valueName: "n"))
  var keep: Int?
  @Option("Folder of results.", "dir") var output = ResultOptions.defaultFolder
  @Option(help: "Folder of the package. (default: the one around the current folder)") var packagePath: String?

  func run(in context: CommandContext) async throws -> ExitStatus {
    if let keep, keep < 0 { throw UsageError("--keep: \(keep) is below 0", remedy: "say how many runs to keep") }
    let builds = try await removeBuilds()
    var line = "Removed \(Format.plural(builds.count, "build")) of revisions (\(ByteUnit.text(Double(builds.bytes))))"
    if builds.inUse > 0 { line += "; \(builds.inUse) in use stayed" }
    try context.console.write(line + ".\n")
    if let keep {
      let runs = try Self.removeRuns(in: output, keeping: keep)
      let size = ByteUnit.text(Double(runs.bytes))
      try context.console.write("Removed \(Format.plural(runs.count, "run")) from \(output) (\(size)).\n")
    }
    return .success
  }

  private func removeBuilds() async throws -> Removed {
    var removed = Removed()
    for package in try PackageFolder.all(packagePath) {
      let location = try await PackageLocation.find(package)
      Snapshot.sweep(location.store)
      try? FileManager.default.removeItem(atPath: location.keptPins)
      var store = BuildStore(folder: "\(location.store)/builds")
      store.maximumCount = 0
      let builds = store.evict()
      removed.count += builds.count
      removed.bytes += builds.bytes
      removed.inUse += builds.inUse
      if let bytes = try await BuildSlot.clear(at: location.slot, git: Git(folder: location.repository)) {
        removed.bytes += bytes
      } else {
        removed.inUse += 1
      }
    }
    return removed
  }

  private static func removeRuns(in output: String, keeping count: Int) throws(RunError) -> Removed {
    let folder = OutputFolder(path: output)
    var removed = Removed()
    do {
      for run in folder.machines.flatMap({ machine in
        folder.runs(of: machine, having: "run.json").dropFirst(count).map { "\(machine)/\($0)" }
      }) {
        let path = "\(output)/\(run)"
        removed.bytes += BuildStore.bytes(below: path)
        try FileManager.default.removeItem(atPath: path)
        removed.count += 1
      }
      if removed.count > 0 { try folder.refreshIndex() }
    } catch { throw RunError("\(output) cannot be cleaned: \(systemReason(error))") }
    return removed
  }
}
