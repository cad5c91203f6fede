import Foundation

/// Locks of a history. The kernel gives them back when the process ends, however it ends.
struct HistoryLocks {
  /// Of all machines.
  var root: String
  var machine: String

  init(root: String, machine: String) {
    self.root = root
    self.machine = machine
  }

  /// Checks before anything is measured whether a night can be written.
  func check() throws(UsageError) {
    do throws(FolderProbe.Obstacle) {
      try FolderProbe(path: root).run()
    } catch {
      throw UsageError(
        "--history", "\"\(root)\" cannot be written to (\(error.folder): \(error.problem))",
        remedy: Self.remedy)
    }
  }

  /// Held while anything of the history or of the site is written: for a moment.
  func writing() async throws -> FileLock {
    try await take("\(root)/.lock") {}
  }

  /// Held for a whole nightly run: two at once would slow each other down, and measure that.
  func measuring(whileWaiting: @Sendable () -> Void) async throws -> FileLock {
    try await take("\(root)/.measuring-\(machine)", whileWaiting)
  }

  private func take(_ path: String, _ whileWaiting: @Sendable () -> Void) async throws -> FileLock {
    do {
      try Paths.makeFolder(root)
      return try await FileLock.take(path, .exclusive, whileWaiting: whileWaiting)
    } catch let error as CancellationError {
      throw error
    } catch RevisionError.diskFull {
      throw RunError("the history \"\(root)\" is on a full disk; make room and run again")
    } catch let error as RevisionError {
      throw UsageError("--history", "\"\(root)\" cannot be written to (\(error))", remedy: Self.remedy)
    } catch {
      throw UsageError(
        "--history", "\"\(root)\" cannot be made (\(SystemReason.text(error)))", remedy: Self.remedy)
    }
  }

  private static let remedy = "name a folder that you may write to"
}
