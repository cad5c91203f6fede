import Foundation
import Measurements
import TextFormat

/// A profile as rows for a script: one a function or place that allocates.
struct ProfileRows {
  private var rows: [Row] = []

  private struct Row: Encodable {
    var id: String
    /// `time`, `allocation`, `instructions` or `difference`.
    var kind: String
    var function: String
    var file: String?
    var line: Int?
    /// In the function itself, and with what it calls; in `unit`, of a frame on average.
    var own: Double?
    var total: Double?
    /// `own` as a part of the whole.
    var share: Double?
    var unit: String
    var count: Int?
    var bytes: Int?
    var firstFrame: Int?
    /// Of the baseline, where there is one.
    var baseline: Double?
  }

  init(_ outcome: ProfilePlan.Outcome) {
    let id = outcome.profile.id.description
    if let cpu = outcome.profile.cpu {
      let whole = Double(max(1, cpu.sampleCount))
      rows += FunctionCost.costs(of: cpu.stacks) { Double($0.count) }.map { cost in
        Row(
          id: id, kind: "time", function: cost.frame.function, file: cost.frame.file, line: cost.frame.line,
          own: cost.own * cpu.nanosecondsPerSample, total: cost.total * cpu.nanosecondsPerSample,
          share: cost.own / whole, unit: "ns")
      }
    }
    if let allocations = outcome.profile.allocations {
      rows += allocations.stacks.map { stack in
        Row(
          id: id, kind: "allocation", function: stack.site?.function ?? "[unknown]", file: stack.site?.file,
          line: stack.site?.line, own: Double(stack.count) / Double(max(1, allocations.frameCount)),
          unit: "count", count: stack.count, bytes: stack.bytes, firstFrame: stack.firstFrame)
      }
    }
    if let instructions = outcome.profile.instructions {
      let frames = Double(max(1, instructions.frameCount))
      rows += instructions.functions.map { cost in
        Row(
          id: id, kind: "instructions", function: cost.frame.function, own: cost.own / frames,
          total: cost.total / frames, share: cost.own / Double(max(1, instructions.total)), unit: "count")
      }
    }
    rows += (outcome.difference?.movers ?? []).map { mover in
      Row(
        id: id, kind: "difference", function: mover.frame.function, file: mover.frame.file,
        line: mover.frame.line, own: mover.candidate, unit: "ns", baseline: mover.baseline)
    }
  }

  func json() throws -> String { try JSONText.indented(rows) }
}

/// A profile in some lines, for a terminal.
struct ProfileText {
  let text: String

  init(_ outcome: ProfilePlan.Outcome) {
    var lines: [String] = []
    if let cpu = outcome.profile.cpu {
      lines.append("time, \(cpu.sampleCount) samples")
      let whole = Double(max(1, cpu.sampleCount))
      for cost in FunctionCost.costs(of: cpu.stacks, value: { Double($0.count) }).prefix(8) where cost.own > 0
      {
        let share = String(Int((cost.own / whole * 1_000).rounded()))
        let padded = String(repeating: "0", count: max(0, 2 - share.count)) + share
        let percent = "\(padded.dropLast()).\(padded.suffix(1))%"
        lines.append(Self.right(percent, 8) + "  " + cost.frame.function)
      }
    }
    if let allocations = outcome.profile.allocations {
      lines.append(allocations.verdict)
      for stack in allocations.stacks.prefix(5) {
        let place = stack.site?.position.map { "  \($0)" } ?? ""
        lines.append(Self.right("\(stack.count)", 8) + "  \(stack.site?.function ?? "[unknown]")\(place)")
      }
    }
    lines += outcome.profile.notes.map { "note: \($0)" }
    text = lines.map { $0 + "\n" }.joined()
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
