import Foundation
import FrameBench
import TextFormat

/// Which link orders of the program the runs of a benchmark are spread over.
enum RunLayouts: Sendable {
  /// This program, as it is.
  case asBuilt
  /// This many, of a build of the working tree.
  case required(Int)
  /// This many, or fewer if there are fewer runs; this program, with a warning, if the working tree cannot be
  /// built.
  case preferred(Int)

  /// A multiple of four, so that each function begins in every quarter of a cache line equally often; two runs in each.
  static let nightlyCount = 8
  static let nightly = RunLayouts.preferred(nightlyCount)
  static let largestCount = 200

  /// The programs of a run.
  struct Programs: Sendable {
    /// In their link orders.
    var paths: ProgramPaths
    var build: WorkerBuild
    var warnings: [Warning] = []
    /// What is not leased any more may be evicted.
    fileprivate var leases: [(BuiltRevision, LinkOrderPool)] = []
  }

  /// - Parameters:
  ///   - catalogue: Of the programs as they were built.
  /// - Throws: `RunError` where there have to be link orders and cannot be.
  func programs(
    of catalogue: Catalogue, _ settings: RunSettings, _ line: ProgressLine, _ console: Console
  ) async throws -> Programs {
    let asBuilt = Programs(paths: catalogue.programs, build: catalogue.build)
    switch self {
    case .asBuilt: return asBuilt
    case .required(let count):
      do {
        return try await linked(count, catalogue, settings, line, console)
      } catch let problem as LinkProblem {
        throw RunError("--layouts: the working tree cannot be linked in several orders: \(problem)")
      }
    case .preferred(let wanted):
      let count = min(wanted, settings.options.runCount)
      guard count > 1 else { return asBuilt }
      do {
        return try await linked(count, catalogue, settings, line, console)
      } catch let error where error is LinkProblem || error is RevisionError {
        var programs = asBuilt
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
    _ count: Int, _ catalogue: Catalogue, _ settings: RunSettings, _ line: ProgressLine, _ console: Console
  ) async throws -> Programs {
    guard settings.building.programs.isEmpty else {
      throw LinkProblem("programs given by path cannot be relinked")
    }
    var building = settings.building
    building.written = settings.written
    let builder = try await building.builder(console: console)
    var programs = Programs(paths: catalogue.programs, build: catalogue.build)
    for (index, product) in catalogue.programs.products.enumerated() {
      let build = try await builder.executable(product, for: .workingTree)
      for note in build.notes { console.note(note) }
      let pool = try LinkOrderPool([build], store: builder.store)
      line.show("linking \(count) orders of the code")
      try await pool.link(0..<count)
      programs.paths.paths[index] = (0..<count).flatMap(pool.executables)
      programs.leases.append((build, pool))
    }
    builder.store.evict()
    programs.build = .release(catalogue.build)
    return programs
  }
}
