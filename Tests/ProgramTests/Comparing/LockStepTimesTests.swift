import Pages
import Testing

@testable import FrameBench
@testable import Judging
@testable import Program

/// What all processes of a comparison tell of single frames.
@Suite struct LockStepTimesTests {
  private static func times(_ costs: (_ process: Int, _ build: Build, _ frame: Int) -> Double) -> LockStepTimes {
    var times = LockStepTimes()
    times.add(pairCost: 10, order: nil, phases: [], [.init(change: 0, control: 0, baseline: 1, candidate: 1)])
    for process in 0..<5 {
      for build in Build.allCases {
        let frames = (0..<40).map { costs(process, build, $0) }
        times.addFrames([frames, frames], of: build, phases: ["solve"], frameCount: 40)
      }
    }
    return times
  }

  /// Sets of two things in one link order after another; `factor` says what an order does to the second.
  private static func sets(_ orders: [Int?], pace: (Int) -> Double = { _ in 1 }, factor: (Int) -> Double)
    -> LockStepTimes
  {
    var times = LockStepTimes()
    for (set, order) in orders.enumerated() {
      let costs = [1_000, 100 * factor(order ?? 0)].map { $0 * pace(set) }
      times.add(
        pairCost: 10, order: order, phases: ["solve"],
        costs.map { .init(change: Double(set), control: 0, baseline: $0, candidate: $0) })
    }
    return times
  }

  @Test func setsOfOneOrderAreOneObservation() {
    let times = Self.sets([0, 1, 2, 0, 1]) { _ in 1 }
    #expect(times.times(of: nil).changes == [1.5, 2.5, 2])
    #expect(Self.sets([nil, nil, nil]) { _ in 1 }.times(of: nil).changes == [0, 1, 2])
  }

  @Test func theSpreadOfLayoutsIsThatOfTheirTimes() throws {
    // Orders that are 5% slower or faster, drawn by a fixed rule.
    let orders = Array(0..<32)
    let times = Self.sets(orders) { $0 * 7 % 11 < 5 ? 1.05 : 0.95 }
    let spread = try #require(times.layoutSpread(of: "solve"))
    #expect((0.03...0.12).contains(spread), "\(spread)")
    #expect(times.layoutSpread(of: nil) == 0)
    #expect(Self.sets(Array(repeating: nil, count: 32)) { _ in 1 }.layoutSpread(of: nil) == nil)
    #expect(Self.sets([0, 1, 2]) { _ in 1 }.layoutSpread(of: nil) == nil)
  }

  @Test func aMachineThatChangesItsPaceIsNoSpreadOfLayouts() throws {
    let times = Self.sets(Array(0..<32), pace: { $0 % 3 == 0 ? 1.5 : 1 }) { _ in 1 }
    #expect(try #require(times.layoutSpread(of: "solve")) < 1e-9)
  }

  @Test func aFrameThatWasPreemptedInOneProcessDoesNotStandOut() throws {
    let times = Self.times { process, build, frame in
      // Another frame in every process, for ten milliseconds.
      if build == .candidate, frame == 7 * process { return 1e7 }
      return (build == .baseline ? 1_010 : 1_030) + Double(frame % 3)
    }
    let difference = try #require(times.difference(of: nil))
    #expect(difference.frames.isEmpty)
    #expect(difference.sentence == "spread over all frames")
  }

  @Test func framesThatCostMoreInEveryProcessAreNamed() throws {
    let times = Self.times { process, build, frame in
      if build == .candidate, frame == 12 || frame == 13 { return 2_010 }
      return 1_010 + Double((frame + process) % 3)
    }
    let difference = try #require(times.difference(of: nil))
    #expect(difference.frames == [12, 13])
    #expect(difference.worstCandidate == 2_000)
  }

  @Test func theTimesShownAreTheMeansOfTheWholeScrollAndTheChangeThatOfTheTurns() throws {
    let record = try StoredRuns.document(times: [100, 120]).benchmarks[0]
    let turns = ComparisonRow(
      id: record.id, metric: .frameTime, baseline: .number(40), candidate: .number(42), change: 0.05,
      verdict: .regressed)
    let row = turns.measured(from: record)
    #expect(row.baseline == .number(110))
    #expect(row.candidate == .number(110 * 1.05))
    #expect(row.change == 0.05 && row.verdict == .regressed)
    #expect(turns.measured(from: nil) == turns)
    var phase = turns
    phase.phase = "query"
    #expect(phase.measured(from: record) == phase, "the run has no such phase")
  }
}
