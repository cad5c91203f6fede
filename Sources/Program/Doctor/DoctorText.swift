import Pages

/// Findings for a person: what is wrong first, with its remedy; what is right in a few lines.
struct DoctorText {
  private let findings: [Finding]
  private let terminal: Terminal
  private static let width = 80

  init(findings: [Finding], usesColor: Bool) {
    self.findings = findings
    terminal = Terminal(usesColor: usesColor)
  }

  private static let indent = 4

  func render() -> String {
    let troubles = findings.filter { $0.severity > .note }.sorted { $0.severity > $1.severity }
    let measured = findings.filter { Self.measured.contains($0.check) && $0.severity <= .note }
    let notes = findings.filter { $0.severity == .note && !Self.measured.contains($0.check) }
    let good = findings.filter { $0.severity == .good && !Self.measured.contains($0.check) }
    var blocks = (measured + troubles + notes).map(full)
    if !good.isEmpty {
      blocks.append(
        paragraph(mark(.good), "Fine: " + good.map { lowercased($0.what) }.joined(separator: "; ") + "."))
    }
    return (blocks + ["", verdict]).joined(separator: "\n") + "\n"
  }

  /// Their figures are shown whatever they say.
  private static let measured = ["noise", "overhead", "clock"]

  var verdict: String {
    let severe = findings.filter { $0.severity == .severe }.count
    let warnings = findings.filter { $0.severity == .warning }.count
    guard severe + warnings > 0 else { return terminal.bold("This machine is fit to measure.") }
    let count = severe + warnings == 1 ? "1 thing" : "\(severe + warnings) things"
    return severe > 0
      ? terminal.bold("Do not trust figures taken now: \(count) to fix.")
      : terminal.bold("Fit for comparisons within one run, frame by frame; \(count) to fix for more.")
  }

  private func full(_ finding: Finding) -> String {
    let isTrouble = finding.severity > .note
    let lines = [
      paragraph(mark(finding.severity), isTrouble ? "\(finding.what) \(finding.why)" : finding.what)
    ]
    let remedy = finding.remedy.map { paragraph("  →", $0) }
    return (lines + [remedy].compactMap(\.self)).joined(separator: "\n")
  }

  private func paragraph(_ mark: String, _ text: String) -> String {
    let lines = Terminal.wrapped(text, width: Self.width - Self.indent)
    let blank = String(repeating: " ", count: Self.indent)
    return lines.enumerated().map { ($0.offset == 0 ? "\(mark) " : blank) + $0.element }
      .joined(separator: "\n")
  }

  /// Three columns wide.
  private func mark(_ severity: Finding.Severity) -> String {
    switch severity {
    case .good: terminal.styled("  ✓", .good)
    case .note: "  ·"
    case .warning: terminal.styled("  !", .doubtful)
    case .severe: terminal.styled("  ✗", .bad)
    }
  }

  private func lowercased(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
