import Budgets
import CodeLayout
import Foundation
import FrameReport
import FrameWorker
import History
import Measurements
import Orchestration
import Scenarios

/// What reads files or lines that others may have written.
enum FileReader: String, CaseIterable {
  case document, night, budgets, trace, request, reply, callgrind, elf

  /// Throws what the reader throws.
  ///
  /// - Parameter pick: Chooses what is made of a document that was read.
  func read(_ bytes: Data, pick: UInt64) throws {
    switch self {
    case .document:
      let document = try RunDocument(contentsOf: bytes)
      let formats = ReportFormat.allCases
      _ = try formats[Int(pick % UInt64(formats.count))].render(document)
    case .night: _ = try Night(reading: bytes).data()
    case .budgets:
      _ = try BudgetFile(reading: String(decoding: bytes, as: UTF8.self), path: "springbench.yml")
    case .trace: _ = try RecordedTrace(utf8: Array(bytes), file: "trace.csv")
    case .request: _ = try WorkerRequest(line: bytes).line()
    case .reply: _ = try WorkerReply(line: bytes).line()
    case .callgrind: _ = try CallgrindFunctions(bytes).text(names: [:])
    case .elf:
      let symbols = ELFSymbols(bytes)
      _ = symbols.isLinkageTable(pick)
      _ = ProgramIdentity.areSame([UInt8](bytes), [UInt8](bytes))
    }
  }
}
