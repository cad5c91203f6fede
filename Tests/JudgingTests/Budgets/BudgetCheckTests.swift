import Testing

@testable import FrameBench
@testable import Judging
@testable import Measurements

/// Tests budgets with runs of made-up figures.
@Suite struct BudgetCheckTests: MadeUpRuns {
  @Test func aFrameBeyondItsLimitFailsAndSaysByHowMuch() throws {
    let yaml = "budgets:\n" + limits("s/*/*", "frameNanoseconds.p50: 1us", "frameNanoseconds.solve.max: 2us")
    let found = try findings(yaml, [record("a", 10, cost: 1_310)])
    #expect(found.map(\.outcome) == [.exceeded, .passed])
    #expect(found[0].sentence == "s/a/10: frameNanoseconds.p50 is 1.31us, 31% over the limit of 1us")
    #expect(
      found[1].sentence == "s/a/10: frameNanoseconds.solve.max is 1.31us, with 35% to spare before the limit of 2us")
  }

  @Test func aFunctionMissesNoFrames() throws {
    let yaml = "budgets:\n" + limits("**", "missedFrames: 0", "hitchTimeRatio: 0", "overrunNanoseconds.p99: 0")
    var function = record("f", 10, cost: 35e6)
    #expect(try findings(yaml, [function]).map(\.outcome) == [.exceeded, .exceeded, .exceeded])
    function.callsPerFrame = 1
    #expect(try findings(yaml, [function]).map(\.outcome) == [.passed, .passed, .passed])
  }

  @Test func aSlowCallHasARateBelowOne() throws {
    var function = record("f", 10, cost: 3e9)
    function.throughput = .items(1)
    for (limit, outcome) in [(0.3, BudgetFinding.Outcome.passed), (0.4, .exceeded)] {
      let yaml = "budgets:\n" + limits("**", "itemsPerSecond.p50: '>= \(limit)'")
      #expect(try findings(yaml, [function]).map(\.outcome) == [outcome])
    }
  }

  @Test func aLimitOfARateIsForFunctionsThatDeclareItsUnit() throws {
    var (items, bytes) = (record("f", 10, cost: 100), record("g", 10, cost: 100))
    (items.throughput, bytes.throughput) = (.items(1), .bytes(1))
    let yaml = "budgets:\n" + limits("**", "itemsPerSecond: '>= 1'", "bytesPerCall: '>= 1B'")
    let found = try findings(yaml, [items, bytes])
    #expect(found.filter { $0.outcome == .passed }.map(\.subject) == ["s/f/10", "s/g/10"])
    let others = found.filter { $0.outcome != .passed }.map(\.outcome)
    #expect(others == [.leftOut("it has no itemsPerSecond"), .leftOut("it has no bytesPerCall")])
    let missing = try findings("budgets:\n" + limits("**", "bytesPerSecond: '>= 1B'"), [items])
    #expect(missing.map(\.outcome) == [.notMeasured("declare a throughput in bytes, and measure calls that take time")])
  }

  @Test func aLimitOfNextToNothingIsExceededByAsMuch() throws {
    let yaml = "budgets:\n" + limits("s/*/*", "frameNanoseconds.p50: 0.00000000000000000001ns")
    let found = try findings(yaml, [record("a", 10, cost: 1_000)])
    #expect(found[0].outcome == .exceeded && found[0].sentence.contains("1e+23 times the limit"))
  }

  @Test func aSlowerDeviceMultipliesTimesButNotCounts() throws {
    let yaml = "cpuSlowdown: 4\nbudgets:\n" + limits("**", "frameNanoseconds.p50: 3us", "allocationCount.max: 1")
    let found = try findings(yaml, [record("a", 10, cost: 1_000, allocations: 1)])
    #expect(found.map(\.value) == [4_000, 1])
    #expect(found.map(\.outcome) == [.exceeded, .passed])
    #expect(found[0].sentence == "s/a/10: frameNanoseconds.p50 is 4us (times × 4.00), 33% over the limit of 3us")
    #expect(!found[1].sentence.contains("×"))
  }

  @Test func timesOutsideFramesAreThoseOfTheSlowerDeviceToo() throws {
    var measured = record("a", 10, cost: 1_000)
    measured.memory.setUpNanoseconds = 1_000
    let yaml = "cpuSlowdown: 4\nbudgets:\n" + limits("**", "setUpNanoseconds: 3us")
    #expect(try findings(yaml, [measured])[0].value == 4_000)
    let file = try BudgetFile(reading: yaml + "      itemsPerSecond.p50: '>= 8'\n", path: "b.yml")
    let limits = ["setUpNanoseconds.total", "itemsPerSecond.p50"].map { file.limit(of: $0, measured.id) }
    #expect(limits.map { $0?.value } == [750, 32])
    #expect(limits.allSatisfy { $0?.text.hasSuffix("on a machine 4.0 times slower") == true })
    let missed = try BudgetFile(reading: yaml + "      missedFrames: 3\n", path: "b.yml")
    #expect(missed.limit(of: "missedFrames.total", measured.id) == nil)
  }

  /// A counter whose name suggests a time is still a count, unless the scenario declares another unit.
  @Test func aCounterIsOfTheUnitThatItDeclares() throws {
    var measured = record("a", 10, cost: 1)
    measured.counters = [
      "stallNanoseconds": CountSeries(Array(repeating: 7, count: 100)),
      "io.wait": CountSeries(Array(repeating: 3_000, count: 100)),
    ]
    measured.counterKinds = ["io.wait": CounterKind(unit: .nanoseconds)]
    let found = try findings(
      "cpuSlowdown: 4\nbudgets:\n" + limits("**", "stallNanoseconds.max: 6", "io.wait.mean: 4us"), [measured])
    #expect(found.map(\.value) == [7, 3_000] && found.map(\.outcome) == [.exceeded, .passed])
    #expect(found[1].sentence == "s/a/10: io.wait.mean is 3us, with 25% to spare before the limit of 4us")
    for (limit, problem) in [
      ("stallNanoseconds.max: 6us", "not a unit of this metric"), ("io.wait.max: 5", "has no unit"),
    ] {
      #expect { try findings("budgets:\n" + limits("**", limit), [measured]) } throws: {
        "\($0)".hasPrefix("b.yml:4:") && "\($0)".contains(problem)
      }
    }
  }

  @Test func whatTheSuiteToleratesWidensTheLimitsOfItsThresholds() throws {
    let measured = record("a", 10, cost: 1_040, allocations: 12)
    var run = document([measured])
    run.tolerancesPercent = ["s": 5]
    run.allocationTolerances = ["s": AllocationTolerance(count: 3, percent: 25)]
    let text = limits("**", "frameNanoseconds.p90: 1us", "allocationCount.max: 10", "allocatedBytes.max: 0")
    var file = try BudgetFile(reading: "budgets:\n" + text, path: "b")
    func found() throws -> [BudgetFinding] {
      try BudgetCheck.findings(file, run, known: [measured.id], expected: [measured.id], today: "2026-11-21")
    }
    #expect(try found().map(\.outcome) == [.exceeded, .exceeded, .passed])
    file.isTolerant = true
    let tolerated = try found()
    #expect(tolerated.map(\.outcome) == [.passed, .passed, .passed])
    #expect(tolerated[1].sentence.hasSuffix("before the limit of 10 + 25%"), "\(tolerated[1].sentence)")
    run.allocationTolerances = ["s": AllocationTolerance(count: 3, percent: 10)]
    #expect(try found().map(\.outcome) == [.passed, .exceeded, .passed])
    let lower = try BudgetFile(
      reading: "budgets:\n" + limits("**", "frameNanoseconds.p90: '>= 1090ns'", "allocationCount.max: '>= 16'"),
      path: "b")
    file = lower
    file.isTolerant = true
    #expect(try found().map(\.outcome) == [.passed, .exceeded])
    file = lower
    #expect(try found().map(\.outcome) == [.exceeded, .exceeded])
    file = try BudgetFile(reading: "budgets:\n" + text, path: "b")
    file.isTolerant = true
    run.tolerancesPercent = ["s": 3]
    run.allocationTolerances = ["other": AllocationTolerance(count: 3)]
    #expect(try found().map(\.outcome) == [.exceeded, .exceeded, .passed])
  }

  @Test func aPhaseMayHaveDotsInItsName() throws {
    var measured = record("a", 10, cost: 1_000)
    measured.phases[0].name = "io.read"
    let found = try findings("budgets:\n" + limits("**", "frameNanoseconds.io.read.p99: 900ns"), [measured])
    #expect(found.map(\.outcome) == [.exceeded] && found[0].value == 1_000)
  }

  @Test func aBenchmarkWithoutThePhaseOfALimitIsNamed() throws {
    var renamed = record("b", 10, cost: 1_000)
    for index in renamed.phases.indices where renamed.phases[index].name == "solve" {
      renamed.phases[index].name = "relax"
    }
    let found = try findings(
      "budgets:\n" + limits("**", "frameNanoseconds.solve.p99: 1ms"), [record("a", 10, cost: 1), renamed])
    #expect(found.map(\.outcome) == [.passed, .leftOut("it has no phase solve")])
  }

  @Test func aSeriesThatWasNotMeasuredMayHaveThePhaseOfALimit() throws {
    var other = record("b", 10, cost: 1)
    other.phases = []
    let file = try BudgetFile(reading: "budgets:\n" + limits("**", "frameNanoseconds.solve.p99: 1ms"), path: "b.yml")
    func outcomes(_ records: [BenchmarkRecord], known: [BenchmarkID]) throws -> [BudgetFinding.Outcome] {
      try BudgetCheck.findings(file, document(records), known: known, expected: records.map(\.id), today: "2026-11-21")
        .map(\.outcome)
    }
    let unmeasured = record("a", 10, cost: 1).id
    #expect(try outcomes([other], known: [other.id, unmeasured]) == [.leftOut("it has no phase solve")])
    // Another size of the same series would have the same phases.
    #expect(throws: BudgetError.self) { try outcomes([other], known: [other.id, other.id.with(size: 100)]) }
  }

  @Test func onlyTheLargestSizeHasACapacity() throws {
    var run = document([record("a", 10, cost: 1), record("a", 100, cost: 1)])
    var search = CapacityRecord(
      scenario: "s", strategy: "a", refreshRateHertz: 60, share: 1, budgetNanoseconds: 16e6, itemCount: 1_000,
      exceedingItemCount: 1_040, precision: 0.05, end: .found, durationSeconds: 1, probes: [])
    let file = try BudgetFile(reading: "budgets:\n" + limits("**", "capacityItems: '>= 500'"), path: "b.yml")
    func outcomes() throws -> [BudgetFinding.Outcome] {
      run.capacities = [search]
      return try BudgetCheck.findings(file, run, known: run.allIDs, expected: run.allIDs, today: "2026-11-21").map(
        \.outcome)
    }
    #expect(try outcomes() == [.leftOut("only the largest size has it"), .passed])
    (search.itemCount, search.exceedingItemCount) = (nil, 1)
    #expect(try outcomes() == [.leftOut("only the largest size has it"), .exceeded])
  }

  @Test func theReferenceStrategyNeedsNoDeviation() throws {
    var tiled = record("tiled", 10, cost: 1)
    tiled.deviation = DeviationRecord(
      reference: "naive", missingCount: 1, extraCount: 0, differingFrameCount: 1, frameCount: 2)
    let yaml = "budgets:\n" + limits("**", "deviationItems: 1")
    let found = try findings(yaml, [record("naive", 10, cost: 1), tiled])
    #expect(found.map(\.outcome) == [.leftOut("it is the reference strategy, from which the others deviate"), .passed])
    // At this size, nothing was compared with the reference strategy.
    let others = try findings(yaml, [record("naive", 100, cost: 1), tiled])
    #expect(others.map(\.outcome) == [.notMeasured("also run the scenario's reference strategy"), .passed])
  }

  @Test func oneAllocationInAHundredFramesBreaksALimitOfZero() throws {
    let found = try findings(
      "budgets:\n" + limits("**", "allocationCount.max: 0"),
      [record("a", 10, cost: 1, allocations: 1), record("b", 10, cost: 1)])
    #expect(found.map(\.outcome) == [.exceeded, .passed])
    #expect(found[0].sentence == "s/a/10: allocationCount.max is 1, beyond the limit of 0")
  }

  /// At 100 Hz a period is 10 ms, and the budget is half a period. The device is half as fast. On it, ten frames take
  /// 12 ms each, so each of them needs two periods.
  @Test func missedFramesAndHitchesAreOfTheFilesDisplay() throws {
    let yaml =
      "refreshRate: 100\nshare: 0.5\ncpuSlowdown: 2\nbudgets:\n"
      + limits("**", "missedFrames: 9", "hitchTimeRatio: 90ms/s")
    let found = try findings(yaml, [record("a", 10, cost: 1e6, worst: 6e6)])
    #expect(found.map(\.value) == [10, 1_000 * 10 / 110])
    #expect(found.map(\.outcome) == [.exceeded, .exceeded])
  }

  /// At 100 Hz, the budget of half a period is 5 ms. The device is half as fast, so a frame takes 12 ms on it.
  @Test(arguments: ["p50", "p99", "mean"]) func anOverrunIsOfTheDevicesFrameAndTheFilesDisplay(statistic: String) throws
  {
    let yaml =
      "refreshRate: 100\nshare: 0.5\ncpuSlowdown: 2\nbudgets:\n" + limits("**", "overrunNanoseconds.\(statistic): 6ms")
    let found = try findings(yaml, [record("a", 10, cost: 6e6)])
    #expect(found.map(\.value) == [7e6] && found.map(\.outcome) == [.exceeded])
  }

  @Test func aTotalOfMissedFramesIsOfTheFilesDisplayToo() throws {
    let yaml = "refreshRate: 100\nbudgets:\n" + limits("**", "missedFrames.total: 0", "hitchTimeRatio.total: 0")
    #expect(try findings(yaml, [record("a", 10, cost: 12e6)]).map(\.value) == [100, 500])
  }

  @Test func growthIsOfAStrategyOverItsSizes() throws {
    let yaml = "budgets:\n" + limits("s/a/*", "growthExponent: 1")
    let found = try findings(
      yaml, [record("a", 10, cost: 10), record("a", 100, cost: 1_000), record("b", 10, cost: 1)])
    #expect(found.map(\.subject) == ["s/a"])
    #expect(abs((found[0].value ?? 0) - 2) < 1e-12 && found[0].outcome == .exceeded)
    let alone = try findings(yaml, [record("a", 10, cost: 10)])
    #expect(alone[0].outcome == .notMeasured("growth needs two sizes of s/a; run more --sizes"))
  }

  @Test func whatDifferentProcessorsMeasuredIsNotSetBesideEachOther() throws {
    let records = [record("a", 10, cost: 10), record("a", 100, cost: 1_000)]
    var run = document(records)
    run.parts = records.map { record in
      var environment = run.environment
      environment.cpuModel = "model \(record.id.size)"
      return RunPart(startedAt: run.startedAt, durationSeconds: 1, environment: environment, benchmarks: [record.id])
    }
    let file = try BudgetFile(reading: "budgets:\n" + limits("s/a/*", "growthExponent: 1"), path: "b.yml")
    let found = try BudgetCheck.findings(file, run, known: run.allIDs, expected: run.allIDs, today: "2026-11-21")
    #expect(
      found.map(\.outcome) == [
        .leftOut("its benchmarks were not measured in the same environment (CPU: model 10 → model 100)")
      ])
  }

  @Test func limitsOfSeveralBenchmarksAreNotCheckedWhereTheSelectionLeavesSomeOut() throws {
    let all = [("a", 10), ("a", 100), ("b", 10)].map { BenchmarkID(scenario: "s", strategy: $0.0, size: $0.1) }
    let yaml = "budgets:\n" + limits("s/a/*", "growthExponent: 1", "ratio.b/a: '>= 1'")
    let found = try BudgetCheck.findings(
      BudgetFile(reading: yaml, path: "b.yml"), document([record("a", 10, cost: 10)]), known: all, expected: [all[0]],
      today: "2026-11-21")
    #expect(
      found.map(\.outcome) == [
        .leftOut("it needs two sizes, and the selection leaves one"),
        .leftOut("it needs s/b/10, which the selection leaves out"),
      ])
  }

  @Test func ratiosCompareStrategiesOfTheSameSize() throws {
    let yaml = "budgets:\n" + limits("s/*/*", "ratio.a/b: '>= 10'")
    let records = [
      record("a", 10, cost: 50), record("b", 10, cost: 10), record("a", 100, cost: 200), record("b", 100, cost: 10),
    ]
    let found = try findings(yaml, records)
    #expect(found.map(\.subject) == ["s/b/10", "s/b/100"])
    #expect(found.map(\.value) == [5, 20] && found.map(\.outcome) == [.exceeded, .passed])
    #expect(found[0].sentence == "s/b/10: ratio.a/b is 5, 50% under the limit of 10")
    let missing = try findings(yaml, [record("b", 10, cost: 10)])
    #expect(missing[0].outcome == .notMeasured("s/a/10 is not in the run; run it as well"))
  }

  @Test func theLastRuleThatSetsALimitCounts() throws {
    let yaml =
      "budgets:\n" + limits("**", "frameNanoseconds.p50: 1ns", "allocationCount.max: 0")
      + limits("s/a/*", "frameNanoseconds.p50: 1ms")
    let found = try findings(yaml, [record("a", 10, cost: 50), record("b", 10, cost: 50)])
    let times = found.filter { $0.limit.key.description == "frameNanoseconds.p50" }
    #expect(Set(times.map { "\($0.subject) \($0.outcome == .passed)" }) == ["s/a/10 true", "s/b/10 false"])
    #expect(times.first { $0.subject == "s/a/10" }?.replaced == [Place(line: 4, column: 29)])
    #expect(found.count == 4)
  }

  @Test func whatWasNotMeasuredIsNeverAPass() throws {
    let yaml = "budgets:\n" + limits("**", "instructionCount.mean: 5k", "missedFrames: 0")
    let vanished = BenchmarkID(scenario: "s", strategy: "b", size: 10)
    let kept = record("a", 10, cost: 50)
    let found = try findings(yaml, [kept], expected: [kept.id, vanished])
    #expect(found.count == 4 && found.filter { $0.outcome == .passed }.map(\.subject) == ["s/a/10"])
  }

  @Test(arguments: [
    ("hardwareInstructionCount.mean: 5k", "run with --instructions, "),
    ("capacityItems: '>= 10'", "run with --capacity; "),
  ]) func whatNoBenchmarkOfTheRunHasButOthersCouldIsNotMeasured(line: String, remedy: String) throws {
    let found = try findings("budgets:\n" + limits("**", line), [record("a", 10, cost: 1)])
    guard case .notMeasured(let reason) = found[0].outcome else {
      Issue.record("\(found[0].sentence)")
      return
    }
    #expect(reason.hasPrefix(remedy))
  }

  @Test(arguments: [
    ("s/x/*", "missedFrames: 0", "b.yml:2:10: \"s/x/*\" matches no benchmark;"),
    ("**", "frameNanosecond.p50: 1ns", "b.yml:4:7: no metric \"frameNanosecond\"; did you mean \"frameNanoseconds\"?"),
    ("**", "frameNanoseconds.slove.p50: 1ns", "b.yml:4:7: no phase \"slove\"; did you mean \"solve\"?"),
    ("**", "peakResidentBytes.solve.total: 1B", "b.yml:4:7: peakResidentBytes is not measured by phase;"),
    ("**", "peakResidentBytes.p99: 1B", "b.yml:4:7: peakResidentBytes has no p99;"),
    ("**", "ratio.b/c: '>= 1'", "b.yml:4:7: \"**\" matches no benchmark of b or c; did you mean \"a\"?"),
  ]) func whatNothingMatchesIsAMistake(ids: String, line: String, expected: String) {
    let error = #expect(throws: BudgetError.self) {
      try findings("budgets:\n" + limits(ids, line), [record("a", 10, cost: 1)])
    }
    #expect(error?.description.hasPrefix(expected) == true, "\(error?.description ?? "")")
  }

  @Test func aSuggestedFilePassesTheRunThatItCameFrom() throws {
    let records = [record("a", 10, cost: 123.4, worst: 777.7, allocations: 3), record("it's", 100, cost: 98_765.4)]
    let text = document(records).suggestedBudgets()
    let found = try findings(text, records)
    #expect(found.count == 12 && found.allSatisfy { $0.outcome == .passed })
    let tight = document(records).suggestedBudgets(headroom: 0)
    #expect(try findings(tight, records).allSatisfy { $0.outcome == .passed })
  }

  @Test func aSuggestedFileForFunctionsLimitsNoFramesOfADisplay() throws {
    var function = record("parse", 1, cost: 1e8)
    function.callsPerFrame = 1
    let text = document([function]).suggestedBudgets()
    #expect(!text.contains("missedFrames"))
    #expect(try findings(text, [function]).allSatisfy { $0.outcome == .passed })
  }

  /// At 120 Hz half a period is 4.2 ms. At 30 Hz the budget is just above 16.68 ms. If the share were rounded to 0.5,
  /// the budget would be 16.67 ms, and frames would miss it.
  @Test(arguments: [(120, 0.5, 5e6, 10), (30, 0.50049, 16.68e6, 0), (240, 1, 1e6, 0)])
  func aSuggestedFileIsOfTheRunsDisplay(rate: Int, share: Double, worst: Double, missed: Int) throws {
    let records = [record("a", 10, cost: 1e3, worst: worst), record("b", 10, cost: 1e3)]
    var document = document(records)
    document.options.refreshRateHertz = rate
    document.options.budgetShare = share
    let text = document.suggestedBudgets()
    let file = try BudgetFile(reading: text, path: "b.yml")
    #expect((file.refreshRateHertz, file.share) == (Double(rate), share))
    let found = try findings(text, records)
    #expect(found.allSatisfy { $0.outcome == .passed }, "\(text)")
    let frames = found.filter { "\($0.limit.key)" == "missedFrames" }.sorted { $0.subject < $1.subject }
    #expect(frames.map(\.limit.bound.value) == [1.5 * Double(missed), 0])
  }

  @Test func anExplanationNamesTheRuleAndWhatItReplaces() throws {
    let yaml = "budgets:\n" + limits("**", "frameNanoseconds.p50: 1ns") + limits("s/a/*", "frameNanoseconds.p50: 40ns")
    let found = try findings(yaml, [record("a", 10, cost: 50), record("b", 10, cost: 0.5)])
    let id = BenchmarkID(scenario: "s", strategy: "a", size: 10)
    #expect(
      found.explanation(of: id, path: "b.yml") == """
        FAIL  s/a/10: frameNanoseconds.p50 is 50ns, 25% over the limit of 40ns
              by b.yml:7, frameNanoseconds.p50: <= 40ns, for s/a/*
              instead of b.yml:4, an earlier rule

        """)
  }

  @Test(arguments: ["a", "b"]) func anExplanationOfEitherStrategyNamesTheLimitOfTheirRatio(strategy: String) throws {
    let yaml = "budgets:\n" + limits("s/a/*", "ratio.a/b: '<= 10'")
    let found = try findings(yaml, [record("a", 10, cost: 50), record("b", 10, cost: 10)])
    let id = BenchmarkID(scenario: "s", strategy: strategy, size: 10)
    #expect(found.explanation(of: id, path: "b.yml").hasPrefix("pass  s/b/10: ratio.a/b is 5,"))
  }
}
