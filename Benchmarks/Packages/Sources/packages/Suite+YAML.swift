import Foundation
import FrameBench
import Statistics
import Yams

extension Suite {
  /// Adds benchmarks of Yams: several ways to read a document.
  mutating func addYAML() {
    measure(
      "yaml", summary: "Releases are read from a YAML document, or for comparison from one in JSON.",
      strategies: Reader.allCases, sizes: [10, 1_000], throughput: .itemsOfSize, tags: ["yams"],
      options: .init(quickSizes: [10], frameCount: 20, warmUpFrameCount: 2), checksum: \.hashValue
    ) { reader, context in
      let documents = try Documents(Release.some(context.size, seed: context.seed))
      return { try reader.releases(documents) }
    }
  }
}

private struct Release: Codable, Hashable {
  var name: String
  var version: String
  var byteCount: Int
  var platforms: [String]

  static func some(_ count: Int, seed: UInt64) -> [Release] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { index in
      Release(
        name: "package-\(index)", version: "\(random.next() % 10).\(random.next() % 100).0",
        byteCount: Int(random.next() % 1_000_000), platforms: ["linux", "macos"])
    }
  }
}

private struct Documents {
  let yaml: String
  let json: Data

  init(_ releases: [Release]) throws {
    yaml = try YAMLEncoder().encode(releases)
    let encoder = JSONEncoder()
    // Without sorting, the order of the keys would differ from run to run.
    encoder.outputFormatting = .sortedKeys
    json = try encoder.encode(releases)
  }
}

private enum Reader: CaseIterable {
  /// Decodes into a `Codable` type.
  case decoder
  /// Reads the document's nodes. Unlike plain values, nodes keep styles and positions.
  case nodes
  /// Loads dictionaries and arrays of type `Any`.
  case dictionaries
  /// Decodes JSON with Foundation, for comparison.
  case json

  func releases(_ documents: Documents) throws -> [Release] {
    switch self {
    case .decoder: try YAMLDecoder().decode([Release].self, from: documents.yaml)
    case .nodes: try compose(yaml: documents.yaml)?.array().map(Self.release) ?? []
    case .dictionaries: try (load(yaml: documents.yaml) as? [[String: Any]] ?? []).map(Self.release)
    case .json: try JSONDecoder().decode([Release].self, from: documents.json)
    }
  }

  private static func release(_ node: Node) throws -> Release {
    guard let name = node["name"]?.string, let version = node["version"]?.string,
      let byteCount = node["byteCount"]?.int, let platforms = node["platforms"]?.array(of: String.self)
    else { throw NotARelease() }
    return Release(name: name, version: version, byteCount: byteCount, platforms: platforms)
  }

  private static func release(_ fields: [String: Any]) throws -> Release {
    guard let name = fields["name"] as? String, let version = fields["version"] as? String,
      let byteCount = fields["byteCount"] as? Int, let platforms = fields["platforms"] as? [String]
    else { throw NotARelease() }
    return Release(name: name, version: version, byteCount: byteCount, platforms: platforms)
  }

  private struct NotARelease: Error {}
}
