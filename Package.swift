// swift-tools-version: 6.1
import PackageDescription

/// Sanitizers bring an allocator of their own, which neither jemalloc nor the counter may replace:
/// `SPRINGBENCH_SYSTEM_ALLOCATOR=1 swift test --sanitize=thread` builds without both.
let usesSystemAllocator = Context.environment["SPRINGBENCH_SYSTEM_ALLOCATOR"] == "1"

let package = Package(
  name: "springbench",
  products: [
    .executable(name: "springbench", targets: ["springbench"]),
    .library(name: "Dynamics", targets: ["Dynamics"]),
    .library(name: "CollectionLayout", targets: ["CollectionLayout"]),
    .library(name: "FrameBench", targets: ["FrameBench"]),
    .library(name: "FrameReport", targets: ["FrameReport"]),
    .library(name: "SpringBenchCLI", targets: ["SpringBenchCLI"]),
    .library(name: "Scenarios", targets: ["Scenarios"]),
    .library(name: "Statistics", targets: ["Statistics"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // The engine.
    .target(name: "CSpringKernels"),
    .target(name: "Dynamics", dependencies: ["CSpringKernels"]),
    .target(name: "CollectionLayout", dependencies: ["Dynamics"]),

    // The harness.
    .systemLibrary(name: "CJemalloc", pkgConfig: "jemalloc", providers: [.apt(["libjemalloc-dev"])]),
    .target(
      name: "CAllocationCounter",
      dependencies: usesSystemAllocator ? [] : ["CJemalloc"],
      cSettings: usesSystemAllocator ? [.define("SPRINGBENCH_SYSTEM_ALLOCATOR")] : []),
    .target(name: "CFrameClock"),
    .target(name: "CInstructionCounter"),
    .target(name: "CProcessControl"),
    .target(name: "CStackProfiler"),
    .target(name: "Statistics"),
    .target(name: "CodeLayout", dependencies: ["Statistics"]),
    .target(
      name: "FrameBench",
      dependencies: [
        "CAllocationCounter", "CFrameClock", "CInstructionCounter", "CStackProfiler", "Statistics",
      ]),
    .target(name: "FrameReport", dependencies: ["FrameBench", "Statistics"]),
    .target(
      name: "Budgets",
      dependencies: ["FrameBench", "FrameReport", "Statistics", .product(name: "Yams", package: "Yams")]),
    .target(name: "History", dependencies: ["FrameBench", "FrameReport", "Statistics"]),
    .target(
      name: "SpringBenchCLI",
      dependencies: [
        "Budgets", "History", "CAllocationCounter", "CodeLayout", "CProcessControl", "FrameBench",
        "FrameReport", "Statistics",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ]),

    // Where the two meet.
    .target(
      name: "Scenarios", dependencies: ["CollectionLayout", "Dynamics", "FrameBench", "Statistics"],
      path: "Benchmarks/Scenarios"),
    .executableTarget(
      name: "springbench", dependencies: ["Scenarios", "SpringBenchCLI"],
      path: "Benchmarks/springbench"),

    .testTarget(name: "AllocationCounterTests", dependencies: ["CAllocationCounter"]),
    .testTarget(
      name: "DynamicsTests",
      dependencies: ["Dynamics", "CSpringKernels", "CAllocationCounter", "Statistics"]),
    .testTarget(
      name: "CollectionLayoutTests",
      dependencies: ["CollectionLayout", "Dynamics", "CAllocationCounter", "Statistics"]),
    .testTarget(name: "BudgetsTests", dependencies: ["Budgets", "FrameBench", "FrameReport"]),
    .testTarget(name: "HistoryTests", dependencies: ["FrameBench", "FrameReport", "History"]),
    .testTarget(
      name: "StatisticsTests", dependencies: ["Statistics"], resources: [.copy("Oracles")]),
    .testTarget(name: "CodeLayoutTests", dependencies: ["CodeLayout"]),
    .testTarget(
      name: "FrameBenchTests", dependencies: ["FrameBench", "CAllocationCounter", "CStackProfiler"]),
    .testTarget(
      name: "FrameReportTests",
      dependencies: ["FrameReport", "FrameBench", "History", "JSONSchemaCheck", "Statistics"],
      exclude: ["Golden"]),
    .testTarget(
      name: "ScenariosTests",
      dependencies: ["Scenarios", "FrameBench", "CollectionLayout", "Dynamics", "CAllocationCounter"]),
    .executableTarget(
      name: "SuiteFixture", dependencies: ["FrameBench", "SpringBenchCLI"],
      path: "Tests/SuiteFixture"),
    .target(name: "JSONSchemaCheck", path: "Tests/JSONSchemaCheck"),
    .testTarget(
      name: "SpringBenchCLITests",
      dependencies: [
        "Budgets", "CAllocationCounter", "CodeLayout", "CStackProfiler", "SpringBenchCLI", "FrameBench",
        "FrameReport", "History", "JSONSchemaCheck", "Statistics", "SuiteFixture", "springbench",
        .product(name: "Yams", package: "Yams"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11
)
