import Foundation
import FrameBench
import Testing

@testable import Builds
@testable import Execution
@testable import Measurements
@testable import Pages
@testable import Program

@Suite struct CapacitySearchTests {
  /// Runs a search in which a frame with `n` items takes `cost(n)` nanoseconds.
  private func run(start: Int = 100, ceiling: Int = 1_000_000_000, cost: (Double) -> Double) -> CapacityRecord {
    var search = search(budget: 1_000_000, start: start, ceiling: ceiling)
    while let size = search.next, search.record.probes.count < 200 {
      search.add(
        CapacityRecord.Probe(
          itemCount: size, runCount: 1, p50Nanoseconds: cost(Double(size)), p99Nanoseconds: cost(Double(size))))
    }
    return search.record
  }

  private func search(budget: Double, start: Int, ceiling: Int) -> CapacitySearch {
    let id = BenchmarkID(scenario: "s", strategy: "a", size: start)
    var record = CapacityRecord(of: id, RunOptions(), precision: CapacitySearch.precision)
    record.budgetNanoseconds = budget
    return CapacitySearch(record, start: start, ceiling: ceiling)
  }

  @Test(arguments: [0.39, 7.0, 133.0], [1, 100, 5_000_000]) func aLinearCostIsFoundToWithinThePrecisionFromAnyStart(
    _ slope: Double, _ start: Int
  ) throws {
    let search = run(start: start) { 500 + slope * $0 }
    let truth = (1_000_000 - 500) / slope
    let fitting = try #require(search.itemCount)
    let exceeding = try #require(search.exceedingItemCount)
    #expect(Double(fitting) <= truth)
    #expect(Double(exceeding) > truth)
    #expect(Double(exceeding) <= Double(fitting) * 1.05 || exceeding == fitting + 1)
    #expect(search.probes.count < 25)
    #expect(Set(search.probes.map(\.itemCount)).count == search.probes.count)
  }

  @Test func growthGoesJustBeyondWhereTheBudgetIsForetold() {
    let search = run { $0 }
    // By the line through the costs of 100 and 400 items, a million items take the whole budget.
    let tooLarge = search.probes.filter { $0.p99Nanoseconds > 1_000_000 }
    #expect(tooLarge.allSatisfy { $0.itemCount <= 1_100_000 })
    #expect(!tooLarge.isEmpty)
  }

  @Test func aCostThatJumpsIsFoundToo() throws {
    let search = run { $0 <= 123_456 ? 10 : 2_000_000 }
    let fitting = try #require(search.itemCount)
    #expect((117_577...123_456).contains(fitting))
  }

  @Test func aFlatCostEndsAtTheCeiling() {
    let search = run(ceiling: 7_777) { _ in 300 }
    #expect(search.itemCount == 7_777)
    #expect(search.exceedingItemCount == nil)
    #expect(search.probes.map(\.itemCount) == [100, 400, 1_600, 6_400, 7_777])
  }

  @Test func whereNotEvenOneItemFitsNothingIsFound() {
    let search = run { _ in 2_000_000 }
    #expect(search.itemCount == nil)
    #expect(search.exceedingItemCount == 1)
  }

  @Test func aStartBeyondTheCeilingStartsAtTheCeiling() {
    #expect(run(start: 500, ceiling: 50) { _ in 1 }.probes.map(\.itemCount) == [50])
  }

  @Test func noiseThatMakesALongerListCheaperDoesNotHangTheSearch() {
    var search = search(budget: 10, start: 100, ceiling: 1_000)
    search.add(CapacityRecord.Probe(itemCount: 100, runCount: 1, p50Nanoseconds: 11, p99Nanoseconds: 11))
    search.add(CapacityRecord.Probe(itemCount: 400, runCount: 1, p50Nanoseconds: 9, p99Nanoseconds: 9))
    #expect(search.next == nil)
  }

  @Test func memoryIsCheckedByTheScenariosOwnEstimate() async throws {
    let program = try FixtureProcess.path
    let benchmark = try await Catalogue(of: [program]).benchmark("oversized/mine/10").id
    var finder = CapacityFinder(
      runner: Runner(benchmarks: [], options: RunOptions(), programs: ProgramPaths(paths: [[program]])),
      limit: .seconds(1), availableMemoryBytes: 25_990_000_000_000)
    #expect(try await finder.ceiling(of: benchmark) == 25)
    finder.availableMemoryBytes = nil
    #expect(try await finder.ceiling(of: benchmark) == Catalogue.largestSize)
  }

  @Test func aSizeThatWouldNeedMoreMemoryThanThereIsIsNotTried() async throws {
    let program = try FixtureProcess.path
    let start = try await Catalogue(of: [program]).benchmark("narrow/mine/20").id
    var options = RunOptions()
    (options.frameCount, options.warmUpFrameCount) = (12, 1)
    let finder = CapacityFinder(
      runner: Runner(benchmarks: [], options: options, programs: ProgramPaths(paths: [[program]])),
      limit: .seconds(3_600), availableMemoryBytes: 1_000_000)
    let record = try await finder.search(from: start) { _ in }
    #expect(record.probes.map(\.itemCount) == [20] && record.end == .memoryLimit, "\(record)")
  }

  @Test func aRunThatWouldTakeTooLongReachesTheTimeLimit() async throws {
    let program = try FixtureProcess.path
    let start = try await Catalogue(of: [program]).benchmark("limited/mine/10").id
    let finder = CapacityFinder(
      runner: Runner(benchmarks: [], options: RunOptions(), programs: ProgramPaths(paths: [[program]])),
      limit: .seconds(2))
    let record = try await finder.search(from: start) { _ in }
    #expect(record.end == .timeLimit && record.failure == nil)
  }

  @Test(
    arguments: [
      // The p99 fits the budget, which is 10, and a second run cannot change this.
      (1, 1.0, 5.0, 10.0, nil, true),
      // The slowest frames exceed the budget. This may be due to other programs, so more runs are needed.
      (1, 1, 5, 90, nil, false), (2, 1, 5, 50, 90, false), (3, 1, 5, 30, 50, false),
      // No more runs are needed: the minimum of the p99 no longer falls, or there have been ten runs.
      (3, 1, 5, 29.5, 30, true), (10, 1, 5, 20, 30, true),
      // Close to the budget, more runs are needed to be sure.
      (3, 1, 5, 12, 12, false), (6, 1, 5, 12, 12, true),
      // A single run is enough only if even the fastest frames exceed the budget by far.
      (1, 13, 14, 15, nil, true), (1, 12, 14, 15, nil, false), (2, 9, 12, 15, 90, true),
    ] as [(Int, Double, Double, Double, Double?, Bool)]) func aSizeThatDoesNotFitRunsUntilItsMinimaSettle(
      _ runCount: Int, _ p10: Double, _ p50: Double, _ p99: Double, _ earlier: Double?, _ isFinal: Bool
    )
  {
    let isSettled = CapacityFinder.isSettled(
      p10: p10, p50: p50, p99: p99, earlierP99: earlier, runCount: runCount, budget: 10)
    #expect(isSettled == isFinal)
  }

  @Test func aRunSearchesOnceForEachStrategyFromItsLargestSize() async throws {
    let folder = try TemporaryFolder()
    let process = try await FixtureProcess.run([
      "run", "--filter", "narrow", "--capacity", "--frames", "12", "--warm-up", "1", "--runs", "1", "--share", "0.9",
      "--output", folder.path, "--machine", "m",
    ])
    #expect(process.status == 0)
    let path = try #require(folder.contents.first { $0.hasSuffix("run.json") })
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(path)"))
    let document = try JSONDecoder().decode(RunDocument.self, from: data)
    let capacities = try #require(document.capacities)
    #expect(capacities.map(\.strategy) == ["mine", "other"])
    for capacity in capacities {
      #expect(capacity.probes.first?.itemCount == 20)
      #expect(capacity.share == 0.9)
      // The search tries 20, 80, 320 and 1,280 items. The scenario refuses more than 1,000.
      #expect(capacity.itemCount == 320)
      #expect(capacity.end == .failure)
      #expect(capacity.failure?.contains("narrow/\(capacity.strategy)/1280: set-up failed") == true)
    }
    #expect(document.options.budgetShare == 0.9)
    #expect(document.calibration?.end != nil)
    #expect(document.benchmarks.allSatisfy { $0.budget?.share == 0.9 })
    let report = path.replacing("run.json", with: "report.md")
    let text = try String(contentsOfFile: "\(folder.path)/\(report)", encoding: .utf8)
    #expect(text.contains("### Capacity"))
    #expect(text.contains("mine takes at least 320 items"))
  }

  @Test func functionsHaveNoCapacity() async throws {
    let folder = try TemporaryFolder()
    try await FixtureProcess.run(
      ["run", "--filter", "^sum/", "--capacity", "--frames", "2", "--runs", "1", "--output", folder.path],
      environment: ["FIXTURE_ONLY_EXAMPLES": "1"])
    let path = try #require(folder.contents.first { $0.hasSuffix("run.json") })
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(path)"))
    #expect(try JSONDecoder().decode(RunDocument.self, from: data).capacities?.isEmpty == true)
  }

  @Test func withoutTheFlagNothingIsSearched() async throws {
    let folder = try TemporaryFolder()
    try await FixtureProcess.run([
      "run", "--filter", "narrow/mine/20", "--frames", "2", "--runs", "1", "--output", folder.path,
    ])
    let path = try #require(folder.contents.first { $0.hasSuffix("run.json") })
    let text = try String(contentsOfFile: "\(folder.path)/\(path)", encoding: .utf8)
    #expect(!text.contains("capacities"))
    #expect(text.contains("\"calibration\""))
  }
}
