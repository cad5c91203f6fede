import Builds
import Execution
import Formats
import Foundation
import FrameBench
import HistoryPages
import Judging
import Linking
import Measurements
import Pages
import Platform
import Program
import Scenarios
import TextFormat

/// A reader of files or lines that other people or programs may have written.
enum FileReader: String, CaseIterable {
  case document, comparison, night, calibration, budgets, trace, request, reply, turn, callgrind, elf, linkMap

  /// Reads the bytes as this kind of file, and throws the errors of the reader.
  ///
  /// - Parameter pick: Selects what is done with the content after reading it.
  func read(_ bytes: Data, pick: UInt64) throws {
    switch self {
    case .document:
      let uses = DocumentUse.allCases
      let document = try RunDocument(contentsOf: bytes)
      // A command may refuse a document that can be read, so its error is ignored.
      try? uses[Int(pick % UInt64(uses.count))].run(document, pick: pick / UInt64(uses.count))
    case .comparison:
      let document = try ComparisonDocument(contentsOf: bytes)
      guard try ComparisonDocument(contentsOf: document.encoded()) == document else {
        fatalError("a comparison is not read as it was written")
      }
      if let whole = try? DocumentMerge.merged([("a", document)]).document { DocumentUse.show(whole) }
    case .night:
      let night = try Night(reading: bytes)
      try? NightUse.all(night, pick: pick)
    case .calibration:
      guard let document = CalibrationDocument(contentsOf: bytes) else { throw CocoaError(.coderReadCorrupt) }
      _ = document.blocks().markdown()
      _ = document.picture()
      _ = try JSONText.indented(document)
    case .budgets: try readBudgets(String(decoding: bytes, as: UTF8.self), pick)
    case .trace: _ = try RecordedTrace(utf8: Array(bytes), file: "trace.csv")
    case .request: _ = try WorkerRequest(line: bytes).line()
    case .reply: _ = try WorkerReply(line: bytes).line()
    case .turn:
      let commands = [TurnCommand.frames(3), .phases(3), .observe(3)]
      let command = commands[Int(pick % UInt64(commands.count))]
      guard let values = TurnAnswer.values(body: [UInt8](bytes)) else { return }
      _ = TurnAnswer(values, to: command)
    case .callgrind:
      _ = try CallgrindCosts(bytes).profile(names: [:], frameCount: 1)
      _ = CallgrindCosts.text(bytes, names: [:])
    case .elf:
      let symbols = ELFSymbols(bytes)
      _ = symbols.isLinkageTable(pick)
      _ = ProgramIdentity.areSame([UInt8](bytes), [UInt8](bytes))
    case .linkMap:
      let program = try LinkedProgram(image: Corpus.program, map: [UInt8](bytes))
      _ = CodeDifference(baseline: program, candidate: program)
      let blocks = try program.blocks()
      let slots = CodeSlots(baseline: blocks, candidate: blocks.dropLast())
      _ = slots.symbols(of: .candidate, order: 1)
      _ = slots.paddingAssembly(of: .candidate)
    }
  }

  private func readBudgets(_ text: String, _ pick: UInt64) throws {
    let file = try BudgetFile(reading: text, path: "springbench.yml")
    let longer = try BudgetFile.acknowledging(
      id: "steady/naive/10", metric: "frameNanoseconds", reason: "it's wanted", until: "2099-01-01", to: text,
      path: file.path)
    guard let added = try? BudgetFile(reading: longer, path: file.path),
      added.acknowledgements.count == file.acknowledgements.count + 1, added.rules.count == file.rules.count
    else { fatalError("an acknowledgement is not read as it was written") }
    try? DocumentUse.check(Corpus.document(pick), file)
  }
}
