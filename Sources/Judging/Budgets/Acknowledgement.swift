import Foundation
import FrameBench
import Measurements
import TextFormat

extension BudgetFile {
  /// Checks that each acknowledgement (an entry that accepts a regression) names a measured figure. An acknowledgement
  /// is not checked if one of its benchmarks did not run.
  /// - Parameter compared: The figures that were compared with a baseline. The run itself may lack some of them.
  /// - Throws: An error with the place of the entry.
  package func checkAcknowledgements(_ document: RunDocument, known: [BenchmarkID], compared: [LimitKey] = [])
    throws(BudgetError)
  {
    let measured = Set(document.benchmarks.map(\.id))
    let keys = FlatRows(document).rows.map { LimitKey.figure($0.figure) } + compared
    let names = Set(keys.map(\.fullName)).sorted()
    for entry in acknowledgements where entry.figure != nil && !names.contains(where: entry.covers) {
      // The name may still be correct, because a benchmark that did not run may have a counter of this name.
      guard known.filter(entry.pattern.matches).allSatisfy(measured.contains) else { continue }
      let metric = Self.metric(entry.metric)
      let ofMetric = names.filter { Self.metric($0) == metric }
      if ofMetric.isEmpty, Metric.named(metric) != nil { continue }
      let choice = ofMetric.isEmpty ? Set(names.map(Self.metric)).sorted() : ofMetric
      throw BudgetError(
        path: path, place: entry.metricPlace,
        message: "no metric \"\(entry.metric)\"; "
          + Suggestion.remedy(for: entry.metric, among: choice, called: "there are"))
    }
  }

  private static func metric(_ name: String) -> String { FigureName(name)?.metric ?? name }

  /// Returns the text of a budget file with one acknowledgement added and nothing else changed.
  /// - Throws: An error if the text cannot be read, or if the result does not contain the entry.
  package static func acknowledging(
    id: String, metric: String, reason: String, until: String, to text: String, path: String
  ) throws(BudgetError) -> String {
    let before = text.isEmpty ? 0 : try BudgetFile(reading: text, path: path).acknowledgements.count
    var lines = text.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    var indent = "  "
    let key = lines.firstIndex { Self.keyLine($0) != nil }
    if let key {
      lines[key] = Self.keyLine(lines[key]) ?? ""
      let next = lines[(key + 1)...].first { ![nil, "#"].contains($0.trimmingCharacters(in: .whitespaces).first) }
      if let next, next.drop(while: { $0 == " " }).hasPrefix("- ") { indent = String(next.prefix { $0 == " " }) }
    } else {
      if let last = lines.last, !last.isEmpty { lines.append("") }
      lines.append("acknowledged:")
    }
    let position = key.map { $0 + 1 } ?? lines.count
    lines.insert(
      contentsOf: [
        "\(indent)- id: \(quoted(id))", "\(indent)  metric: \(quoted(metric))", "\(indent)  reason: \(quoted(reason))",
        "\(indent)  until: \(until)",
      ], at: position)
    let result = lines.joined(separator: "\n") + "\n"
    let after = try BudgetFile(reading: result, path: path).acknowledgements
    guard after.count == before + 1,
      after.contains(where: { ($0.pattern.description, $0.metric, $0.reason, $0.until) == (id, metric, reason, until) })
    else {
      throw BudgetError(
        path: path, place: Place(line: position + 1, column: 1),
        message: "the entry could not be added here; write it by hand, as docs/budgets.md shows")
    }
    return result
  }

  /// Returns the line `acknowledged:` without its empty value (`[]`, `~` or `null`), so that entries can follow it. A
  /// comment is kept. Nil for any other line, such as an indented key.
  private static func keyLine(_ line: String) -> String? {
    let match = line.wholeMatch(of: /(acknowledged:)(?:\s+(?:\[\s*\]|~|null))?(?:\s*|(\s+#.*))/)
    return match.map { "\($0.1)\($0.2 ?? "")" }
  }

  /// Returns the text as a string in YAML.
  package static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
}

extension Acknowledgement {
  /// The measured figure that the entry covers. Nil for a value that is computed from other figures: a ratio, a growth
  /// exponent, or missed frames and hitches, which depend on the budget file's display.
  package var figure: FigureName? { Self.figure(metric) }

  /// The figure that an entry with this metric would cover; see the property `figure`.
  package static func figure(_ metric: String) -> FigureName? {
    let key = try? LimitKey.parse(metric)
    guard case .figure(let name)? = key else { return key == nil ? FigureName(metric) : nil }
    return [Metric.missedFrames, .hitchTimeRatio].contains { $0.name == name.metric } ? nil : FigureName(metric)
  }

  /// The two strategies that a ratio compares. Empty if the metric is not a ratio.
  package static func strategies(_ metric: String) -> [String] {
    if case .ratio(let above, let below, _)? = try? LimitKey.parse(metric) { [above, below] } else { [] }
  }
}

extension RunDocument {
  /// Returns the text of a new budget file with the frame budget of this run. Its limits are the measured values, with
  /// headroom where they vary from run to run. Figures that were not measured get no limit.
  /// - Parameter headroom: Margin above measured times, missed frames and memory, as a fraction. Exact counts get none.
  package func suggestedBudgets(headroom: Double = 0.5) -> String {
    let rows = Dictionary(grouping: FlatRows(self).rows, by: \.id)
    let budget = options.frameBudget
    let entries = benchmarks.map { record in
      Self.entry(
        record.id, rows[record.id] ?? [],
        missed: record.isFunction ? 0 : budget.missedCount(in: record.frame.alignedNanoseconds), headroom: headroom)
    }
    // Calls of functions are not shown on a display, so they cannot miss a frame.
    let isOfFunctions = benchmarks.allSatisfy(\.isFunction)
    let ofFrames = isOfFunctions ? "" : "  - ids: \"**\"\n    limits:\n      missedFrames: 0\n"
    let percent = Int((headroom * 100).rounded())
    return """
      # What frames may cost, for `springbench gate`: docs/budgets.md explains the keys.
      # From a run on \(environment.machine), \(startedAt); times, missed frames and memory have \(percent)% headroom.
      version: 1
      refreshRate: \(Int(budget.refreshRateHertz))
      share: \(budget.share)
      cpuSlowdown: 1
      budgets:

      """ + ofFrames + entries.joined()
  }

  private static func entry(_ id: BenchmarkID, _ rows: [FlatRow], missed: Int, headroom: Double) -> String {
    let limits: [(metric: Metric, statistic: FlatRow.Statistic)] = [
      (.frameTime, .p50), (.frameTime, .p99), (.allocationCount, .max), (.allocatedBytes, .max),
      (.peakResidentBytes, .total),
    ]
    let mostMissed = Int((Double(missed) * (1 + headroom)).rounded(.up))
    var lines = missed > 0 ? ["      missedFrames: \(mostMissed)\n"] : []
    for (metric, statistic) in limits {
      let figure = FigureName(metric: metric.name, statistic: statistic)
      guard let value = rows.first(where: { $0.figure == figure })?.value.number else { continue }
      let isExact = metric.nature == .exact
      let limit = isExact ? value : roundedUp(value * (1 + headroom))
      lines.append("      \(LimitKey.figure(figure)): \(text(limit, metric.unit, isExact: isExact))\n")
    }
    guard !lines.isEmpty else { return "" }
    return "  - ids: \(BudgetFile.quoted(id.description))\n    limits:\n" + lines.joined()
  }

  /// The value in the syntax of a limit. The value is never rounded down, because otherwise the measured run would
  /// exceed the limit.
  private static func text(_ value: Double, _ unit: Metric.Unit, isExact: Bool) -> String {
    switch unit {
    case .bytes where isExact: value == 0 ? "0" : "\(Int(value))B"
    case .bytes: "\(Int((value / 1024).rounded(.up)))KiB"
    default: unit.limitText(value)
    }
  }

  private static func roundedUp(_ value: Double) -> Double {
    guard value > 0 else { return 0 }
    let step = pow(10, (log10(value)).rounded(.down) - 1)
    return (value / step).rounded(.up) * step
  }
}
