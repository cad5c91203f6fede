import ArgumentParser
import Orchestration

/// What a revision's code may access.
struct SandboxOptions: ParsableArguments {
  @Flag(
    help:
      "Build and run revisions in bubblewrap: without network and home folder, writing to the checkout only.")
  var sandbox = false

  /// Restarts the command in the sandbox, if requested.
  func enter(_ context: CommandContext, packagePath: String? = nil) async throws {
    guard sandbox else { return }
    try await Sandbox.enter(context.arguments, packagePath: packagePath)
  }
}
