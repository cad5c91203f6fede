import ArgumentParser
import Builds
import Platform
import TextFormat

struct InitCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Writes a package of benchmarks into a package of yours, or for an app's layouts.",
    discussion: """
      Writes Benchmarks/ with one benchmark, a budget file and a README, and \
      .github/workflows/springbench.yml, which runs the gate for pull requests, or with --gitlab \
      .gitlab/springbench.yml for merge requests. Existing files are kept.

      With --layout the benchmarks are those of an app's layouts, and the folder needs no Package.swift. What Swift \
      lacks on Linux is replaced in the copies of the files, and each change is printed.

      EXAMPLES
        springbench init ~/MyPackage
        springbench init ~/MyApp --layout ~/MyApp/SpringyLayout.swift
        springbench init --folder FrameBenchmarks
      """)

  @Argument(
    help: ArgumentHelp(
      "Folder of the package or the app to benchmark (default: the current folder).", valueName: "folder")) var folder:
    String?
  @Option(
    "Where the new package gets springbench from: a path, or a URL, with #COMMIT for another commit than this program's"
      + " (default: where this program was installed from).", "source") var springbench: String?
  @Option(
    name: .customLong("folder"), parsing: .unconditional,
    help: ArgumentHelp("Folder of the new package, made in the package's own (default: Benchmarks).", valueName: "name")
  ) var name: String?
  @Option("Swift file of an app with a layout, or with what layouts need; can be given several times.", "file")
  var layout: [String] = []
  @Flag(help: "Write the recipe of GitHub, which is the default.") var github = false
  @Flag(help: "Write the recipe of GitLab instead of GitHub's.") var gitlab = false
  @Flag(help: "Link the files of --layout instead of copying them, so that changes of the app are measured.") var link =
    false
  @Flag(help: "Copy the files of --layout anew into the package that is there, and write nothing else.") var renew =
    false

  func run(in context: CommandContext) async throws -> ExitStatus {
    if layout.isEmpty {
      try refuse(given.filter { ["--link", "--renew"].contains($0) }, because: "needs a file", remedy: "add --layout")
    }
    for (one, other) in [("--github", "--gitlab"), ("--link", "--renew")]
    where given.contains(one) && given.contains(other) {
      throw UsageError(one, "\(other) is given as well", remedy: "give one of them")
    }
    let folder = folder ?? "."
    let source = try LibrarySource(springbench)
    let layouts = layout.isEmpty ? nil : try AppLayouts(layout)
    let package = try await NewPackage(
      folder: folder, name: name ?? PackageFolder.usualFolder, source: source, layouts: layouts,
      service: gitlab ? .gitLab : .gitHub)
    let start = "cd \(ShellWord.quoted(["\(folder)/\(package.name)"])) && springbench run"
    if renew {
      try context.console.write(try package.renew().map { "\($0)\n" }.joined())
      return .success
    }
    let lines = try package.write(links: link) + ["Next: \(start)"]
    try context.console.write(lines.map { "\($0)\n" }.joined())
    return .success
  }
}
