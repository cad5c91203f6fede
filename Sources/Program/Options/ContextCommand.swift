import ArgumentParser

/// A command that needs the suite.
protocol ContextCommand: ParsableCommand {
  @MainActor func run(in context: CommandContext) async throws -> ExitStatus
}
