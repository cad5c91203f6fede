import ArgumentParser
import Orchestration

/// What code of a revision may reach.
struct SandboxOptions: ParsableArguments {
  @Flag(
    help:
      "Build and run revisions in bubblewrap: without network and home folder, writing to the checkout only.")
  var sandbox = false

  /// Starts the command anew in the sandbox, where that was asked for.
  func enter(_ context: CommandContext, packagePath: String? = nil) async throws {
    guard sandbox else { return }
    try await Sandbox.enter(context.arguments, packagePath: packagePath)
  }
}
