import ArgumentParser
import Foundation
import Orchestration

struct InitCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Writes a package of benchmarks into a package of yours.",
    discussion: """
      Writes Benchmarks/ with one benchmark, a budget file and a README, and \
      .github/workflows/springbench.yml, which runs the gate for pull requests. Nothing that is there is \
      overwritten.

      EXAMPLES
        springbench init ~/MyPackage
        springbench init --springbench https://example.org/springbench
      """)

  @Argument(
    help: ArgumentHelp(
      "Folder of the package to benchmark (default: the current folder).", valueName: "package"))
  var folder: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where the new package gets springbench from: a URL or a path (default: where this program was built).",
      valueName: "source"))
  var springbench: String?

  func run(in context: CommandContext) async throws -> ExitStatus {
    let folder = folder ?? "."
    let source = try NewPackage.Source(springbench, from: folder)
    let lines = try await NewPackage(folder: folder, source: source).write()
    var text = lines.map { "\($0)\n" }.joined()
    if case .path(let path) = source {
      text += "It gets springbench from \(path); name a URL there before others build it.\n"
    }
    text +=
      "Next: cd \(folder)/\(NewPackage.folderName) && swift build -c release && .build/release/benchmarks run\n"
    try context.console.write(text)
    return .success
  }
}
