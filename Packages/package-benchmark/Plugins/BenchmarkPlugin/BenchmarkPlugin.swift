import Foundation
import PackagePlugin

/// Writes the entry point of a target of benchmarks.
@main struct BenchmarkPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    // Those below another folder are programs of the suite's own.
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
