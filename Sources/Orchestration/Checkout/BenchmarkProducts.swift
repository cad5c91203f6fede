import Foundation
import FrameBench

/// Which executable products of a package are programs of benchmarks: those that depend on the library FrameBench.
enum BenchmarkProducts {
  /// - Parameters:
  ///   - package: The folder of a `Package.swift`; it need not hold anything else.
  ///   - name: What to call it in the message.
  /// - Returns: In the manifest's order. Programs below `Tests` are fixtures, and left out.
  static func find(in package: String, called name: String) async throws -> [String] {
    let process = ChildProcess(
      executable: .name("swift"), arguments: ["package", "--package-path", package, "dump-package"],
      environment: Git.cleanEnvironment, timeout: .seconds(300))
    let end = try await process.run(
      orThrow: RevisionError.missingTool("swift", remedy: "put a Swift toolchain on the PATH"))
    guard end.isSuccess, let products = try? products(ofManifest: end.output) else {
      let lines = end.errorTail.split(separator: "\n").map(String.init)
      throw RevisionError.doesNotBuild(
        name, reason: lines.first { $0.contains("error: ") } ?? "its Package.swift cannot be read",
        lastLines: lines.suffix(20).map(\.self))
    }
    return products
  }

  /// - Parameter manifest: As `swift package dump-package` prints it.
  static func products(ofManifest manifest: Data) throws -> [String] {
    try JSONDecoder().decode(Manifest.self, from: manifest).benchmarkProducts()
  }

  private struct Manifest: Decodable {
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

    func benchmarkProducts() -> [String] {
      let executables = targets.filter { $0.type == "executable" && !($0.path ?? "").hasPrefix("Tests") }
      // A program whose own library depends on FrameBench is one, but not where others do so themselves: springbench
      // and what is built of its modules would be programs of benchmarks otherwise.
      let direct = executables.filter { $0.dependencyNames.contains(BenchmarkProducts.library) }
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
        if name == BenchmarkProducts.library { return true }
        guard seen.insert(name).inserted else { continue }
        open += targets.first { $0.name == name }?.dependencyNames ?? []
      }
      return false
    }
  }

  private static let library = "FrameBench"
}
