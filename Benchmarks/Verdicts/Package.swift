// swift-tools-version: 6.1
import PackageDescription

/// The same work for several judges of "has it become slower?". A package of its own, so that springbench itself
/// needs none of them; `make verdicts` in the repository's root installs them and runs this.
let package = Package(
  name: "verdicts",
  products: [
    .executable(name: "verdicts-suite", targets: ["verdicts-suite"]),
    .executable(name: "verdicts-plain", targets: ["verdicts-plain"]),
    .executable(name: "VerdictsBenchmark", targets: ["VerdictsBenchmark"]),
  ],
  dependencies: [
    .package(name: "springbench", path: "../.."),
    // Its counters of allocations need libraries of their own; its times and its peak memory do not.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .target(name: "Work"),
    .executableTarget(
      name: "verdicts-suite", dependencies: ["Work", .product(name: "FrameBench", package: "springbench")]),
    .executableTarget(name: "verdicts-plain", dependencies: ["Work"]),
    // Its plugin looks for benchmarks in a folder of this name.
    .executableTarget(
      name: "VerdictsBenchmark", dependencies: ["Work", .product(name: "Benchmark", package: "benchmark")],
      path: "Benchmarks/VerdictsBenchmark", plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ], swiftLanguageModes: [.v6])
