import Foundation
import Measurements

/// What `gate --baseline` names: a saved baseline, a git revision, or a run document.
struct GateBaseline {
  enum Kind {
    case saved(Baseline)
    /// Read at once, so that a broken one is reported before anything is measured.
    case document(RunDocument)
    case revision(String)
  }

  var kind: Kind
  /// As reports call it.
  var name: String
  /// What it is, and where it is from.
  var place: String
  /// Something else that the name could have meant.
  var note: String?

  /// A revision takes precedence over a file of the same name, so that a branch cannot choose its own
  /// baseline by adding a file.
  ///
  /// - Throws: `NotComparable` where it is neither.
  init(_ argument: String, store: BaselineStore) async throws {
    let isRevision = await ComparedPair.isRevision(argument)
    if store.names().contains(argument) {
      let folder = "\(store.folder)/\(argument)"
      kind = .saved(try store.load(argument))
      name = argument
      place = "the saved baseline \(folder)"
      if isRevision {
        note =
          "--baseline \(argument) is the saved baseline \(folder), not the revision; for the revision write"
          + " --baseline refs/heads/\(argument)"
      }
      return
    }
    if isRevision {
      kind = .revision(argument)
      name = argument
      place = "the git revision \(argument)"
      if ComparedPair.isDocument(argument) { note = ComparedPair.revisionWins(argument) }
      return
    }
    guard ComparedPair.isDocument(argument) else {
      var reason = "baseline \"\(argument)\" is not there; save one with springbench baseline save"
      // Says where else the name is known, and what there is.
      do { _ = try store.load(argument) } catch let error as NotComparable {
        reason = error.description
      } catch {}
      throw NotComparable("--baseline: \(reason); and it is not a run document or a git revision either")
    }
    let run: StoredRun
    do throws(UsageError) {
      run = try StoredRun(argument: argument, results: store.results)
    } catch {
      throw NotComparable("--baseline: \(error.description)")
    }
    kind = .document(try run.read())
    name = run.path
    place = "the run document \(run.path)"
  }

  /// Whether it was measured before, by whoever saved it.
  var isStored: Bool {
    if case .revision = kind { return false }
    return true
  }
}
