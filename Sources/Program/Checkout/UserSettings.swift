import Foundation

/// Files in the user's package, often ignored by git, that decide which dependencies a build gets.
struct UserSettings {
  /// The user's package.
  var package: String

  private static let pinsName = "Package.resolved"
  private static let mirrors = ".swiftpm/configuration"

  /// The versions that dependencies are pinned to; nil where they are not.
  var pins: String? {
    FileManager.default.contents(atPath: "\(package)/\(Self.pinsName)").map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Into a checkout that has none of its own, so that all revisions are built with the same.
  func copy(to checkout: String) throws {
    let manager = FileManager.default
    for name in [Self.pinsName, Self.mirrors] {
      let source = "\(package)/\(name)"
      let target = "\(checkout)/\(name)"
      guard manager.fileExists(atPath: source), !manager.fileExists(atPath: target) else { continue }
      do {
        try manager.createDirectory(
          atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try manager.copyItem(atPath: source, toPath: target)
      } catch {
        throw RevisionError.file(target, error)
      }
    }
  }
}
