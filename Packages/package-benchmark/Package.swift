// swift-tools-version: 6.1
import PackageDescription

/// Replaces ordo-one/package-benchmark when `springbench` builds a suite that was written for it. Here, the modules of
/// FrameBench are links into this repository. For a build, springbench makes a git repository that SwiftPM uses as a
/// mirror. There the modules are copies, because a git repository cannot depend on files outside of it.
let package = Package(
  name: "package-benchmark",
  products: [
    .library(name: "Benchmark", targets: ["Benchmark"]), .plugin(name: "BenchmarkPlugin", targets: ["BenchmarkPlugin"]),
  ],
  // Suites may enable these traits. They have no effect, because allocations are always counted.
  traits: ["Jemalloc", "MallocInterposer", "RuntimeInterposer"],
  targets: [
    .target(name: "Benchmark", dependencies: ["FrameBench"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .plugin(name: "BenchmarkPlugin", capability: .buildTool(), dependencies: ["EntryPointWriter"]),
    .executableTarget(name: "EntryPointWriter"),

    .systemLibrary(name: "CJemalloc", pkgConfig: "jemalloc", providers: [.apt(["libjemalloc-dev"])]),
    .target(name: "CAllocationCounter", dependencies: ["CJemalloc"]), .target(name: "CFrameClock"),
    .target(name: "CInstructionCounter"), .target(name: "CProcessControl"), .target(name: "CStackProfiler"),
    .target(name: "Statistics"), .target(name: "TextFormat"),
    .target(
      name: "FrameBench",
      dependencies: [
        "CAllocationCounter", "CFrameClock", "CInstructionCounter", "CProcessControl", "CStackProfiler", "Statistics",
        "TextFormat",
      ]),
  ], swiftLanguageModes: [.v6], cLanguageStandard: .c11)
