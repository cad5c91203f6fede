import ArgumentParser
import Platform

struct ResultOptions: ParsableArguments {
  static let defaultFolder = "results"

  /// The folder for results. The option is also called `--results`, as in `report`, where `--output` names a file.
  @Option(
    name: [.customLong("output"), .customLong("results")], parsing: .unconditional,
    help: ArgumentHelp("Folder for results.", valueName: "dir")) var output = Self.defaultFolder

  @Option(MachineName.help, "name") var machine: String?
}
