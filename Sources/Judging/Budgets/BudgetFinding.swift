import FrameBench
import Measurements

/// The result of a limit for one benchmark, or for one strategy over its sizes.
package struct BudgetFinding: Sendable, Equatable {
  /// The benchmark's result against the limit.
  package enum Outcome: Sendable, Equatable {
    case passed
    case exceeded
    /// Exceeded, but acknowledged.
    case acknowledged(Acknowledgement)
    /// With a line that gives the reason and a remedy.
    case notMeasured(String)
    /// The selection leaves out benchmarks that the limit needs; with a line that says which.
    case leftOut(String)
  }

  /// `springs/tiled/10000`, or `springs/tiled` if it concerns all sizes.
  package var subject: String
  /// All benchmarks that the value is computed from.
  package var benchmarks: [BenchmarkID] = []
  /// The applicable limit: that of the last rule that has one.
  package var limit: BudgetLimit
  /// Pattern of the limit's rule.
  package var rule: IDPattern
  /// In the limit's unit, times already multiplied by the file's `cpuSlowdown`. Nil if not measured.
  package var value: Double?
  /// Unit of `value`.
  package var unit = Metric.Unit.count
  /// `notMeasured` or `leftOut` if and only if `value` is nil.
  package var outcome: Outcome
  /// An acknowledgement that no longer counts.
  package var expired: Acknowledgement?
  /// Limits of earlier rules for the same figure, which this one replaces.
  package var replaced: [Place]

  /// `1.31ms`.
  package var valueText: String? { value.map(unit.limitText) }

  /// How far the value exceeds the limit, as a fraction of it; negative is headroom. Nil for a limit of 0, or
  /// without a value.
  package var excess: Double? {
    guard let value, limit.bound.value != 0 else { return nil }
    let ratio = value / limit.bound.value
    return limit.bound.direction == .atMost ? ratio - 1 : 1 - ratio
  }

  /// `springs/tiled/10000: frameNanoseconds.p99 is 1.31ms, 31% over the limit of 1ms`.
  package var sentence: String {
    let name = "\(subject): \(limit.key)"
    let bound = limit.bound
    switch outcome {
    case .notMeasured(let reason): return "\(name) was not measured: \(reason)"
    case .leftOut(let reason): return "\(name) was not checked: \(reason)"
    case .passed, .exceeded, .acknowledged:
      let value = valueText ?? "nothing"
      let word = bound.direction == .atMost ? "over" : "under"
      let isOver = outcome != .passed
      guard let excess, excess.isFinite else {
        return "\(name) is \(value), \(isOver ? "beyond" : "within") the limit of \(bound.text)"
      }
      let share = Self.percent(abs(excess))
      return isOver
        ? "\(name) is \(value), \(share) \(word) the limit of \(bound.text)"
        : "\(name) is \(value), with \(share) to spare before the limit of \(bound.text)"
    }
  }

  private static func percent(_ fraction: Double) -> String {
    guard fraction < 10 else {
      // Too large for an integer, because the limit is almost zero.
      return fraction < 1e15 ? "\(Int(fraction.rounded()) + 1) times" : "\(fraction) times"
    }
    let percent = fraction * 100
    return percent < 10 ? "\((percent * 10).rounded() / 10)%" : "\(Int(percent.rounded()))%"
  }
}

extension [BudgetFinding] {
  /// The limits that apply to a benchmark, their places in the file, and the benchmark's results: lines,
  /// each with its line feed; one that says so if no limit applies. Findings of other benchmarks are
  /// skipped.
  ///
  /// - Parameter path: The budget file, as the user named it.
  package func explanation(of id: BenchmarkID, path: String) -> String {
    let names = [id.description, id.series]
    let own = filter { names.contains($0.subject) }
    guard !own.isEmpty else { return "\(id): no limit of \(path) applies to it\n" }
    return own.map { finding in
      let word =
        switch finding.outcome {
        case .passed: "pass"
        case .exceeded: "FAIL"
        case .acknowledged: "acknowledged"
        case .notMeasured: "NOT MEASURED"
        case .leftOut: "left out"
        }
      var lines = ["\(word)  \(finding.sentence)"]
      let place = "\(path):\(finding.limit.place.line)"
      let bound = finding.limit.bound
      lines.append(
        "      by \(place), \(finding.limit.key): \(bound.direction.rawValue) \(bound.text), for \(finding.rule)"
      )
      for place in finding.replaced {
        lines.append("      instead of \(path):\(place.line), an earlier rule")
      }
      if case .acknowledged(let entry) = finding.outcome {
        lines.append(
          "      acknowledged until \(entry.until) by \(path):\(entry.place.line): \(entry.reason)")
      }
      if let expired = finding.expired {
        lines.append("      acknowledged until \(expired.until), which has passed: \(expired.reason)")
      }
      return lines.joined(separator: "\n") + "\n"
    }.joined()
  }
}
