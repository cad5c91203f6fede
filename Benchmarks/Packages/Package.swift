// swift-tools-version: 6.1
import PackageDescription

/// Benchmarks of popular packages, as an example of a suite. There is one file for each package. The suite is a
/// separate package, so that springbench itself does not depend on the popular ones. `make packages` in the root of the
/// repository runs it.
let package = Package(
  name: "packages", products: [.executable(name: "packages", targets: ["packages"])],
  dependencies: [
    .package(name: "springbench", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    .executableTarget(
      name: "packages",
      dependencies: [
        .product(name: "FrameBench", package: "springbench"), .product(name: "Statistics", package: "springbench"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Collections", package: "swift-collections"), .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "Yams", package: "Yams"),
      ])
  ], swiftLanguageModes: [.v6])
