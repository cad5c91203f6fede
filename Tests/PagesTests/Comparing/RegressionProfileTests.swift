import Foundation
import FrameBench
import Testing

@testable import Judging
@testable import Markup
@testable import Measurements
@testable import Pages

@Suite struct RegressionProfileTests {
  private static func id(_ size: Int) -> BenchmarkID { BenchmarkID(scenario: "springs", strategy: "naive", size: size) }

  private static func row(
    _ size: Int, _ baseline: Double, _ candidate: Double, _ verdict: ChangeVerdict = .regressed,
    metric: Metric = .frameTime, phase: String? = nil
  ) -> ComparisonRow {
    ComparisonRow(
      id: id(size), metric: metric, phase: phase, baseline: .number(baseline), candidate: .number(candidate),
      change: candidate / baseline - 1, verdict: verdict)
  }

  private static func profile(_ size: Int) -> RegressionProfile {
    RegressionProfile(
      id: id(size), folder: "out/a-profiles/s-\(size)",
      frame: .init(function: "frame", baseline: 1_000, candidate: 1_310, unit: .nanoseconds),
      movers: [
        .init(
          function: "Solver.step<A|B>(_:)", position: "Solver.swift:7", caller: "run()", baseline: 400, candidate: 700,
          unit: .nanoseconds), .init(function: "Grid.find(_:)", baseline: 10, candidate: 20, unit: .nanoseconds),
      ], allocators: [.init(function: "Grid.grow()", position: "Grid.swift:3", baseline: 0, candidate: 9, unit: .count)]
    )
  }

  @Test func theWorstOfTheFrameComesFirstAndExactFiguresLast() {
    let document = ComparisonReportTests.document([
      Self.row(1, 0, 5, metric: .allocationCount), Self.row(2, 100, 130), Self.row(3, 100, 150, .inconclusive),
      // In benchmark 4, only a small phase takes four times as long, so it ranks below benchmark 2.
      Self.row(4, 1_000, 1_000, .unchanged), Self.row(4, 10, 40, phase: "query"), Self.row(5, 100, 200),
    ])
    #expect(document.regressedBenchmarks == [Self.id(5), Self.id(2), Self.id(4), Self.id(1)])
  }

  @Test func theRowOfACauseNamesTheMoverAndLinksItsProfile() throws {
    var document = ComparisonReportTests.document([
      Self.row(1, 1_000, 1_310), Self.row(1, 800, 1_110, phase: "solve"), Self.row(1, 0, 9, metric: .allocationCount),
    ])
    document.profiles = [
      Self.profile(1), RegressionProfile(id: Self.id(2), problem: "no timer"),
      RegressionProfile(id: Self.id(3), problem: "no timer"),
      RegressionProfile(id: Self.id(4), folder: "out/x", problem: "no timer"),
    ]
    let linked = document.blocks { "../" + $0 }.markdown()
    let rows = linked.split(separator: "\n").filter { $0.hasPrefix("| **regressed**") }
    #expect(rows.count == 2)
    let link = "[profile](../out/a-profiles/s-1/profile.md)"
    #expect(
      rows[0].contains("`Grid.grow()` 0 → 9 allocations: [flame graph](../out/a-profiles/s-1/difference.svg), \(link)"),
      "\(rows)")
    // `Grid.find` grew much less than `Solver.step`, so the row does not name it.
    #expect(
      rows[1].contains(
        "<code>Solver.step&lt;A&#124;B&gt;(\\_:)</code> in `run()` +300 ns: [flame graph](../out/a-profiles/s-1/difference.svg), \(link)"
      ), "\(rows)")
    #expect(!linked.contains("Grid.find"))
    #expect(
      linked.contains(
        "ns (Solver.swift:7)**; **`Grid.grow()` 0 → 9 allocations (Grid.swift:3)**; \(link), [flame graph"))
    #expect(linked.contains("[flame graph of both](../out/a-profiles/s-1/difference.svg)"))
    #expect(linked.contains("- No profile of `springs/naive/2` and `springs/naive/3`: no timer\n"))
    #expect(linked.contains("- Not in the profile of `springs/naive/4`: no timer\n"))
    let unlinked = document.blocks().markdown()
    #expect(unlinked.contains("profile in `out/a-profiles/s-1/profile.md`") && !unlinked.contains("]("))
    let text = document.text(usesColor: false)
    #expect(text.contains("no profile of springs/naive/2 and springs/naive/3: no timer"))
    let sentences = document.checks().map(\.sentence)
    #expect(
      sentences[0].hasSuffix(
        "Solver.step<A|B>(_:) in run() +300 ns (Solver.swift:7), profile in out/a-profiles/s-1/profile.md"))
  }

  @Test func aChangeInSomeFramesIsProfiledInTheseFrames() {
    func document(_ more: ComparisonRow...) -> ComparisonDocument {
      var part = Self.row(1, 1_000, 2_000)
      part.frames = FrameSet(FrameSet.Stride(first: 780, last: 879))
      var document = ComparisonReportTests.document([Self.row(1, 1_000, 1_100), part] + more)
      var profile = Self.profile(1)
      profile.frames = document.slowerFrames(of: Self.id(1))
      document.profiles = [profile]
      return document
    }
    #expect(document().slowerFrames(of: Self.id(1))?.frames == Array(780...879))
    #expect(document().slowerFrames(of: Self.id(2)) == nil)
    #expect(document().blocks().markdown().contains("its quickest 1.00 µs → 1.31 µs (frames 780 to 879)"))
    var median = Self.row(1, 1_000, 1_100)
    median.statistic = .p50
    #expect(document(median).slowerFrames(of: Self.id(1)) == nil)
    #expect(document(median).blocks().markdown().contains("its quickest 1.00 µs → 1.31 µs\n"))
  }

  @Test func rowsHaveFourMoreKeysWhereProfilesWereAskedFor() throws {
    var document = ComparisonReportTests.document([
      Self.row(1, 1_000, 1_310), Self.row(2, 1_000, 1_200), Self.row(3, 1_000, 1_000, .unchanged),
    ])
    document.profiles = [Self.profile(1), RegressionProfile(id: Self.id(2), problem: "no timer")]
    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(document.flatRowsJSON().utf8)) as? [[String: Any]])
    #expect(rows.map(\.count) == [17, 17, 13])
    #expect(rows[0]["profile"] as? String == "out/a-profiles/s-1/profile.md")
    #expect(rows[0]["largestMover"] as? String == "Solver.step<A|B>(_:)")
    #expect(rows[0]["largestMoverCaller"] as? String == "run()")
    #expect(rows[0]["profileProblem"] is NSNull)
    #expect(rows[1]["profile"] is NSNull && rows[1]["largestMover"] is NSNull)
    #expect(rows[1]["profileProblem"] as? String == "no timer")
  }

  // MARK: What grew

  private static func stack(_ names: [(String, CallFrame.Origin)], line: Int = 1, _ count: Int) -> ProfileStack {
    ProfileStack(
      frames: names.map { CallFrame(function: $0.0, file: "/s/\($0.0).swift", line: line, origin: $0.1) }, count: count)
  }

  private static func sampled(_ nanoseconds: Double, _ stacks: [ProfileStack]) -> SampledProfile {
    SampledProfile(
      stacks: stacks, harnessCount: 0, incompleteCount: 0, repetitionCount: 1, frameNanoseconds: nanoseconds)
  }

  @Test func aFrameWhoseTimeIsUncertainMakesNoGrowthClear() {
    var sides = [1_000.0, 1_080].map { Self.sampled($0, [Self.stack([("step", .program)], 4_000)]) }
    func growths() -> [String] {
      DifferentialProfile(
        id: Self.id(1), baselineName: "main", baseline: sides[0], candidateName: "branch", candidate: sides[1]
      ).growths.map(\.frame.function)
    }
    #expect(growths() == ["step"])
    sides[1].frameError = 40
    #expect(growths().isEmpty)
  }

  @Test func whatLibrariesDoIsTheFunctionsOwnGrowth() throws {
    let (phase, run) = (("solve", CallFrame.Origin.phase), ("run", CallFrame.Origin.program))
    let (step, find) = (("step", CallFrame.Origin.program), ("find", CallFrame.Origin.program))
    let sine = ("sin", CallFrame.Origin.system)
    let difference = DifferentialProfile(
      id: Self.id(1), baselineName: "main",
      baseline: Self.sampled(
        1_000,
        [
          Self.stack([phase, run, step], 300), Self.stack([phase, find, step], 200), Self.stack([phase, find], 480),
          Self.stack([phase], 20),
        ]), candidateName: "branch",
      candidate: Self.sampled(
        2_000,
        [
          Self.stack([phase, run, step], line: 8, 300), Self.stack([phase, run, step, sine], line: 9, 350),
          Self.stack([phase, find, step], line: 7, 100), Self.stack([phase, find], 250),
        ]))
    // `step` has 750 samples of 2 ns in the candidate and 500 of 1 ns in the baseline. `find` grew by no more than
    // chance explains.
    #expect(difference.growths.map(\.frame.function) == ["step"])
    let growth = try #require(difference.growths.first)
    #expect((growth.baseline, growth.candidate) == (500, 1_500))
    #expect(growth.frame.line == 9 && growth.caller?.function == "run")
    #expect(difference.blocks.markdown().contains("**`step` grew most: +1.00 µs** (`step.swift:9`), called by `run`."))
  }

  @Test func whoAllocatesMoreComesFirstByNumberThenByBytes() {
    func stack(_ name: String, _ count: Int, _ bytes: Int) -> ProfileStack {
      ProfileStack(
        frames: [
          CallFrame(function: name, file: "/s/a.swift", line: 3), CallFrame(function: "malloc", origin: .system),
        ], count: count, bytes: bytes)
    }
    let difference = AllocationDifference(
      baseline: AllocationProfile(
        stacks: [stack("same", 4, 64), stack("fewer", 9, 90), stack("wider", 2, 20)], frameCount: 10, lostCount: 0),
      candidate: AllocationProfile(
        stacks: [
          stack("same", 4, 64), stack("fewer", 1, 900), stack("wider", 2, 32), stack("new", 3, 48), stack("new", 2, 32),
        ], frameCount: 10, lostCount: 0))
    #expect(difference.growths.map(\.site.function) == ["new", "wider"])
    #expect(difference.growths[0].mover.text == "0 → 5 allocations")
    #expect(difference.growths[1].mover.text == "20.0 B → 32.0 B allocated")
    let page = difference.blocks(baselineName: "main", candidateName: "branch").markdown()
    #expect(page.contains("branch: 12 allocations of 1") && page.contains("| `new`"))
  }
}
