// swift-tools-version: 6.1
import PackageDescription

/// Takes the place of ordo-one/package-benchmark where `springbench` builds a suite that was written for it. The
/// modules of FrameBench are links into this repository, and copies where springbench serves the package as a mirror:
/// a mirror is a git repository of its own, and cannot depend on a folder outside of it.
let package = Package(
  name: "package-benchmark",
  products: [
    .library(name: "Benchmark", targets: ["Benchmark"]), .plugin(name: "BenchmarkPlugin", targets: ["BenchmarkPlugin"]),
  ],
  // Suites name them; allocations are counted anyway.
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
