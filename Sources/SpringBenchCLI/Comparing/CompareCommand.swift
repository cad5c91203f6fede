import ArgumentParser
import Foundation
import FrameBench

struct CompareCommand: ContextCommand {
  static let configuration = CommandConfiguration(commandName: "compare", abstract: "Compares two builds.")
  @Option var baseExecutable: String
  @Option var candidateExecutable: String
  @Option var id: String
  @Option var fours = 16
  @Option var rounds = 25
  @Option var turn = 1.0
  @Option var plant = 0.0
  @Option var phase = "solve"
  @Option var seed: UInt64 = 1

  func run(in context: CommandContext) async throws -> ExitStatus {
    let machine = Machine.current()
    let core = machine.measuringCore
    let plan = LockStepPlan(
      executables: [baseExecutable, candidateExecutable], benchmark: BenchmarkID(id)!, options: RunOptions(),
      core: core, preparationCores: (machine.allowedCores ?? []).filter { $0 != core }, roundCount: rounds,
      planting: [PlantingOptions(phase: phase, fraction: 0), PlantingOptions(phase: phase, fraction: plant)],
      turnNanoseconds: turn * 1e6,
      isCancelled: { false })
    let session = LockStepSession(plan, seed: seed)
    let start = ContinuousClock.now
    var out = ""
    for index in 0..<fours {
      let four = try session.four(isLast: index == fours - 1)
      for (thing, contrast) in zip(["frame"] + four.phases, contrasts(four)) { out += "\(index) \(thing) \(contrast)\n" }
    }
    out += "seconds \((ContinuousClock.now - start) / .seconds(1))\n"
    try context.console.write(out)
    return .success
  }
  func contrasts(_ four: LockStepFour) -> [String] {
    zip(four.contrasts, four.means).map { c, m in "\(c.change) \(c.control) \(c.cross) \(m) \(c.rounds)" }
  }
}
