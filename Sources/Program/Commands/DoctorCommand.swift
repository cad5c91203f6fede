import ArgumentParser
import Foundation
import FrameBench
import TextFormat

struct DoctorCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Says whether this machine is fit to measure, and what would make it fitter.",
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

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long to watch the machine (default: 2).", valueName: "s"),
    transform: OptionValue.seconds(0...600, like: 5))
  var seconds: Double?

  @Flag(help: "Exit with status 6 if the machine is not fit to measure.") var strict = false

  @Flag(help: "Print one JSON array of findings to stdout, and nothing else.") var json = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Read /proc and /sys below this folder.", valueName: "dir", visibility: .hidden))
  var systemRoot = ""

  func run(in context: CommandContext) async throws -> ExitStatus {
    let files = SystemFiles(root: systemRoot)
    let machine = Machine.current(files: files)
    let live = await LiveFigures.take(files: files, core: machine.measuringCore, seconds: seconds ?? 2)
    let findings = Examination(
      files: files, machine: machine, live: live, buildConfiguration: WorkerBuild.own.configuration,
      path: context.environment["PATH"] ?? ""
    ).findings
    try context.console.write(json ? Self.json(findings) : text(findings, machine, context))
    let isFit = findings.allSatisfy { $0.severity <= .note }
    return strict && !isFit ? .inconclusive : .success
  }

  private func text(_ findings: [Finding], _ machine: Machine, _ context: CommandContext) -> String {
    let parts = [machine.cpuModel, "\(machine.coreCount) cores", machine.kernel].compactMap(\.self)
    return parts.map { oneLine($0) }.joined(separator: " · ") + "\n\n"
      + DoctorText(findings: findings, usesColor: context.usesColor).render()
  }

  static func json(_ findings: [Finding]) throws -> String { try JSONText.indented(findings) }
}
