import Foundation

/// Which program a revision is built to.
package struct BuildSettings: Sendable {
  /// Folder of the package; nil: that which this program was built from.
  package var packagePath: String?
  /// Executable product; nil: this program.
  package var product: String?
  /// Arguments for swift build.
  package var flags: [String]
  package var written = WrittenPaths()

  package init(packagePath: String? = nil, product: String? = nil, flags: [String] = []) {
    self.packagePath = packagePath
    self.product = product
    self.flags = flags
  }

  package func builder(console: Console) async throws -> RevisionBuilder {
    let location = try await PackageLocation.find(
      packagePath: packagePath, product: product,
      executablePath: try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
      currentFolder: FileManager.default.currentDirectoryPath)
    var builder = RevisionBuilder(location: location, flags: flags, console: console)
    builder.written = written
    return builder
  }
}
