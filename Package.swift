// swift-tools-version: 6.1
import PackageDescription

/// Whether to build without jemalloc and without the counter of allocations. Sanitizers need this, because they bring
/// their own allocator: `SPRINGBENCH_SYSTEM_ALLOCATOR=1 swift test --sanitize=thread`.
let usesSystemAllocator = Context.environment["SPRINGBENCH_SYSTEM_ALLOCATOR"] == "1"

/// The setting of tests, and of targets that mostly wait for other programs. Without optimization, they compile in half
/// the time. SwiftPM rejects unsafe flags in dependencies, but no library product contains these targets.
let compilesQuickly: [SwiftSetting] = [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"])]

let package = Package(
  name: "springbench",
  products: [
    .executable(name: "springbench", targets: ["springbench"]),
    .executable(name: "spring-benchmarks", targets: ["spring-benchmarks"]),
    .executable(name: "uikit-benchmarks", targets: ["uikit-benchmarks"]),
    .library(name: "Dynamics", targets: ["Dynamics"]),
    .library(name: "CollectionLayout", targets: ["CollectionLayout"]),
    .library(name: "FrameBench", targets: ["FrameBench"]), .library(name: "Measurements", targets: ["Measurements"]),
    .library(name: "Scenarios", targets: ["Scenarios"]), .library(name: "Statistics", targets: ["Statistics"]),
    .library(name: "UIKit", targets: ["UIKit", "CoreGraphics", "QuartzCore", "_Testing_UIKit"]),
    .library(name: "UIKitScenarios", targets: ["UIKitScenarios"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // The engine, which the benchmarks of this repository measure.
    .target(name: "CSpringKernels"), .target(name: "Dynamics", dependencies: ["CSpringKernels"]),
    .target(name: "CollectionLayout", dependencies: ["Dynamics"]),
    .target(name: "UIKit", dependencies: ["CollectionLayout", "Dynamics"]), .target(name: "_Testing_UIKit"),
    .target(name: "CoreGraphics", dependencies: ["UIKit"]), .target(name: "QuartzCore", dependencies: ["UIKit"]),

    // The library that packages of benchmarks use.
    .systemLibrary(name: "CJemalloc", pkgConfig: "jemalloc", providers: [.apt(["libjemalloc-dev"])]),
    .target(
      name: "CAllocationCounter", dependencies: usesSystemAllocator ? [] : ["CJemalloc"],
      cSettings: usesSystemAllocator ? [.define("SPRINGBENCH_SYSTEM_ALLOCATOR")] : []), .target(name: "CFrameClock"),
    .target(name: "CInstructionCounter"), .target(name: "CProcessControl"), .target(name: "CStackProfiler"),
    .target(name: "Statistics"), .target(name: "TextFormat"),
    .target(
      name: "FrameBench",
      dependencies: [
        "CAllocationCounter", "CFrameClock", "CInstructionCounter", "CProcessControl", "CStackProfiler", "Statistics",
        "TextFormat",
      ]),

    // The program `springbench`.
    .target(name: "Measurements", dependencies: ["FrameBench", "Statistics", "TextFormat"]),
    .target(
      name: "Judging",
      dependencies: ["FrameBench", "Measurements", "Statistics", "TextFormat", .product(name: "Yams", package: "Yams")]),
    .target(name: "Markup", dependencies: ["Measurements", "Statistics", "TextFormat"]),
    .target(
      name: "Pages", dependencies: ["FrameBench", "Judging", "Markup", "Measurements", "Statistics", "TextFormat"]),
    .target(
      name: "HistoryPages",
      dependencies: ["FrameBench", "Judging", "Markup", "Measurements", "Pages", "Statistics", "TextFormat"]),
    .target(
      name: "Formats",
      dependencies: ["FrameBench", "Judging", "Markup", "Measurements", "Pages", "Statistics", "TextFormat"]),
    .target(
      name: "Platform",
      dependencies: [
        "CAllocationCounter", "CFrameClock", "CProcessControl", "FrameBench", "Measurements", "Statistics",
        "TextFormat", .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: compilesQuickly),
    .target(name: "Linking", dependencies: ["CProcessControl", "Platform", "Statistics", "TextFormat"]),
    .target(
      name: "Builds",
      dependencies: [
        "CProcessControl", "FrameBench", "Linking", "Platform", "TextFormat",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      resources: [
        .embedInCode("NewPackage/github-comment.yml"), .embedInCode("NewPackage/github-pull-request.yml"),
        .embedInCode("NewPackage/gitlab-ci.yml"),
      ], swiftSettings: compilesQuickly),
    .target(
      name: "LockStep",
      dependencies: [
        "Builds", "CProcessControl", "FrameBench", "Judging", "Linking", "Measurements", "Platform", "Statistics",
        "TextFormat", .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .target(
      name: "Execution",
      dependencies: [
        "Builds", "CAllocationCounter", "CInstructionCounter", "CProcessControl", "CStackProfiler", "FrameBench",
        "HistoryPages", "Judging", "Linking", "LockStep", "Markup", "Measurements", "Pages", "Platform", "Statistics",
        "TextFormat", .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: compilesQuickly),
    .target(
      name: "Program",
      dependencies: [
        "Builds", "CProcessControl", "Execution", "Formats", "FrameBench", "HistoryPages", "Judging", "Linking",
        "LockStep", "Markup", "Measurements", "Pages", "Platform", "Statistics", "TextFormat",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: compilesQuickly), .executableTarget(name: "springbench", dependencies: ["Program"]),

    // The benchmarks, which use both the engine and the library.
    .target(
      name: "Scenarios", dependencies: ["CollectionLayout", "Dynamics", "FrameBench", "Statistics"],
      path: "Benchmarks/Scenarios"),
    .target(
      name: "UIKitScenarios", dependencies: ["CollectionLayout", "Dynamics", "FrameBench", "Scenarios", "UIKit"],
      path: "Benchmarks/UIKitScenarios"),
    .executableTarget(
      name: "spring-benchmarks", dependencies: ["FrameBench", "Scenarios"], path: "Benchmarks/spring-benchmarks"),
    .executableTarget(
      name: "uikit-benchmarks", dependencies: ["FrameBench", "UIKitScenarios"], path: "Benchmarks/uikit-benchmarks"),

    .testTarget(name: "AllocationCounterTests", dependencies: ["CAllocationCounter"]),
    .testTarget(
      name: "DynamicsTests", dependencies: ["CAllocationCounter", "CSpringKernels", "Dynamics", "Statistics"]),
    .testTarget(
      name: "CollectionLayoutTests", dependencies: ["CAllocationCounter", "CollectionLayout", "Dynamics", "Statistics"]),
    .testTarget(
      name: "UIKitStyleTests",
      dependencies: [
        "CollectionLayout", "Dynamics", "FrameBench", "CoreGraphics", "QuartzCore", "UIKit", "UIKitScenarios",
        "_Testing_UIKit",
      ]),
    .testTarget(
      name: "JudgingTests",
      dependencies: [
        "Formats", "FrameBench", "HistoryPages", "Judging", "Markup", "Measurements", "Pages", "Statistics",
      ], resources: [.copy("Oracles")]), .testTarget(name: "StatisticsTests", dependencies: ["Statistics"]),
    .testTarget(
      name: "FrameBenchTests",
      dependencies: [
        "CAllocationCounter", "CFrameClock", "CProcessControl", "CStackProfiler", "FrameBench", "Measurements",
        "Statistics",
      ]),
    .testTarget(name: "MeasurementsTests", dependencies: ["FrameBench", "Measurements", "Statistics", "TextFormat"]),
    .testTarget(
      name: "PagesTests",
      dependencies: [
        "Formats", "FrameBench", "HistoryPages", "JSONSchemaCheck", "Judging", "Markup", "Measurements", "Pages",
        "Statistics", "TextFormat",
      ], exclude: ["Golden"]),
    .testTarget(
      name: "ScenariosTests",
      dependencies: [
        "CAllocationCounter", "CollectionLayout", "Dynamics", "FrameBench", "Measurements", "Scenarios",
        "UIKitScenarios",
      ]), .executableTarget(name: "SuiteFixture", dependencies: ["FrameBench"], path: "Tests/SuiteFixture"),
    .executableTarget(
      name: "Fuzzing",
      dependencies: [
        "Builds", "Execution", "Formats", "FrameBench", "HistoryPages", "Judging", "Linking", "Markup", "Measurements",
        "Pages", "Platform", "Program", "Scenarios", "Statistics", "TextFormat",
      ], path: "Tests/Fuzzing", exclude: ["Corpus"]), .target(name: "JSONSchemaCheck", path: "Tests/JSONSchemaCheck"),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "Builds", "CAllocationCounter", "CStackProfiler", "Execution", "Formats", "FrameBench", "HistoryPages",
        "JSONSchemaCheck", "Judging", "Linking", "LockStep", "Markup", "Measurements", "Pages", "Platform", "Program",
        "spring-benchmarks", "springbench", "Statistics", "SuiteFixture", "TextFormat",
        .product(name: "Yams", package: "Yams"),
      ]),
  ], swiftLanguageModes: [.v6], cLanguageStandard: .c11)

for target in package.targets where target.type == .test { target.swiftSettings = compilesQuickly }

/// `make test-debug` checks the bounds of unsafe buffers. The program hardly uses any, so it is left out.
if Context.environment["SPRINGBENCH_WITHOUT_PROGRAM"] == "1" {
  let program: Set = [
    "Builds", "Execution", "Fuzzing", "Linking", "LockStep", "Platform", "PagesTests", "Program", "ProgramTests",
    "springbench",
  ]
  package.targets.removeAll { program.contains($0.name) }
  package.products.removeAll { program.contains($0.name) }
}
