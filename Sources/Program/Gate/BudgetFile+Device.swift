import Foundation
import Judging
import Measurements
import TextFormat

extension BudgetFile {
  /// Whether a revision has the same text.
  func isAsIn(_ revision: String) async -> Bool {
    guard let own = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
    let git = Git(folder: Paths.parent(path))
    let then = try? await git.text(of: "./\(Paths.name(path))", in: revision)
    return then.map { $0 == own || $0 + "\n" == own } ?? false
  }

  /// As the command line names a device; nil: the file as it is.
  func targeting(_ device: String?, _ document: RunDocument) throws(UsageError) -> BudgetFile {
    guard let device else { return self }
    do throws(BudgetError) {
      return try targeting(device, machineScore: document.calibration?.score)
    } catch {
      throw Self.refusal(of: device, error)
    }
  }

  /// What was judged for, where the file is a device's.
  func targetText(_ device: String) -> String {
    "Judged for \(device): times × \(Format.significant(cpuSlowdown)), \(Format.count(refreshRateHertz)) Hz."
  }

  /// Refuses a name that the file does not have.
  static func checkDevice(_ device: String?, of file: BudgetFile?) throws(UsageError) {
    guard let device else { return }
    guard let file else {
      throw UsageError(
        "--device", "there is no budget file to define \(device)", remedy: "name one with --budgets")
    }
    do throws(BudgetError) {
      _ = try file.device(named: device)
    } catch {
      throw refusal(of: device, error)
    }
  }

  private static func refusal(of device: String, _ error: BudgetError) -> UsageError {
    UsageError("--device", "there are no budgets for \"\(device)\"", remedy: error.message)
  }
}
