import Foundation
import Platform

/// Everything that a build uses but that its revision does not contain.
package struct Surroundings: Codable, Equatable, Sendable {
  /// The versions of dependencies and artifacts, as in `WorkspaceState.text`.
  package var dependencies: String
  /// Checksums, by path, of everything outside of the checkout that the build uses: packages, and the files and folders
  /// to which symbolic links in the checkout lead.
  package var outside: [String: String] = [:]
  /// Checksums, by path, of further files outside of the build folder that compilers read, such as headers of libraries.
  package var inputs: [String: String] = [:]

  package var all: [String: String] { outside.merging(inputs) { $1 } }

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

  /// - Parameters:
  ///   - files: The paths of files that compilers read.
  ///   - folder: The folder of the build and its checkout, whose files do not count.
  package mutating func setInputs(_ files: Set<String>, outside folder: String) {
    let known = [Paths.real(folder) ?? folder] + outside.keys
    inputs = [:]
    for path in Set(files.filter { $0.hasPrefix("/") }.compactMap(Paths.real))
    where !known.contains(where: { path.hasPrefix($0 + "/") }) {
      // The modules of the toolchain are large, and `BuildKey.toolchain` stands for them.
      if !path.contains("/lib/swift/") { inputs[path] = Self.content(of: path) }
    }
  }

  /// Whether the files and folders at these paths still have these checksums. The checksum of a missing file is empty.
  package static func areCurrent(_ outside: [String: String]) -> Bool { outside == contents(of: outside.keys) }

  /// Returns the checksums, by path, of files and folders.
  package static func contents(of paths: some Sequence<String>) -> [String: String] {
    Dictionary(paths.map { ($0, content(of: $0) ?? "") }) { $1 }
  }

  /// Returns the strings in a flag that may be paths. In `-fplugin=/path`, `-I/path`, `@path` and `/path#Module`, a path
  /// is only a part.
  package static func paths(in flag: String) -> [String] {
    let starts =
      [flag.startIndex] + [flag.firstIndex(of: "/")].compactMap(\.self)
      + flag.indices.filter { "=@".contains(flag[$0]) }.map(flag.index(after:))
    return starts.flatMap { [String(flag[$0...]), String(flag[$0...].prefix { $0 != "#" })] }
  }

  /// Returns the checksums of files outside of a checkout that flags, or settings in manifests, name or look up with
  /// `pkg-config`. Compilers do not list such files among those that they read.
  /// - Parameter repository: The folder from whose checkouts relative paths lead to files of the revision.
  package static func checksums(of flags: [String], manifests: String, repository: String) -> [String] {
    let strings = flags + manifests.matches(of: /"([^"\n]*)"/).map { String($0.1) }
    let folders =
      (InheritedEnvironment.variables["PKG_CONFIG_PATH"] ?? "").split(separator: ":").map(String.init)
      + ["/usr/local/lib", "/usr/local/share", "/usr/lib", "/usr/share"].map { "\($0)/pkgconfig" }
      + Paths.names(in: "/usr/lib").filter { $0.hasSuffix("-linux-gnu") }.map { "/usr/lib/\($0)/pkgconfig" }
    let packages = manifests.matches(of: /pkgConfig:\s*"([^"\n]*)"/).flatMap { name in
      folders.map { "\($0)/\(name.1).pc" }
    }
    let paths =
      packages
      + strings.flatMap(paths).filter { path in
        path.hasPrefix("/") || Paths.real(path)?.hasPrefix(repository + "/") == false
      }
    // Some of the kernel's files have no end.
    let files = Set(paths.compactMap(Paths.real)).filter { path in
      Paths.kind(path) == S_IFREG && !["/proc/", "/sys/"].contains(where: path.hasPrefix)
    }
    return files.sorted().map { "\($0) \(content(of: $0) ?? "")" }
  }

  /// Returns a checksum of the file or folder at a path. For a package it covers the whole repository around the
  /// package, because the manifest and links of the package may refer to any file there.
  private static func content(of path: String) -> String? {
    guard PackageFolder.hasManifest(path) else { return FileTree(path: path).checksum() }
    let root = sequence(first: path, next: Paths.parent).prefix { $0 != "/" }.first {
      FileManager.default.fileExists(atPath: "\($0)/.git")
    }
    return FileTree(path: root ?? path).checksum()
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

  /// Returns the content of a `Package.resolved` with the versions that a build chose, and those that were kept of other
  /// packages. If all were kept before, nothing changes.
  package static func pins(_ kept: Data, replacedBy chosen: Data) throws -> Data {
    func object(_ data: Data) -> [String: Any] {
      (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
    }
    func pins(_ object: [String: Any]) -> [[String: Any]] { object["pins"] as? [[String: Any]] ?? [] }
    var whole = object(chosen)
    let (own, known) = (pins(whole), pins(object(kept)))
    let texts = try [own, known].map { pins in
      Set(try pins.map { try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) })
    }
    if texts[0].isSubset(of: texts[1]) { return kept }
    let names = Set(own.map { $0["identity"] as? String })
    whole["pins"] = own + known.filter { !names.contains($0["identity"] as? String) }
    return try JSONSerialization.data(
      withJSONObject: whole, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
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
