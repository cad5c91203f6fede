import Foundation
import Platform

/// Where a new package gets springbench's libraries from, and where its CI jobs get the program springbench from.
package enum LibrarySource: Sendable {
  /// A folder, and the commit of its content if that is known.
  case path(String, commit: String?)
  /// A commit of a repository.
  case url(String, commit: String)

  /// - Parameter text: A path or a URL. A URL may end in `#` and a commit; without them, the commit is that of this
  ///   program. Nil means the URL from which this program was installed, or if that is unknown, the libraries that were
  ///   installed with this program.
  package init(_ text: String?) throws(UsageError) {
    let commit = Self.installed("commit")
    if text == nil, let commit, let address = Self.installed("source") {
      self = .url(address, commit: commit)
    } else if let text, text.contains("://") || text.hasPrefix("git@") {
      self = try Self.repository(text, commit)
    } else {
      self = .path(try Self.folder(text), commit: text == nil ? commit : nil)
    }
  }

  private static func repository(_ text: String, _ installed: String?) throws(UsageError) -> Self {
    let parts = text.split(separator: "#", maxSplits: 1).map(String.init)
    guard let commit = parts.count == 2 ? parts[1] : installed, commit.wholeMatch(of: #/[0-9a-f]{40}/#) != nil else {
      let problem = parts.count == 2 ? "\(parts[1]) is no whole commit" : "this program does not know its commit"
      throw UsageError(
        "--springbench", problem, remedy: "give the 40 digits of git rev-parse HEAD, as in \(parts[0])#0123…cdef")
    }
    return .url(parts[0], commit: commit)
  }

  private static func folder(_ text: String?) throws(UsageError) -> String {
    guard let path = text ?? PackageFolder.lent("library", inRepository: "") else {
      throw UsageError(
        "--springbench", "is needed: springbench's libraries are not beside this program, as make install puts them",
        remedy: "name the URL or the folder of springbench's package")
    }
    guard let folder = Paths.real(path),
      let manifest = try? String(contentsOfFile: Paths.joined(folder, "Package.swift"), encoding: .utf8),
      manifest.contains("name: \"springbench\"")
    else {
      throw UsageError("--springbench", "\(path) is not springbench's package", remedy: "name its URL or its folder")
    }
    return folder
  }

  /// Returns the content of a file that `make install` wrote, which is one line. Nil if there is no such file.
  private static func installed(_ name: String) -> String? {
    let text = PackageFolder.share.flatMap { try? String(contentsOfFile: "\($0)/\(name)", encoding: .utf8) }
    return text.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  /// The dependency on springbench's package, in the syntax of a manifest.
  package var dependency: String {
    switch self {
    case .path(let path, _): ".package(name: \"springbench\", path: \(path.debugDescription))"
    case .url(let url, let commit): ".package(url: \(url.debugDescription), revision: \"\(commit)\")"
    }
  }

  /// The package's name in dependencies on its products. For a URL, SwiftPM uses the last component.
  package var packageName: String {
    guard case .url(let url, _) = self else { return "springbench" }
    let end = url.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? ""
    return end.hasSuffix(".git") ? String(end.dropLast(4)) : end
  }

  /// Returns the dependency on a product of the package, in the syntax of a manifest.
  package func product(_ name: String) -> String {
    ".product(name: \(name.debugDescription), package: \(packageName.debugDescription)),"
  }

  /// A sentence to print for the person who made the package with this manifest.
  package func note(manifest: String) -> String {
    switch self {
    case .url(let url, let commit): "The package gets FrameBench from \(url), commit \(commit.prefix(12))."
    case .path(let path, let commit):
      "The package gets FrameBench from \(path)\(commit == nil ? ", whose commit is not known" : ""). Before others"
        + " build it, name a URL in \(manifest) and as SPRINGBENCH_SOURCE of the gate."
    }
  }
}
