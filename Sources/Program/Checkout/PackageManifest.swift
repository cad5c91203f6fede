import Foundation
import TextFormat

/// What SwiftPM says of a `Package.swift`.
struct PackageManifest: Decodable {
  var name: String
  var products: [Product]
  var targets: [Target]

  struct Product: Decodable {
    var name: String
    var targets: [String]
    var type: [String: Ignored?]
  }

  struct Target: Decodable {
    var name: String
    var type: String
    var path: String?
    var dependencies: [[String: [Ignored?]]]

    /// Of targets and products, its own package's and others'.
    var dependencyNames: [String] { dependencies.flatMap(\.values).compactMap { $0.first??.text } }
  }

  /// Whatever stands there; its text where it is one.
  struct Ignored: Decodable {
    var text: String?

    init(from decoder: any Decoder) throws {
      text = try? decoder.singleValueContainer().decode(String.self)
    }
  }
}

extension PackageManifest {
  /// - Parameters:
  ///   - package: The folder of a `Package.swift`; it need not hold anything else.
  ///   - problem: What to throw where it cannot be read, given the end of stderr.
  static func read(_ package: String, orThrow problem: (String) -> any Error) async throws -> PackageManifest
  {
    let process = ChildProcess(
      executable: .name("swift"), arguments: ["package", "--package-path", package, "dump-package"],
      environment: Git.cleanEnvironment, timeout: .seconds(300))
    let end = try await process.run(
      orThrow: RevisionError.missingTool("swift", remedy: "put a Swift toolchain on the PATH"))
    guard end.isSuccess, let manifest = try? PackageManifest(dump: end.output) else {
      throw problem(end.errorTail)
    }
    return manifest
  }

  /// - Parameter dump: As `swift package dump-package` prints it.
  init(dump: Data) throws { self = try JSONDecoder().decode(PackageManifest.self, from: dump) }

  /// The programs of benchmarks of a package.
  ///
  /// - Parameter name: What to call it in the message.
  static func benchmarkProducts(in package: String, called name: String) async throws -> [String] {
    try await read(package) { errorTail in
      let lines = errorTail.split(separator: "\n").map(String.init)
      return RevisionError.doesNotBuild(
        name, reason: lines.first { $0.contains("error: ") } ?? "its Package.swift cannot be read",
        lastLines: lines.suffix(20).map(\.self))
    }.benchmarkProducts()
  }

  private static let library = "FrameBench"

  /// The executable products that are programs of benchmarks, those that depend on the library FrameBench, in the
  /// manifest's order. Programs below `Tests` are fixtures, and left out.
  func benchmarkProducts() -> [String] {
    let executables = targets.filter { $0.type == "executable" && !($0.path ?? "").hasPrefix("Tests") }
    // A program whose own library depends on FrameBench is one, but not where others do so themselves: springbench
    // and what is built of its modules would be programs of benchmarks otherwise.
    let direct = executables.filter { $0.dependencyNames.contains(Self.library) }
    let chosen = direct.isEmpty ? executables.filter { reachesLibrary($0) } : direct
    return chosen.map { target in
      products.first { $0.type.keys.contains("executable") && $0.targets.contains(target.name) }?.name
        ?? target.name
    }
  }

  private func reachesLibrary(_ start: Target) -> Bool {
    var seen: Set<String> = []
    var open = [start.name]
    while let name = open.popLast() {
      if name == Self.library { return true }
      guard seen.insert(name).inserted else { continue }
      open += targets.first { $0.name == name }?.dependencyNames ?? []
    }
    return false
  }
}
