import Foundation
import Platform

/// Everything that a build uses but that its revision does not contain.
package struct Surroundings: Codable, Equatable, Sendable {
  /// The versions of dependencies and artifacts, as in `WorkspaceState.text`.
  package var dependencies: String
  /// Checksums, by path, of everything outside of the checkout that the build uses: packages, and the files and folders
  /// to which symbolic links in the checkout lead.
  package var outside: [String: String] = [:]

  /// - Parameters:
  ///   - scratch: SwiftPM's build folder.
  ///   - checkout: The folder of the revision.
  package init(scratch: String, checkout: String) throws {
    let workspace = try WorkspaceState(buildFolder: scratch)
    dependencies = workspace.text
    let inside = Paths.real(checkout) ?? checkout
    let packages = workspace.dependencies(in: "fileSystem").map(\.path).compactMap(Paths.real)
    let linked = FileTree(path: inside).exits().compactMap(\.self)
    for path in Set(packages + linked) where path != inside && !path.hasPrefix(inside + "/") {
      outside[path] = Self.content(of: path) ?? "unknown at \(Date().timeIntervalSince1970)"
    }
  }

  /// Whether the files and folders at these paths still have these checksums.
  package static func areCurrent(_ outside: [String: String]) -> Bool { outside.allSatisfy { content(of: $0) == $1 } }

  /// Returns a checksum of the file or folder at a path. For a package it covers the whole repository around the
  /// package, because the manifest and links of the package may refer to any file there.
  private static func content(of path: String) -> String? {
    let root = sequence(first: path, next: Paths.parent).prefix { $0 != "/" }.first {
      FileManager.default.fileExists(atPath: "\($0)/.git")
    }
    return FileTree(path: PackageFolder.hasManifest(path) ? root ?? path : path).checksum()
  }
}

/// SwiftPM's own record of the dependencies of a package.
package struct WorkspaceState {
  /// The whole record, as JSON with sorted keys.
  package let text: String
  private let object: Object

  /// Reads the record in a build folder. The record is empty if the folder has none, as for some packages without
  /// dependencies.
  package init(buildFolder: String) throws {
    let path = "\(buildFolder)/workspace-state.json"
    guard let data = InputFile.untrusted(path) else {
      (text, object) = ("", Object(dependencies: []))
      return
    }
    let file = try attempt(try JSONDecoder().decode(File.self, from: data)) { _ in
      RevisionError(.failure, "\(path) does not list the dependencies in a way that is known; is SwiftPM newer?")
    }
    object = file.object
    // `text` also contains values that `File` does not decode, such as artifacts.
    let whole = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    let all = whole?["object"] as? [String: Any] ?? [:]
    text = String(decoding: try JSONSerialization.data(withJSONObject: all, options: .sortedKeys), as: UTF8.self)
  }

  /// Returns the dependencies that are in a certain state: `fileSystem`, `sourceControlCheckout` or `edited`.
  package func dependencies(in state: String) -> [(name: String, path: String)] {
    object.dependencies.filter { $0.state.name == state }.map { dependency in
      let package = dependency.packageRef
      return (name: package.name ?? package.location, path: dependency.state.path ?? package.location)
    }
  }

  private struct File: Decodable { var object: Object }

  private struct Object: Decodable { var dependencies: [Dependency] }

  private struct Dependency: Decodable {
    var packageRef: Reference
    var state: State

    struct Reference: Decodable {
      var name: String?
      var location: String
    }

    struct State: Decodable {
      var name: String
      var path: String?
    }
  }
}
