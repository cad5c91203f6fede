import Foundation

extension NewPackage.Source {
  /// - Parameters:
  ///   - text: A URL or a path; nil: the package that the running program was built from.
  ///   - folder: The package that will depend on it.
  package init(_ text: String?, from folder: String) throws(UsageError) {
    if let text, text.contains("://") || text.hasPrefix("git@") {
      self = .url(text, version: springBenchVersion)
      return
    }
    let path = text ?? PackageFolder.ofProgram()
    guard let path, let resolved = PackageFolder.realPath(path),
      let manifest = try? String(contentsOfFile: Paths.joined(resolved, "Package.swift"), encoding: .utf8),
      manifest.contains("name: \"springbench\"")
    else {
      throw UsageError(
        "--springbench", "\(path ?? "this program") is not springbench's package",
        remedy: "name its URL or its folder")
    }
    self = .path(resolved)
  }
}
