import ArgumentParser
import Orchestration

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
  @OptionGroup var sandbox: SandboxOptions

  var settings: BuildSettings {
    BuildSettings(packagePath: packagePath, product: product, flags: buildFlags)
  }

  /// Restarts the command in a sandbox, if requested.
  func enterSandbox(_ context: CommandContext) async throws {
    try await sandbox.enter(context, packagePath: packagePath)
  }

  /// The options that were given, by name.
  var given: [String] {
    [
      packagePath.map { _ in "--package-path" }, product.map { _ in "--product" },
      buildFlags.isEmpty ? nil : "--build-flag", sandbox.sandbox ? "--sandbox" : nil,
    ].compactMap(\.self)
  }
}
