import Foundation
import FrameBench
import Platform

/// A replacement for the package ordo-one/package-benchmark, so that suites written for it can be built without
/// changes. The replacement is a git repository in the build folder. SwiftPM's mirror settings make SwiftPM use it in
/// place of the original.
package struct StandInPackage: Sendable {
  /// The names of package-benchmark's repository on GitHub. A mirror must have the name of the repository that it
  /// replaces.
  private static let names = ["package-benchmark", "benchmark"]
  private static let hosts = ["https://github.com/", "git@github.com:", "ssh://git@github.com/"]
  /// For each major version, a tag that is high enough to satisfy every `from:` in a manifest.
  private static let versions = (0...9).map { "\($0).999.0" }

  /// A folder with one repository for each of `names`. The folder's name depends on the content of the repositories.
  package let folder: String
  /// The URLs by which the suite's manifest depends on the original.
  private let urls: [String]

  /// Whether a manifest depends on package-benchmark or a fork of it, and not on FrameBench.
  package static func isNeeded(by manifest: String) -> Bool {
    (!urls(in: manifest).isEmpty || names.contains { manifest.contains("ordo-one/\($0)") })
      && !manifest.contains("FrameBench")
  }

  /// Returns hints on the other benchmark libraries that a manifest names. Springbench has no replacement for them.
  package static func otherLibraries(in manifest: String) -> [String] {
    ["swift-benchmark", "swift-collections-benchmark"].filter { manifest.contains("/\($0)") }.map {
      "suites for \($0) have to be rewritten; docs/moving-over.md shows how"
    }
  }

  private static func urls(in manifest: String) -> [String] {
    manifest.matches(of: #/(?:\w+://|git@)[^"\s]+/(?:package-)?benchmark(?:\.git)?(?![\w.\/-])/#).map {
      String($0.output)
    }
  }

  package var stamp: String { "package-benchmark=\(Paths.name(folder))" }

  /// Creates the repositories unless they exist.
  /// - Parameter manifest: The text of the suite's manifest. All versions in it become tags of the repositories.
  package init(for manifest: String, in store: String) async throws {
    urls = Self.urls(in: manifest)
    let draft = try HiddenEntry.scratch(in: store, prefix: "stand-in-")
    let tags = Set(Self.versions + manifest.matches(of: /"(\d+\.\d+\.\d+)"/).map { String($0.1) })
    let source = try Self.source()
    try RevisionError.naming(draft.path) { try Self.copy(source, to: draft.path) }
    let commands = [
      ["init", "--quiet", "--initial-branch=main"], ["add", "--all", "--force"],
      // The commit is not signed, so that its hash depends only on the content and is the same on every machine.
      ["-c", "commit.gpgSign=false", "commit", "--quiet", "--message=SpringBench"],
    ]
    var content = ""
    for command in commands + tags.sorted().map({ ["-c", "tag.gpgSign=false", "tag", $0] }) + [["rev-parse", "HEAD"]] {
      content = try await Git(folder: draft.path).output(
        command, to: "make a repository of springbench's package-benchmark", environment: Self.identity)
    }
    let versions = Checksum(Data(tags.sorted().joined(separator: " ").utf8)).hexadecimal
    folder = "\(store)/stand-ins/\(content.prefix(12))-\(versions)"
    for name in Self.names where !FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
      try RevisionError.naming(folder) {
        try Paths.makeFolder(folder)
        let copy = "\(folder)/.\(name)-\(UUID().uuidString)"
        try FileManager.default.copyItem(atPath: draft.path, toPath: copy)
        // `rename` fails if another process has made the same repository in the meantime.
        if rename(copy, "\(folder)/\(name)") != 0 { try FileManager.default.removeItem(atPath: copy) }
      }
    }
  }

  /// The names and dates are fixed, so that the same content always gives the same hash of the commit.
  private static let identity = [
    "GIT_AUTHOR_NAME": "SpringBench", "GIT_AUTHOR_EMAIL": "springbench@localhost",
    "GIT_AUTHOR_DATE": "2000-01-01T00:00:00Z", "GIT_COMMITTER_NAME": "SpringBench",
    "GIT_COMMITTER_EMAIL": "springbench@localhost", "GIT_COMMITTER_DATE": "2000-01-01T00:00:00Z",
  ]

  /// Returns the folder of the replacement that belongs to this program: in its repository, or where it was installed.
  private static func source() throws -> String {
    let path = "Packages/package-benchmark"
    guard let found = PackageFolder.lent("package-benchmark", inRepository: path) else {
      throw RunError(
        "this package was written for package-benchmark, and springbench's own package for that is not beside this"
          + " program; make install, in springbench's folder, puts it into share/springbench")
    }
    return found
  }

  /// Copies the files that SwiftPM needs. Modules are symbolic links in springbench's repository, so the folders that
  /// the links refer to are copied.
  private static func copy(_ source: String, to target: String) throws {
    let manager = FileManager.default
    for name in ["Package.swift", "Plugins"] {
      try manager.copyItem(atPath: "\(source)/\(name)", toPath: "\(target)/\(name)")
    }
    try Paths.makeFolder("\(target)/Sources")
    for name in Paths.names(in: "\(source)/Sources") {
      guard let module = Paths.real("\(source)/Sources/\(name)") else { continue }
      try manager.copyItem(atPath: module, toPath: "\(target)/Sources/\(name)")
    }
  }

  /// Makes a checkout of a package use this replacement. Adds mirrors for package-benchmark to the mirrors in SwiftPM's
  /// settings for the user and the package, and removes package-benchmark's version from `Package.resolved`.
  package func settle(in package: String) throws {
    try PackageLocation.checkSettings(in: package)
    let shared = "\(NSHomeDirectory())/.swiftpm/configuration/mirrors.json"
    let own = "\(package)/.swiftpm/configuration/mirrors.json"
    let mirrors = try [shared, own].flatMap { try Self.object($0)["object"] as? [[String: Any]] ?? [] } + self.mirrors
    let pins = "\(package)/Package.resolved"
    try RevisionError.naming(own) {
      try Paths.makeFolder(Paths.parent(own))
      try Self.write(["version": 1, "object": mirrors], to: own)
      var resolved = try Self.object(pins)
      guard let known = resolved["pins"] as? [[String: Any]] else { return }
      resolved["pins"] = known.filter { !Self.names.contains($0["identity"] as? String ?? "") }
      try Self.write(resolved, to: pins)
    }
  }

  private var mirrors: [[String: Any]] {
    Self.names.flatMap { name in
      let mirror = URL(fileURLWithPath: "\(folder)/\(name)").absoluteString
      let usual = Self.hosts.flatMap { ["\($0)ordo-one/\(name)", "\($0)ordo-one/\(name).git"] }
      let others = urls.filter { $0.hasSuffix("/\(name)") || $0.hasSuffix("/\(name).git") }
      return Set(usual + others).sorted().map { ["original": $0, "mirror": mirror] }
    }
  }

  /// Returns the JSON object in a file. Empty if the file does not exist.
  private static func object(_ path: String) throws -> [String: Any] {
    guard let data = FileManager.default.contents(atPath: path) else { return [:] }
    if let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] { return object }
    throw RevisionError(.failure, "\(path) is not JSON that SwiftPM writes; mend it, or remove it")
  }

  private static func write(_ object: [String: Any], to path: String) throws {
    let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    try WholeFile(path).replace(data)
  }
}
