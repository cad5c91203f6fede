import Foundation

/// What killed processes could not clean up.
enum Leftovers {
  /// Removes it from the system's temporary folder and from where revisions of this package are built. To be called
  /// whenever the program starts: where there is nothing, it only looks at a few folders.
  static func sweep() async {
    ScratchFolder.sweep(NSTemporaryDirectory(), prefix: ScratchFolder.temporaryPrefix)
    guard let folder = try? PackageFolder.find(nil) else { return }
    for package in [folder, Paths.joined(folder, PackageFolder.usualFolder)] { try? await sweep(package) }
  }

  private static func sweep(_ package: String) async throws {
    let store = PackageLocation.store(in: "\(package)/.build")
    Snapshot.sweep(store)
    guard BuildSlot.isMarked(PackageLocation.slot(in: store)) else { return }
    let location = try await PackageLocation.find(package)
    try await BuildSlot.tidy(at: location.slot, git: Git(folder: location.repository))
  }
}
