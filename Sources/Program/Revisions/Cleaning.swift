import Foundation

/// Removes what can be recreated: builds of revisions, and old runs.
enum Cleaning {
  /// Removes all builds of revisions that are not in use, and what is kept to speed up the next one.
  ///
  /// - Parameter packagePath: Folder of the package; nil: the one around the current folder.
  static func removeBuilds(packagePath: String?) async throws -> Removed {
    let folder = try PackageFolder.find(packagePath)
    var removed = Removed()
    for package in [folder, Paths.joined(folder, PackageFolder.usualFolder)]
    where PackageFolder.hasManifest(package) {
      let location = try await PackageLocation.find(package)
      Snapshot.sweep(location.store)
      let builds = BuildStore(folder: "\(location.store)/builds", maximumCount: 0).evict()
      removed.count += builds.count
      removed.bytes += builds.bytes
      removed.inUse += builds.inUse
      if let bytes = try await BuildSlot.clear(at: location.slot, git: Git(folder: location.repository)) {
        removed.bytes += bytes
      } else {
        removed.inUse += 1
      }
    }
    return removed
  }

  /// Removes all but the newest runs of each machine. What else lies there, such as baselines and histories,
  /// stays.
  ///
  /// - Parameter output: Folder of results.
  static func removeRuns(in output: String, keeping count: Int) throws(RunError) -> Removed {
    let index = ResultsIndex(folder: output)
    var removed = Removed()
    do {
      for machine in index.machines {
        for run in index.runs(of: machine).dropFirst(count) {
          let path = "\(output)/\(machine)/\(run)"
          let bytes = BuildStore.bytes(below: path)
          try FileManager.default.removeItem(atPath: path)
          removed.count += 1
          removed.bytes += bytes
        }
      }
      if removed.count > 0 { try index.refresh() }
    } catch {
      throw RunError("\(output) cannot be cleaned: \(SystemReason.text(error))")
    }
    return removed
  }
}
