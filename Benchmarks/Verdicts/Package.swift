// swift-tools-version: 6.1
import PackageDescription

/// The same work for several tools that judge whether code has become slower. It is a separate package, so that
/// springbench itself does not depend on these tools. `make verdicts` in the repository's root installs the tools and
/// runs them.
let package = Package(
  name: "verdicts",
  products: [
    .executable(name: "verdicts-suite", targets: ["verdicts-suite"]),
    .executable(name: "verdicts-plain", targets: ["verdicts-plain"]),
    .executable(name: "VerdictsBenchmark", targets: ["VerdictsBenchmark"]),
  ],
  dependencies: [
    .package(name: "springbench", path: "../.."),
    // The trait for counting allocations is off because it needs more libraries. Times and peak memory work without it.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .target(name: "Work"),
    .executableTarget(
      name: "verdicts-suite", dependencies: ["Work", .product(name: "FrameBench", package: "springbench")]),
    .executableTarget(name: "verdicts-plain", dependencies: ["Work"]),
    // package-benchmark's plugin looks for benchmarks in a folder with the name `Benchmarks`.
    .executableTarget(
      name: "VerdictsBenchmark", dependencies: ["Work", .product(name: "Benchmark", package: "benchmark")],
      path: "Benchmarks/VerdictsBenchmark", plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ], swiftLanguageModes: [.v6])
