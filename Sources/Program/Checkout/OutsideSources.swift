import Foundation

/// The packages that a build took by their path from outside the checkout.
enum OutsideSources {
  /// Real paths, sorted.
  static func folders(scratch: String, checkout: String) -> [String] {
    guard let data = FileManager.default.contents(atPath: "\(scratch)/workspace-state.json"),
      let state = try? JSONDecoder().decode(State.self, from: data)
    else { return [] }
    let inside = PackageFolder.realPath(checkout) ?? checkout
    let folders = state.object.dependencies.compactMap(\.folder).compactMap(PackageFolder.realPath)
    return Set(folders.filter { $0 != inside && !$0.hasPrefix(inside + "/") }).sorted()
  }

  /// The part that matters of the file that SwiftPM keeps.
  private struct State: Decodable {
    var object: Object

    struct Object: Decodable {
      var dependencies: [Dependency]
    }

    struct Dependency: Decodable {
      var packageRef: Reference
      var state: Kind

      var folder: String? { state.name == "fileSystem" ? state.path ?? packageRef.location : nil }
    }

    struct Reference: Decodable {
      var location: String
    }

    struct Kind: Decodable {
      var name: String
      var path: String?
    }
  }
}
