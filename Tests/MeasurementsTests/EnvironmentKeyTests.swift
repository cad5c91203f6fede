import FrameBench
import Testing

@testable import Measurements

@Suite struct EnvironmentKeyTests {
  private let usual = EnvironmentKey(
    machine: "one", cpuModel: "CPU", toolchain: "Swift 6.3.1", buildConfiguration: "release",
    allocator: "jemalloc", clock: "tsc", options: RunOptions())

  @Test func theSameEnvironmentKeyHaveNoChanges() {
    #expect(usual.changes(to: usual).isEmpty)
  }

  @Test(
    arguments: [
      (\EnvironmentKey.machine, "machine: one → x"), (\.toolchain, "toolchain: Swift 6.3.1 → x"),
      (\.buildConfiguration, "build: release → x"), (\.allocator, "allocator: jemalloc → x"),
      (\.clock, "clock: tsc → x"),
    ] as [(WritableKeyPath<EnvironmentKey, String> & Sendable, String)])
  func whatIsDifferentIsNamedAloneWithBothValues(
    path: WritableKeyPath<EnvironmentKey, String> & Sendable, told: String
  ) {
    var other = usual
    other[keyPath: path] = "x"
    #expect(usual.changes(to: other) == [told])
  }

  @Test func aCPUThatNobodyKnowsIsUnknown() {
    var other = usual
    other.cpuModel = nil
    #expect(usual.changes(to: other) == ["CPU: CPU → unknown"])
  }

  @Test func theShareOfABudgetChangesNothingOfWhatIsMeasured() {
    var options = RunOptions()
    options.budgetShare = 0.25
    var other = usual
    other = EnvironmentKey(
      machine: other.machine, cpuModel: other.cpuModel, toolchain: other.toolchain,
      buildConfiguration: other.buildConfiguration, allocator: other.allocator, clock: other.clock,
      options: options)
    #expect(other == usual)
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
      #expect(Fact.differences(options.factsOfWork, other.factsOfWork).map(\.name) == [name])
    }
  }
}
