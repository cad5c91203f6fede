import Foundation
import FrameBench
import TextFormat

/// Which link orders of the program the runs of a benchmark are spread over.
package enum RunLayouts: Sendable {
  /// This program, as it is.
  case asBuilt
  /// This many, of a build of the working tree.
  case required(Int)
  /// This many, or fewer if there are fewer runs; this program, with a warning, if the working tree cannot be
  /// built.
  case preferred(Int)

  /// A multiple of four, so that each function begins in every quarter of a cache line equally often; two runs in each.
  package static let nightlyCount = 8
  package static let nightly = RunLayouts.preferred(nightlyCount)
  package static let largestCount = 200

  /// Programs to measure, and what has to live as long as they are run.
  struct Programs: Sendable {
    var paths = ["/proc/self/exe"]
    /// Of these programs, whatever this one's is.
    var buildConfiguration = Toolchain.buildConfiguration
    var warnings: [Warning] = []
    fileprivate var build: BuiltRevision?
    fileprivate var pool: LinkOrderPool?
  }

  /// Throws `RevisionError`, `RunError`, `CancellationError`.
  ///
  /// - Parameter written: What is not source code of the working tree.
  func programs(
    runCount: Int, written: WrittenPaths, line: ProgressLine, console: Console
  ) async throws -> Programs {
    switch self {
    case .asBuilt: return Programs()
    case .required(let count):
      do {
        return try await linked(count, written, line, console)
      } catch let problem as LinkProblem {
        throw RunError("--layouts: the working tree cannot be linked in several orders: \(problem)")
      }
    case .preferred(let wanted):
      let count = min(wanted, runCount)
      guard count > 1 else { return Programs() }
      do {
        return try await linked(count, written, line, console)
      } catch let error where error is LinkProblem || error is RevisionError {
        var programs = Programs()
        programs.warnings = [
          Warning(
            "Measured in one link order: \(oneLine("\(error)")). A figure that moves may have been"
              + " moved by the linker.")
        ]
        return programs
      }
    }
  }

  private func linked(
    _ count: Int, _ written: WrittenPaths, _ line: ProgressLine, _ console: Console
  ) async throws -> Programs {
    var building = BuildSettings()
    building.written = written
    let builder = try await building.builder(console: console)
    let build = try await builder.executable(for: .workingTree)
    for note in build.notes { console.note(note) }
    let pool = try LinkOrderPool([build], store: builder.store)
    line.show("linking \(count) orders of the code")
    try await pool.link(0..<count)
    builder.store.evict()
    var programs = Programs()
    programs.paths = (0..<count).flatMap(pool.executables)
    programs.buildConfiguration = SwiftBuild.configuration
    (programs.build, programs.pool) = (build, pool)
    return programs
  }
}
