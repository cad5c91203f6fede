import Budgets
import Foundation

extension BudgetFile {
  package static let defaultPath = "springbench.yml"

  package static func find(_ path: String?) throws -> BudgetFile? {
    let name = path ?? defaultPath
    guard path != nil || FileManager.default.fileExists(atPath: name) else { return nil }
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: name))
    } catch {
      throw UsageError(
        "--budgets", "\(name) cannot be read: \(SystemReason.text(error))",
        remedy: "name the file, or write one with springbench gate --suggest")
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw UsageError("--budgets", "\(name) is not UTF-8", remedy: "save it as UTF-8")
    }
    return try BudgetFile(reading: text, path: name)
  }
}
