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
    help: ArgumentHelp(
      "Folder of the package to benchmark (default: the current folder).", valueName: "package"))
  var folder: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where the new package gets springbench from: a URL or a path (default: where this program was built).",
      valueName: "source"))
  var springbench: String?

  @Option(
    name: .customLong("folder"), parsing: .unconditional,
    help: ArgumentHelp(
      "Folder of the new package, made in the package's own (default: Benchmarks).", valueName: "name"))
  var name: String?

  func run(in context: CommandContext) async throws -> ExitStatus {
    let folder = folder ?? "."
    let source = try NewPackage.Source(springbench, from: folder)
    let package = try await NewPackage(folder: folder, name: name, source: source)
    var text = try package.write().map { "\($0)\n" }.joined()
    if case .path(let path) = source {
      text +=
        "It gets FrameBench from \(path); name a URL there, and in the recipe, before others build it.\n"
    }
    text += "Next: cd \(ShellWord.quoted(["\(folder)/\(package.name)"])) && springbench run\n"
    try context.console.write(text)
    return .success
  }
}
