// swift-tools-version: 6.1
import PackageDescription

/// Runs the same springs on this engine, Box2D and Chipmunk. This is a separate package, so that springbench itself
/// does not depend on those libraries. `make peers` in the repository's root installs them and runs the comparison.
let package = Package(
  name: "peers", products: [.executable(name: "peers", targets: ["peers"])],
  dependencies: [
    .package(name: "springbench", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(name: "CBareLoop"), .target(name: "CPeerMachine"),
    .target(name: "CBox2DSprings", linkerSettings: [.linkedLibrary("box2d")]),
    .target(name: "CBox2DScenes", linkerSettings: [.linkedLibrary("box2d")]),
    // Debian's package does not include a pkg-config file.
    .target(name: "CChipmunkSprings", linkerSettings: [.linkedLibrary("chipmunk")]),
    .target(
      name: "SpringPeers",
      dependencies: [
        "CBareLoop", "CBox2DScenes", "CBox2DSprings", "CChipmunkSprings", "CPeerMachine",
        .product(name: "CollectionLayout", package: "springbench"), .product(name: "Dynamics", package: "springbench"),
        .product(name: "Scenarios", package: "springbench"), .product(name: "Statistics", package: "springbench"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]), .executableTarget(name: "peers", dependencies: ["SpringPeers"]),
    .testTarget(name: "SpringPeersTests", dependencies: ["SpringPeers"]),
  ], swiftLanguageModes: [.v6], cLanguageStandard: .c11, cxxLanguageStandard: .cxx17)
