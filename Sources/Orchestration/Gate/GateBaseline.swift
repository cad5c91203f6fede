import Foundation

/// What `gate --baseline` names: a saved baseline, a run document, or a git revision.
enum GateBaseline {
  case saved(Baseline)
  case document(StoredRun)
  case revision(String)

  /// - Throws: `NotComparable` where it is neither.
  init(_ argument: String, store: BaselineStore) async throws {
    if store.names().contains(argument) {
      self = .saved(try store.load(argument))
      return
    }
    if ComparedPair.isDocument(argument) {
      do throws(UsageError) {
        self = .document(try StoredRun(argument: argument, results: store.results))
      } catch {
        throw NotComparable("--baseline: \(error.description)")
      }
      return
    }
    let git = Git(folder: FileManager.default.currentDirectoryPath)
    guard !argument.hasPrefix("-"), await git.knowsCommit(argument) else {
      var reason = "baseline \"\(argument)\" is not there; save one with springbench baseline save"
      // Says where else the name is known, and what there is.
      do { _ = try store.load(argument) } catch let error as NotComparable {
        reason = error.description
      } catch {}
      throw NotComparable("--baseline: \(reason); nor is it a run document or a git revision here")
    }
    self = .revision(argument)
  }

  /// Whether a fresh run of the working tree is needed to compare with it.
  var needsRun: Bool {
    if case .revision = self { return false }
    return true
  }
}
