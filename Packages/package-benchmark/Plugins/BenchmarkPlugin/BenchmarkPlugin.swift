import Foundation
import PackagePlugin

/// Generates the entry point of each target that contains benchmarks.
@main struct BenchmarkPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    // Targets outside of the folder `Benchmarks` are other programs of the suite.
    guard let target = target as? SwiftSourceModuleTarget, target.kind == .executable,
      target.directoryURL.deletingLastPathComponent().lastPathComponent == "Benchmarks"
    else { return [] }
    let file = context.pluginWorkDirectoryURL.appending(path: "BenchmarkEntryPoint.swift")
    return [
      .buildCommand(
        displayName: "Writing the entry point of \(target.name)",
        executable: try context.tool(named: "EntryPointWriter").url,
        arguments: [target.name, file.path(percentEncoded: false)], outputFiles: [file])
    ]
  }
}
