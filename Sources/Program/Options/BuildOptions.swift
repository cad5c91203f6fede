import ArgumentParser

/// Which package's programs are measured, and how they are built.
struct BuildOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Folder of the package with the benchmarks (default: around the current folder, or Benchmarks below it).",
      valueName: "dir"))
  var packagePath: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Executable product to build (default: all that depend on FrameBench).", valueName: "name"))
  var product: String?
  @Option(
    name: .customLong("build-flag"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "An argument for swift build, as -Xswiftc; can be given repeatedly.", valueName: "flag"))
  var buildFlags: [String] = []
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      """
      Programs of benchmarks that are built already (default: SPRINGBENCH_PROGRAM, else the package's); compare takes \
      two.
      """, valueName: "path"))
  var program: [String] = []
  @Flag(
    help: "Build and run in bubblewrap: without network and home folder, writing to the checkout only.")
  var sandbox = false

  /// Restarts the command in the sandbox, if requested.
  func enterSandbox(_ context: CommandContext) async throws {
    guard sandbox else { return }
    try await Sandbox.enter(context.arguments, packagePath: packagePath)
  }

  /// For building revisions.
  var settings: BuildSettings {
    BuildSettings(packagePath: packagePath, product: product, flags: buildFlags, programs: program)
  }

  /// For what is measured as it is.
  func settings(_ context: CommandContext) throws(UsageError) -> BuildSettings {
    var settings = settings
    guard program.isEmpty else {
      try refuse(
        given.filter { $0 != "--program" && $0 != "--sandbox" },
        because: "programs that are given by their paths are not built", remedy: "leave it out")
      return settings
    }
    guard given.isEmpty, let variable = context.environment["SPRINGBENCH_PROGRAM"] else { return settings }
    settings.programs = variable.split(separator: ":").map(String.init)
    return settings
  }

  /// What can be measured, in the sandbox if requested.
  func catalogue(_ context: CommandContext) async throws -> Catalogue {
    try await enterSandbox(context)
    return try await LazyCatalogue(try settings(context), context.console).get()
  }

  /// The options that were given, by name.
  var given: [String] {
    [
      packagePath.map { _ in "--package-path" }, product.map { _ in "--product" },
      buildFlags.isEmpty ? nil : "--build-flag", program.isEmpty ? nil : "--program",
      sandbox ? "--sandbox" : nil,
    ].compactMap(\.self)
  }
}
