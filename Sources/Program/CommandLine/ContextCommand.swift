import ArgumentParser
import Platform

/// A command that runs asynchronously, with the streams and the environment of the process.
protocol ContextCommand: ParsableCommand { @MainActor func run(in context: CommandContext) async throws -> ExitStatus }
