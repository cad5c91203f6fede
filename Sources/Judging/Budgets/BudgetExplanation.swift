import FrameBench

/// Which limits apply to a benchmark, where each is in the file, and how the benchmark does.
package enum BudgetExplanation {
  /// Lines, each with its line feed; one that says so where no limit applies.
  ///
  /// - Parameters:
  ///   - findings: Of the whole run; those of other benchmarks are passed over.
  ///   - path: The budget file, as the user named it.
  package static func text(_ id: BenchmarkID, _ findings: [BudgetFinding], path: String) -> String {
    let names = [id.description, id.series]
    let own = findings.filter { names.contains($0.subject) }
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
