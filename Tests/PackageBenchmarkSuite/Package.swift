// swift-tools-version: 6.1
import PackageDescription

/// A suite written for package-benchmark. This manifest and its sources do not mention springbench.
let package = Package(
  name: "suite",
  dependencies: [.package(url: "https://github.com/ordo-one/package-benchmark.git", .upToNextMajor(from: "1.29.0"))],
  targets: [
    .executableTarget(
      name: "Shapes", dependencies: [.product(name: "Benchmark", package: "package-benchmark")],
      path: "Benchmarks/Shapes", plugins: [.plugin(name: "BenchmarkPlugin", package: "package-benchmark")])
  ])
