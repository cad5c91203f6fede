import Foundation
import FrameBench

/// Everything that determines a build: equal keys give equal programs.
struct BuildKey: Codable, Equatable, Sendable {
  var commit: String
  /// Git's hash of the sources. Those of the working tree are known by it alone.
  var tree: String
  /// The package's folder in the repository.
  var prefix: String
  var product: String
  var flags: [String]
  var toolchain: String
  /// The pinned versions of dependencies, where the revision has none of its own.
  var resolvedDependencies: String?
  /// Variables that the manifest or the compiler may read.
  var environment: [String: String]
  /// Separate builds of the same sources, for comparing a revision with itself.
  var copy: Int

  /// A name for a folder, 32 hexadecimal digits of FNV-1a over the sorted JSON. It need not resist
  /// forgery: the whole key is compared before a build is taken.
  func name() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let bytes = Array(try encoder.encode(self))
    return Checksum(bytes).hexadecimal + Checksum(bytes.reversed()).hexadecimal
  }

  /// The variables that are set and count: the compiler's, and those whose names stand in the manifest.
  static func environment(_ all: [String: String], manifest: String) -> [String: String] {
    let mentioned = Set(manifest.matches(of: /[A-Za-z_][A-Za-z0-9_]*/).map { String($0.output) })
    return all.filter {
      InheritedEnvironment.compilerVariables.contains($0.key) || mentioned.contains($0.key)
    }
  }
}
