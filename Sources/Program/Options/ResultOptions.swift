import ArgumentParser

/// Where what was measured is written.
struct ResultOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("Folder for results.", valueName: "dir"))
  var output = RunSettings.defaultResults

  @OptionGroup var named: MachineOptions

  var machine: String? { named.machine }
}

/// What results call the machine.
struct MachineOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Name of this machine in results (default: SPRINGBENCH_MACHINE, else from its processor).",
      valueName: "name"))
  var machine: String?
}
