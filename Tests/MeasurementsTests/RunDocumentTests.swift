import Foundation
import Testing

@testable import FrameBench
@testable import Measurements

@Suite struct RunDocumentTests {
  @Test func aDocumentSurvivesItsJSON() throws {
    let document = RunDocument.sample
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let data = try encoder.encode(document)
    #expect(try JSONDecoder().decode(RunDocument.self, from: data) == document)
    #expect(try encoder.encode(try JSONDecoder().decode(RunDocument.self, from: data)) == data)
  }

  @Test(arguments: [(1, true), (2 << 30, true), (1 << 53, true), (0, false), (-5, false)])
  func anAmountOfWorkIsPositive(_ amount: Int, _ isRead: Bool) throws {
    var document = RunDocument.sample
    document.options.frameCount = 3
    document.benchmarks[0].throughput = .bytes(amount)
    let read = try? RunDocument(contentsOf: document.encoded())
    #expect((read == document) == isRead)
  }

  @Test func aCounterWithTheNameOfAFigureIsKeptApartFromIt() throws {
    let names = ["allocationCount", "counter.missedFrames", "frameNanoseconds.solve", "load", "missedFrames"]
    var run = RunMeasurement.sample(
      counters: Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, CountSeries([$0])) }))
    run.counterKinds = ["allocationCount": CounterKind(unit: .bytes), "load": CounterKind(direction: .neither)]
    run.keepCountersApart()
    #expect(
      run.counters.mapValues(\.total) == [
        "counter.allocationCount": 0, "counter.missedFrames": 1, "counter.frameNanoseconds.solve": 2, "load": 3,
        "counter.counter.missedFrames": 4,
      ])
    #expect(run.counterKinds?["counter.allocationCount"]?.unit == .bytes && run.counterKinds?.count == 2)
    let record = try #require(BenchmarkRecord(id: BenchmarkID(scenario: "a", strategy: "b", size: 1), exactlyOf: [run]))
    let metrics = Metric.measured(in: record).map(\.name)
    #expect(Set(metrics).count == metrics.count)
  }

  @Test(
    arguments: [
      (["solve", "query"], nil), (["so\nlve"], "control character"), (["\u{E9}", "e\u{301}"], "read the same"),
    ] as [([String], String?)]) func namesOfPhasesThatNoDocumentHoldsAreRefused(_ names: [String], _ problem: String?)
  {
    let run = RunMeasurement.sample(phases: names.map { PhaseMeasurement(name: $0) })
    #expect(run.problemOfPhaseNames.map { $0.contains(problem ?? "-") } == (problem == nil ? nil : true))
  }

  @Test func whatIsAbsentIsLeftOutAndNotZero() throws {
    let text = String(decoding: try JSONEncoder().encode(RunDocument.sample), as: UTF8.self)
    #expect(!text.contains("liveHeapBytes"))
    #expect(text.contains("\"peakResidentBytes\":4096"))
  }

  @Test func steadyCountsAreShort() throws {
    let data = try JSONEncoder().encode(CountSeries(repeatElement(0, count: 1_000)))
    #expect(String(decoding: data, as: UTF8.self) == "[[0,1000]]")
  }

  @Test(arguments: ["[[0,0]]", "[[0,-1]]", "[[1]]", "[1,2]", "{}"]) func countsThatMakeNoSenseAreRefused(_ text: String)
  { #expect(throws: (any Error).self) { try JSONDecoder().decode(CountSeries.self, from: Data(text.utf8)) } }

  @Test(arguments: ["a/b/0", "a/b/-1", "a/b", "a//1", "/b/1", "a/b/1/2", "a/b/x", ""]) func textThatIsNoIdIsRefused(
    _ text: String
  ) {
    #expect(BenchmarkID(text) == nil)
    let json = Data("\"\(text)\"".utf8)
    #expect(throws: (any Error).self) { try JSONDecoder().decode(BenchmarkID.self, from: json) }
  }
}

@Suite struct StretchRecordTests {
  private let record = StretchRecord(scenario: "springs", size: 10, frameNames: ["drag", "drag", "fling", "drag"])

  @Test func stretchesAreRunsOfNames() {
    #expect(record.names == ["drag", "fling"])
    #expect((-1...4).map(record.name(ofFrame:)) == [nil, "drag", "drag", "fling", "drag", nil])
    #expect(record.runs.map(\.name) == ["drag", "fling", "drag"])
    #expect(record.runs.map(\.frames) == [0..<2, 2..<3, 3..<4])
  }

  @Test func aDocumentKeepsThemAndFindsThemByScenarioAndSize() throws {
    var document = RunDocument.sample
    document.options.frameCount = 4
    document.benchmarks = []
    document.stretches = [record]
    let read = try RunDocument(contentsOf: document.encoded())
    #expect(read == document && read.stretches(scenario: "springs", size: 10) == record)
    #expect(read.stretches(scenario: "springs", size: 11) == nil)
  }

  @Test(arguments: [
    (#"[[0,3]]"#, #"["drag"]"#, "stretches[0].frames: 3 values"),
    (#"[[0,4]]"#, #"[]"#, "stretches[0].names: there is none"),
    (#"[[0,2],[2,2]]"#, #"["drag","fling"]"#, "stretches[0].frames[1]: 2 does not lie between 0 and 1"),
    (#"[[-1,4]]"#, #"["drag"]"#, "stretches[0].frames[0]: -1 does not lie"),
    (#"[[0,4]]"#, #"["drag","drag"]"#, "stretches[0].names[1]: \"drag\" occurs for the second time"),
    (#"[[0,9000000000000000000]]"#, #"["drag"]"#, "stretches[0].frames: together with"),
  ]) func whatCannotHaveBeenWrittenIsRefusedBeforeItIsExpanded(frames: String, names: String, problem: String) throws {
    var document = RunDocument.sample
    document.options.frameCount = 4
    document.benchmarks = []
    document.stretches = [record]
    let text = String(decoding: try document.encoded(), as: UTF8.self).replacing("[[0,2],[1,1],[0,1]]", with: frames)
      .replacing(#"["drag","fling"]"#, with: names)
    let error = #expect(throws: RunDocumentError.self) { try RunDocument(contentsOf: Data(text.utf8)) }
    #expect("\(try #require(error))".contains(problem))
  }

  @Test func aScenarioWithFramesOfItsOwnHasAsManyNames() throws {
    var document = RunDocument.sample
    document.benchmarks = []
    document.options.frameCount = 9
    document.options.scenarioFrames = ["springs": .init(recorded: 4)]
    for scenario in ["springs", "springs/viewport=320"] {
      document.stretches = [record]
      document.stretches?[0].scenario = scenario
      #expect(try RunDocument(contentsOf: document.encoded()) == document)
    }
    document.stretches?[0].scenario = "drag"
    #expect(throws: RunDocumentError.self) { try RunDocument(contentsOf: document.encoded()) }
  }

  @Test func aScenarioAndSizeStandsOnce() throws {
    var document = RunDocument.sample
    document.options.frameCount = 4
    document.benchmarks = []
    document.stretches = [record, record]
    let error = #expect(throws: RunDocumentError.self) { try RunDocument(contentsOf: document.encoded()) }
    #expect("\(try #require(error))".contains("stretches[1]"))
  }

  @Test func mergingKeepsThoseOfEachPart() throws {
    var documents = (0..<2).map { _ in RunDocument.sample }
    for index in documents.indices {
      documents[index].options.frameCount = 4
      documents[index].benchmarks[0].id.strategy = "s\(index)"
      documents[index].failures = []
      documents[index].stretches = [record]
    }
    documents[1].stretches?.append(
      StretchRecord(scenario: "springs", size: 20, frameNames: repeatElement("rest", count: 4)))
    let merged = try DocumentMerge.merged([("a", documents[0]), ("b", documents[1])]).document
    #expect(merged.stretches?.map(\.size) == [10, 20])
  }
}

extension RunDocument {
  static var sample: RunDocument {
    let counts = AllocationSeries(count: CountSeries([0, 0, 2]), bytes: CountSeries([0, 0, 96]))
    let time = TimeRuns(runs: [[120.5, 130, 99.9]], clockPairs: nil, pairCosts: [20], clockStep: 0).record()
    let id = BenchmarkID(scenario: "springs", strategy: "naive", size: 10)
    let record = BenchmarkRecord(
      id: id, frame: time, phases: [PhaseRecord(name: "solve", time: time, allocations: counts)],
      allocations: AllocationRecord(
        frameThread: counts, otherThreads: counts, setUpCount: 5, setUpBytes: 500, warmUpCount: 1, warmUpBytes: 8),
      counters: ["activeItems": CountSeries([10, 10, 11])],
      memory: MemoryRecord(peakResidentBytes: 4_096, liveHeapBytes: nil), checksum: "00000000000000aa")
    return RunDocument(
      suite: "sample", startedAt: "2026-11-21T06:47:12Z", durationSeconds: 1.25, arguments: ["run"],
      options: RunOptions(),
      environment: Environment(
        machine: "desk", cpuModel: nil, coreCount: 4, memoryBytes: nil, kernel: "Linux 6", operatingSystem: nil,
        isVirtualMachine: true, commit: nil, isDirty: nil, toolchain: "6.3", buildConfiguration: "debug",
        allocator: "system", clock: ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 10),
        loadAverage: 0.5), benchmarks: [record],
      failures: [BenchmarkFailure(id: id, reason: "crashed", standardError: "a\nb")],
      warnings: [Warning("doubtful", benchmark: id), Warning("all of it")])
  }
}
