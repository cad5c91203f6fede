import Pages

/// A gate's checks for a terminal: the verdict, then what failed and what was noted, a line for each cause.
struct GateText {
  private let report: CheckReport

  init(_ report: CheckReport) {
    self.report = report
  }

  func render() -> String {
    let failed = report.failedGroups
    let unsure = report.noted.count { $0.kind == .inconclusive }
    let tail = [
      unsure > 0 ? "\(unsure) inconclusive; --strict fails on them" : nil,
      failed.first.map { "to look at it again: \(report.repeating($0.repeated))" }, report.against,
    ].compactMap(\.self)
    let groups = failed.map { line("FAIL", $0) } + report.notedGroups.map { line("note", $0) }
    return ([report.headline] + groups + report.doubts + tail).joined(separator: "\n") + "\n"
  }

  private func line(_ word: String, _ group: CheckGroup) -> String {
    let place = group.place.map { " (\($0.path):\($0.line))" } ?? ""
    return "\(word)  \(group.kind.words)  \(group.text.plainText)\(place)"
  }
}
