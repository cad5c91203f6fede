// swift-tools-version: 6.1
import PackageDescription

/// The libraries of the package in the repository's root, without the program and its dependencies. `make install` puts
/// a copy next to springbench, for packages of benchmarks. Here, the modules are links into this repository.
let package = Package(
  name: "springbench",
  products: [
    .library(name: "Dynamics", targets: ["Dynamics"]),
    .library(name: "CollectionLayout", targets: ["CollectionLayout"]),
    .library(name: "FrameBench", targets: ["FrameBench"]), .library(name: "Scenarios", targets: ["Scenarios"]),
    .library(name: "Statistics", targets: ["Statistics"]),
    .library(name: "UIKit", targets: ["UIKit", "CoreGraphics", "QuartzCore", "_Testing_UIKit"]),
    .library(name: "UIKitScenarios", targets: ["UIKitScenarios"]),
  ],
  targets: [
    .target(name: "CSpringKernels"), .target(name: "Dynamics", dependencies: ["CSpringKernels"]),
    .target(name: "CollectionLayout", dependencies: ["Dynamics"]),
    .target(name: "UIKit", dependencies: ["CollectionLayout", "Dynamics"]), .target(name: "_Testing_UIKit"),
    .target(name: "CoreGraphics", dependencies: ["UIKit"]), .target(name: "QuartzCore", dependencies: ["UIKit"]),

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

    .target(name: "Scenarios", dependencies: ["CollectionLayout", "Dynamics", "FrameBench", "Statistics"]),
    .target(
      name: "UIKitScenarios", dependencies: ["CollectionLayout", "Dynamics", "FrameBench", "Scenarios", "UIKit"]),
  ], swiftLanguageModes: [.v6], cLanguageStandard: .c11)
