import FoundationEssentials

/// A program that writes the entry point of a target that contains benchmarks: `EntryPointWriter TARGET FILE`.
@main enum EntryPointWriter {
  static func main() throws {
    let text = """
      import Benchmark

      @main
      struct BenchmarkEntryPoint: BenchmarkRunnerHooks {
        static let target = "\(CommandLine.arguments[1])"

        static func registerBenchmarks() { _ = benchmarks() }
      }

      """
    try Data(text.utf8).write(to: URL(filePath: CommandLine.arguments[2]))
  }
}
