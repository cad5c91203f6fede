import Foundation
import FrameBench
import Testing

@testable import Markup
@testable import Measurements
@testable import Pages

@Suite struct ProfileFormatTests {
  @Test func foldedStacksAreOneLineEach() {
    #expect(
      FoldedStacks.render(ProfileFixtures.stacks) { $0.count } == """
        query;body;light 200
        query;body;light;memcpy 100
        solve;body;heavy 700

        """)
  }

  @Test func foldedNamesBreakNoLine() {
    let lines = FoldedStacks.render(ProfileFixtures.hostileStacks) { $0.count }.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(lines[0].split(separator: ";").count == 2)
    #expect(lines[0].hasSuffix(";g<U> 5"))
  }

  @Test(arguments: [ProfileFixtures.stacks, ProfileFixtures.hostileStacks, []]) func speedscopesFileFitsItsSchema(
    _ stacks: [ProfileStack]
  ) throws {
    let text = Speedscope.render(stacks, name: "a \"b\"", exporter: "springbench@0") { Double($0.count) * 0.5 }
    let file = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(file["$schema"] as? String == "https://www.speedscope.app/file-format-schema.json")
    let frames = try #require((file["shared"] as? [String: Any])?["frames"] as? [[String: Any]])
    #expect(frames.allSatisfy { $0["name"] is String })
    #expect(Set(frames.map { "\($0)" }).count == frames.count)
    let profile = try #require((file["profiles"] as? [[String: Any]])?.first)
    #expect(profile["type"] as? String == "sampled")
    let samples = try #require(profile["samples"] as? [[Int]])
    let weights = try #require(profile["weights"] as? [Double])
    #expect(samples.count == weights.count)
    #expect(samples.joined().allSatisfy(frames.indices.contains))
    #expect(profile["endValue"] as? Double == weights.reduce(0, +))
    for (sample, stack) in zip(samples, stacks) {
      #expect(sample.map { frames[$0]["name"] as? String } == stack.frames.map(\.function))
    }
  }

  @Test func theTraceFitsTheFormat() throws {
    let trace = try TraceFormat(ChromeTrace(timeline: ProfileFixtures.timeline(name: "a \"b\"\n")).render())
    #expect(trace.problems.isEmpty, "\(trace.problems)")
    #expect(trace.names("X").filter { $0.hasPrefix("frame ") } == (0..<6).map { "frame \($0)" })
    #expect(trace.names("X").filter { $0 == "solve" }.count == 6)
    #expect(trace.names("X").filter { $0 == "query" }.count == 6)
    #expect(Set(trace.names("C")) == ["active items", "allocations"])
    let marks = trace.events("i")
    #expect(marks.map { $0["name"] as? String } == ["budget missed"])
    #expect((marks[0]["args"] as? [String: Any])?["frame"] as? Int == 3)
    let items = trace.events("C").filter { $0["name"] as? String == "active items" }
    #expect(items.compactMap { ($0["args"] as? [String: Any])?["value"] as? Int } == [1, 2, 3, 4, 5, 6])
  }

  @Test func aTraceThatNestsWronglyIsSeen() throws {
    let wrong = """
      {"traceEvents":[{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":5},
      {"ph":"X","pid":1,"tid":1,"name":"b","ts":3,"dur":5},{"ph":"C","pid":1,"name":"c","ts":1,"args":{}}]}
      """
    #expect(try TraceFormat(wrong).problems.count == 2)
  }

  @Test func phasesStayOnlyAroundTheWorstFrames() throws {
    var timeline = ProfileFixtures.timeline()
    timeline.spans = (0..<40).flatMap { frame -> [Timeline.Span] in
      let start = Double(frame) * 100
      return [
        Timeline.Span(frame: frame, phase: "solve", start: start, end: start + 50),
        Timeline.Span(frame: frame, phase: nil, start: start, end: start + 60),
      ]
    }
    timeline.worstFrames = [30, 3]
    let trace = try TraceFormat(ChromeTrace(timeline: timeline).render())
    #expect(trace.problems.isEmpty, "\(trace.problems)")
    let phases = trace.events("X").filter { $0["name"] as? String == "solve" }
    let frames = phases.compactMap { ($0["args"] as? [String: Any])?["frame"] as? Int }
    #expect(frames == Array(0...8) + Array(25...35))
    #expect(trace.names("X").filter { $0.hasPrefix("frame ") }.count == 40)
    #expect(trace.names("i").filter { $0.hasPrefix("worst") } == ["worst frame 2", "worst frame 1"])
  }

  @Test func theAppsOwnFunctionsComeBeforeTheEngineBelowThem() throws {
    let own = CallFrame(function: "Layout.prepare()", file: "/app/Layout.swift", line: 22)
    let engine = CallFrame(function: "UIThing.move()", file: "/UIKit/UIThing.swift", line: 7, origin: .engine)
    let system = CallFrame(function: "malloc", origin: .system)
    let deep = ProfileStack(frames: [engine, own, engine, system], count: 30)
    #expect(deep.site == own && deep.engineSite == engine)
    // If a stack has no frame of the program, its cost is attributed to the frame of the engine.
    #expect(ProfileStack(frames: [engine, system], count: 1).site == engine)
    let costs = FunctionCost.costsInProgram(of: [deep, ProfileStack(frames: [engine, system], count: 70)])
    #expect(costs.map(\.frame) == [own] && costs[0].own == 30)
    // Without functions of the engine, the program's functions need no list of their own, because the list of all
    // functions is enough.
    #expect(FunctionCost.costsInProgram(of: [ProfileStack(frames: [own, system], count: 5)]).isEmpty)
  }

  @Test func whatLeavesItsWorkToOthersIsNamedBeforeWhatASampleHit() {
    let forwarder = CallFrame(function: "partial apply forwarder for closure #1")
    let chain = [forwarder, CallFrame(function: "parent"), CallFrame(function: "leaf")]
    let hits = (0..<20).map { ProfileStack(frames: [CallFrame(function: "hit \($0)")], count: 1) }
    let costs = FunctionCost.costs(of: hits + [ProfileStack(frames: chain, count: 980)])
    let named = FunctionCost.notable(costs, count: 3, whole: 1_000).map(\.frame.function)
    #expect(named.contains("parent") && named.first == "leaf" && !named.contains(forwarder.function))
    #expect(FunctionCost.notable(costs, count: 100, whole: 1_000) == costs)
  }

  @Test func functionsAreChargedOnceForRecursion() {
    let recursive = ["f", "g", "f"].map { ProfileFixtures.frame($0) }
    let costs = FunctionCost.costs(of: [ProfileStack(frames: recursive, count: 4)])
    #expect(costs.map(\.frame.function) == ["f", "g"])
    #expect(costs.map(\.own) == [4, 0])
    #expect(costs.map(\.total) == [4, 4])
  }

  @Test func noAllocationsAreSaidToBeNone() {
    let none = AllocationProfile(stacks: [], frameCount: 1_200, lostCount: 0)
    #expect(none.verdict == "no allocations in 1,200 frames")
    #expect(none.text(name: "a/b/1") == "a/b/1: no allocations in 1,200 frames\n")
    let page = ProfileFixtures.profile().summary(nil).markdown()
    #expect(page.contains("**no allocations in 6 frames**"))
    #expect(!page.contains("allocations.svg"))
  }

  @Test func allocationsThatFoundNoRoomAreStillCounted() {
    let some = AllocationProfile(stacks: ProfileFixtures.hostileStacks, frameCount: 10, lostCount: 2)
    #expect(some.count == 7)
    #expect(some.text(name: "x").contains("2 allocations had stacks that did not fit into memory"))
    #expect(some.text(name: "x").contains("5 allocations, 80 B; per frame 0.5 of 8 B on average"))
    #expect(some.text(name: "x").contains("first in frame 2"))
    var profile = ProfileFixtures.profile()
    profile.allocations = some
    let page = profile.summary(nil).markdown()
    #expect(page.contains("the stacks of 2 did not fit into memory") && !page.contains("none was missed"))
  }

  @Test func thePageNamesFunctionsSharesAndFiles() {
    let page = ProfileFixtures.profile().summary(nil).markdown()
    let row = page.split(separator: "\n").first { $0.contains("`heavy`") }
    #expect(row?.contains("`heavy.swift:7`") == true)
    #expect(row?.contains("700\u{A0}ns") == true && row?.contains("70%") == true)
    #expect(page.contains("**1 frame of 6 misses its budget of 200 ns**: 3."))
    let files = ProfileFixtures.profile().files(environment: nil, exporter: "x")
    #expect(files.count > 3)
    for (name, data) in files where name != ProfileFile.summary.rawValue {
      #expect(page.contains(name) && !data.isEmpty, "\(name)")
    }
  }

  @Test func moversAreFoundAndToldFromChance() throws {
    var slower = ProfileFixtures.stacks
    slower[0].count = 1_400
    slower[1].count = 205
    let difference = DifferentialProfile(
      id: ProfileFixtures.id, baselineName: "main", baseline: ProfileFixtures.sampled(), candidateName: "branch",
      candidate: ProfileFixtures.sampled(slower, nanoseconds: 1_705))
    let first = try #require(difference.movers.first)
    #expect(first.frame.function == "heavy")
    #expect(abs(first.change - 700) < 1e-9)
    #expect(first.isClear)
    #expect(difference.movers.filter(\.isClear).map(\.frame.function) == ["heavy"])
    let page = difference.blocks.markdown()
    #expect(page.contains("costs 1.71 µs in branch, 1.00 µs in main: +705 ns, 71% more."))
    #expect(difference.folded().contains("solve;body;heavy 700000 1400000\n"))
  }

  @Test func aBuildAgainstItselfHasNoClearMover() {
    let same = ProfileFixtures.sampled()
    let difference = DifferentialProfile(
      id: ProfileFixtures.id, baselineName: "a", baseline: same, candidateName: "b", candidate: same)
    #expect(difference.movers.allSatisfy { !$0.isClear && $0.change == 0 })
    #expect(difference.blocks.markdown().contains("No function changed by more than chance explains"))
  }
}
