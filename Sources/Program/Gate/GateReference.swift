import Builds
import Execution
import Foundation
import Judging
import Measurements
import Platform

/// What the gate compares the working tree, or a run, with.
enum GateReference {
  case nothing
  /// A comparison that was made earlier.
  case comparison(ComparisonDocument)
  /// Runs that were measured earlier. The gate compares their figures with those of a run, and builds no baseline.
  case runs(Baseline, name: String, place: String)
  /// A git revision. It is built, and compared with the working tree while the two take turns on one core.
  case revision(String)

  /// Tells where the reference is. Nil without a reference, and for a comparison, which names its own baseline.
  var place: String? {
    switch self {
    case .nothing, .comparison: nil
    case .runs(_, _, let place): place
    case .revision(let name): "the git revision \(name)"
    }
  }

  /// The name and the newest commit of a baseline that was measured earlier. Nil for any other.
  var measured: (name: String, commit: String?)? {
    switch self {
    case .nothing, .revision: return nil
    case .comparison(let document): return (document.baseline.name, document.baseline.commit)
    case .runs(let runs, let name, _):
      let newest = runs.values.compactMap(\.last).max { $0.startedAt < $1.startedAt }
      return newest.map { (name, $0.environment.commit) }
    }
  }

  /// Finds a baseline: a saved one of this name, or else a git revision, or else a file. A revision takes precedence
  /// over a file, so that a branch cannot choose its own baseline by adding a file. Documents of runs are read here, so
  /// that a damaged document is reported before anything is measured. Prints a note if the name is ambiguous.
  /// - Parameter folder: A folder in the repository that contains the revision.
  init(_ argument: String, in folder: String, store: BaselineStore, _ console: Console) async throws {
    let isDocument = ComparedPair.isDocument(argument)
    if store.names().contains(argument) {
      let saved = "\(store.folder)/\(argument)"
      let runs = try store.load(argument)
      // If this check fails, only the note is missing. The saved baseline is used in any case.
      if (try? await ComparedPair.isRevision(argument, in: folder)) ?? false {
        console.note(
          "--baseline \(argument) is the saved baseline \(saved), not the revision; for the revision write"
            + " --baseline refs/heads/\(argument)")
      }
      self = .runs(runs, name: argument, place: "the saved baseline \(saved)")
    } else if try await ComparedPair.isRevision(argument, in: folder) {
      if isDocument { console.note(ComparedPair.revisionWins(argument)) }
      self = .revision(argument)
    } else if isDocument {
      let run = try attempt(try StoredRun(argument: argument, results: store.results)) {
        NotComparable("--baseline: \($0)")
      }
      self = .runs(Baseline([try run.read()]), name: run.path, place: "the run document \(run.path)")
    } else {
      var reason = "baseline \"\(argument)\" is not there; save one with springbench baseline save"
      // Loading fails here. Its error lists the other machines with a baseline of this name, or all existing names.
      do { _ = try store.load(argument) } catch let error as NotComparable { reason = error.description } catch {}
      let git = Git(folder: folder)
      let near = try? await git.nearestRevision(to: argument)
      let remedy = try await git.isShallow() ? Git.deepening : near.map { "did you mean the revision \"\($0)\"?" }
      throw NotComparable(
        "--baseline: \(reason); and it is not a run document or a git revision either"
          + (remedy.map { "; \($0)" } ?? ""))
    }
  }
}
