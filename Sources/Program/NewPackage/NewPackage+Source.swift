import Foundation

extension NewPackage.Source {
  /// - Parameters:
  ///   - text: A URL or a path; nil: the package that the running program was built from.
  ///   - folder: The package that will depend on it.
  init(_ text: String?, from folder: String) throws(UsageError) {
    if let text, text.contains("://") || text.hasPrefix("git@") {
      self = .url(text, version: springBenchVersion)
      return
    }
    guard let path = text ?? PackageFolder.ofProgram() else {
      throw UsageError(
        "--springbench", "is needed: this program was installed, and does not lie in springbench's package",
        remedy: "name the URL or the folder of that package")
    }
    guard let resolved = PackageFolder.realPath(path),
      let manifest = try? String(contentsOfFile: Paths.joined(resolved, "Package.swift"), encoding: .utf8),
      manifest.contains("name: \"springbench\"")
    else {
      throw UsageError(
        "--springbench", "\(path) is not springbench's package",
        remedy: "name its URL or its folder")
    }
    self = .path(resolved)
  }

  /// In the manifest of a package that depends on it.
  var dependency: String {
    switch self {
    case .path(let path): ".package(name: \"springbench\", path: \(path.debugDescription))"
    case .url(let url, let version):
      ".package(url: \(url.debugDescription), from: \(version.debugDescription))"
    }
  }

  /// As products of it name their package: SwiftPM calls one from a URL by the URL's end.
  var packageName: String {
    guard case .url(let url, _) = self else { return "springbench" }
    let end = url.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? ""
    return end.hasSuffix(".git") ? String(end.dropLast(4)) : end
  }
}
