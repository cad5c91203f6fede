import Foundation

/// What killed processes could not clean up.
package enum Leftovers {
  /// Removes it from the system's temporary folder and from where this program builds revisions. To be called
  /// whenever the program starts: where there is nothing, it only looks at a few folders.
  package static func sweep() async {
    ScratchFolder.sweep(NSTemporaryDirectory(), prefix: ScratchFolder.temporaryPrefix)
    let currentFolder = FileManager.default.currentDirectoryPath
    let executable = PackageLocation.realPath("/proc/self/exe")
    try? await sweep(package: nil, executable, currentFolder)
    try? await sweep(package: currentFolder, executable, currentFolder)
  }

  /// - Parameter package: nil: that which this program was built from.
  private static func sweep(package: String?, _ executable: String?, _ currentFolder: String) async throws {
    // SwiftPM's <build folder>/<triple>/<configuration>/<program>.
    let build = package.map { "\($0)/.build" } ?? (executable ?? "") + "/../../.."
    let store = PackageLocation.store(in: URL(fileURLWithPath: build).standardizedFileURL.path)
    Snapshot.sweep(store)
    guard BuildSlot.isMarked(PackageLocation.slot(in: store)) else { return }
    let location = try await PackageLocation.find(
      packagePath: package, product: nil, executablePath: executable, currentFolder: currentFolder)
    try await BuildSlot.tidy(at: location.slot, git: Git(folder: location.repository))
  }
}
