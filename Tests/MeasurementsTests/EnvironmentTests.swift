import FrameBench
import Testing

@testable import Measurements

@Suite struct EnvironmentTests {
  private let usual: Environment = {
    var environment = RunDocument.sample.environment
    environment.cpuModel = "CPU"
    return environment
  }()

  @Test func theSameEnvironmentHasNoChanges() { #expect(usual.timingFacts().changes(to: usual.timingFacts()).isEmpty) }

  @Test(
    arguments: [
      (\Environment.machine, "machine"), (\.toolchain, "toolchain"), (\.buildConfiguration, "build"),
      (\.allocator, "allocator"), (\.clock.source, "clock"),
    ] as [(WritableKeyPath<Environment, String> & Sendable, String)]) func whatIsDifferentIsNamedAloneWithBothValues(
      path: WritableKeyPath<Environment, String> & Sendable, name: String
    )
  {
    var other = usual
    other[keyPath: path] = "x"
    let change = "\(name): \(usual[keyPath: path]) → x"
    #expect(usual.timingFacts().changes(to: other.timingFacts()) == [change])
  }

  @Test func aCPUThatNobodyKnowsIsUnknown() {
    var other = usual
    other.cpuModel = nil
    #expect(usual.timingFacts().changes(to: other.timingFacts()) == ["CPU: CPU → unknown"])
  }

  @Test func limitsAndSettingsOfTheMachineAreFacts() {
    var machine = usual
    (machine.coreCount, machine.machineCoreCount) = (4, 4)
    let changes: [(change: (inout Environment) -> Void, words: String)] = [
      ({ $0.coreCount = 1 }, "cores: 4 → 1 of 4"), ({ $0.coreQuota = 1.5 }, "cores: 4 → 4, 1.5 at a time"),
      ({ $0.governor = "powersave" }, "governor: unknown → powersave"),
      (
        { $0.settings = ["MALLOC_CONF": "retain:false", "LD_PRELOAD": "x.so"] },
        "settings: none → LD_PRELOAD=x.so MALLOC_CONF=retain:false"
      ),
    ]
    for (change, words) in changes {
      var other = machine
      change(&other)
      #expect(machine.timingFacts().changes(to: other.timingFacts()) == [words])
    }
  }

  @Test func allThatChangesTimingsIsAFactAndTheShareOfABudgetIsNot() {
    var options = RunOptions()
    options.budgetShare = 0.25
    #expect(usual.timingFacts(options) == usual.timingFacts(RunOptions()))
    let changes: [(inout RunOptions) -> Void] = [
      { $0.runCount += 1 }, { $0.passSecondsLimit = 3 }, { $0.layoutCount = 4 }, { $0.frameCount += 1 },
    ]
    for change in changes {
      var other = options
      change(&other)
      #expect(usual.timingFacts(options) != usual.timingFacts(other))
    }
  }

  @Test func runsThatDidOtherWorkDifferInAFact() {
    let options = RunOptions()
    let changes: [(name: String, change: (inout RunOptions) -> Void)] = [
      ("frames", { $0.frameCount += 1 }), ("warm-up frames", { $0.warmUpFrameCount += 1 }),
      ("refresh rate", { $0.refreshRateHertz += 1 }), ("seed", { $0.seed += 1 }),
      ("trace", { $0.tracePath = "drag.csv" }),
    ]
    for (name, change) in changes {
      var other = options
      change(&other)
      #expect(options.factsOfWork.differences(from: other.factsOfWork).map(\.name) == [name])
    }
  }
}
