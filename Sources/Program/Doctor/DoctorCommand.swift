import ArgumentParser
import FrameBench
import Markup
import Platform
import TextFormat

struct DoctorCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Says whether this machine is fit to measure, and what would make it fitter.",
    discussion: """
      Repeats a fixed piece of work for a few seconds, looks at the settings of processor and kernel, and says \
      how each finding affects measurements and what to do about it.

      EXAMPLES
        springbench doctor
        springbench doctor --seconds 10
        springbench doctor --json | jq '.[] | select(.severity == "severe")'
        springbench doctor --strict && springbench run

      EXIT STATUS
        0   the machine was examined; with --strict, nothing is worse than a note
        6   with --strict: not fit, figures would be inconclusive
        64  the command line is wrong
      """)

  @Option("How long to watch the machine (default: 2).", "s", OptionValue.seconds(0...600, like: 5)) var seconds:
    Double?
  @Flag(help: "Exit with status 6 if the machine is not fit to measure.") var strict = false
  @Flag(help: "Print one JSON array of findings to stdout, and nothing else.") var json = false
  /// The folder below which `/proc` and `/sys` are read.
  @Option(help: .hidden) var systemRoot = ""

  func run(in context: CommandContext) async throws -> ExitStatus {
    let files = SystemFiles(root: systemRoot)
    let machine = Machine.current(files: files)
    let live = await LiveFigures.take(
      files: files, core: machine.measuringCore, among: machine.allowedCores ?? [], seconds: seconds ?? 2)
    let findings = Examination(
      files: files, machine: machine, live: live, buildConfiguration: WorkerBuild.own.configuration,
      path: context.environment["PATH"] ?? ""
    ).findings
    try context.console.write(json ? Self.json(findings) : text(findings, machine, context))
    let isFit = findings.allSatisfy { $0.severity <= .note }
    return strict && !isFit ? .inconclusive : .success
  }

  private func text(_ findings: [Finding], _ machine: Machine, _ context: CommandContext) -> String {
    let parts = [machine.cpuModel, Format.plural(machine.coreCount, "core"), machine.kernel].compactMap(\.self)
    return parts.map { oneLine($0) }.joined(separator: " · ") + "\n\n"
      + DoctorText(findings: findings, usesColor: context.usesColor).render()
  }

  static func json(_ findings: [Finding]) throws -> String { try JSONText.indented(findings) }
}

/// The findings as text: first the measured figures, then problems with remedies, then all other findings in a few
/// lines.
struct DoctorText {
  let findings: [Finding]
  let usesColor: Bool
  private var terminal: Terminal { Terminal(usesColor: usesColor) }

  func render() -> String {
    let troubles = findings.filter { $0.severity > .note }.sorted { $0.severity > $1.severity }
    let measured = findings.filter { Self.measured.contains($0.check) && $0.severity <= .note }
    let notes = findings.filter { $0.severity == .note && !Self.measured.contains($0.check) }
    let good = findings.filter { $0.severity == .good && !Self.measured.contains($0.check) }
    var blocks = (measured + troubles + notes).map(full)
    if !good.isEmpty {
      blocks.append(paragraph(mark(.good), "Fine: " + good.map { lowercased($0.what) }.joined(separator: "; ") + "."))
    }
    return (blocks + ["", verdict]).joined(separator: "\n") + "\n"
  }

  /// Checks whose figures are always shown.
  private static let measured = ["noise", "overhead", "clock"]

  var verdict: String {
    let troubles = findings.filter { $0.severity > .note }
    guard !troubles.isEmpty else { return terminal.bold("This machine is fit to measure.") }
    let count = Format.plural(troubles.count, "thing")
    return terminal.bold(
      troubles.contains { $0.severity == .severe }
        ? "Do not trust figures taken now: \(count) to fix."
        : "Fit for comparisons within one run, frame by frame; \(count) to fix for more.")
  }

  private func full(_ finding: Finding) -> String {
    let text = finding.severity > .note ? "\(finding.what) \(finding.why)" : finding.what
    let remedy = finding.remedy.map { "\n" + paragraph("  →", $0) } ?? ""
    return paragraph(mark(finding.severity), text) + remedy
  }

  private func paragraph(_ mark: String, _ text: String) -> String {
    let lines = Terminal.wrapped(text, width: 76)
    return lines.enumerated().map { ($0.offset == 0 ? "\(mark) " : "    ") + $0.element }.joined(separator: "\n")
  }

  /// Returns the mark of a severity, which is three columns wide.
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
