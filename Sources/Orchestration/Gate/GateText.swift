import FrameReport

/// A gate's checks for a terminal: what failed, what was noted, the verdict.
struct GateText {
  private let outcome: GateOutcome

  init(_ outcome: GateOutcome) {
    self.outcome = outcome
  }

  func render() -> String {
    let failed = outcome.checks.filter { $0.outcome == .failed }.map { line("FAIL", $0) }
    let noted = outcome.checks.filter { $0.outcome == .noted && $0.kind != .inconclusive }
      .map { line("note", $0) }
    let unsure = outcome.checks.count { $0.outcome == .noted && $0.kind == .inconclusive }
    let tail = unsure > 0 ? ["\(unsure) inconclusive; --strict fails on them"] : []
    return (failed + noted + tail + [outcome.against].compactMap(\.self) + [outcome.headline]).joined(
      separator: "\n") + "\n"
  }

  private func line(_ word: String, _ check: Check) -> String {
    let place = check.place.map { " (\($0.path):\($0.line))" } ?? ""
    return "\(word)  \(check.kind.words)  \(check.sentence)\(place)"
  }
}
