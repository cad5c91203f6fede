import CFrameClock
import CProcessControl
import Foundation
import Statistics
import Testing

@testable import FrameBench
@testable import Measurements

@Suite struct TurnWorkerTests {
  /// Returns a suite whose frames record their index, so that a test can see which frames ran.
  private static func suite(_ seen: Seen = Seen()) -> Suite {
    var suite = Suite("turns")
    suite.add("counting", strategies: ["mine"], sizes: [10]) { _, _ in
      seen.setUps += 1
      return { frame, timer in
        if !frame.isWarmUp { seen.frames.append(frame.index) }
        seen.order.append(frame.index)
        if frame.index == 0 { usleep(seen.firstFrameMicroseconds) }
        timer.measure(.solve) { seen.work &+= UInt64(frame.index) }
        timer.measure(.query) {}
        timer.endFrame()
        timer.observe(item: 5, x: 1, y: Double(frame.index))
        return 0
      }
    }
    return suite
  }

  private final class Seen: @unchecked Sendable {
    var setUps = 0
    var firstFrameMicroseconds: UInt32 = 0
    var frames: [Int] = []
    /// The frames that ran, with those of warm-ups.
    var order: [Int] = []
    var work: UInt64 = 0
  }

  private static func worker(
    _ seen: Seen, frameCount: Int = 40, warmUp: Int = 3, planting: PlantingOptions? = nil, earlier: TurnReadiness? = nil
  ) throws -> TurnWorker {
    var options = RunOptions()
    options.frameCount = frameCount
    options.warmUpFrameCount = warmUp
    let request = WorkerRequest(
      benchmark: BenchmarkID(scenario: "counting", strategy: "mine", size: 10), pass: .frames, options: options)
    return try TurnWorker(suite(seen), request, TurnOptions(layoutSeed: 1, planting: planting, earlier: earlier))
  }

  @Test(arguments: [(["solve", "query"], 1), (["solve", "rare"], 2)]) func whatAnEarlierProcessFoundIsNotFoundAgain(
    phases: [String], setUpCount: Int
  ) throws {
    let seen = Seen()
    let earlier = TurnReadiness(phases: phases, frameNanoseconds: 123_456, pairCostNanoseconds: 1)
    let worker = try Self.worker(seen, earlier: earlier)
    #expect(seen.setUps == setUpCount && seen.frames.isEmpty == (setUpCount == 1))
    // The worker reports the frame time that the earlier process measured. What a worker does between frames depends on
    // this time, and must be the same in both builds.
    #expect(worker.readiness.frameNanoseconds == 123_456)
    #expect(worker.readiness.phases == ["solve", "query"])
  }

  @Test func aSlowFirstFrameDoesNotMakeTheOthersLookLong() throws {
    let seen = Seen()
    seen.firstFrameMicroseconds = 400_000
    let measured = try #require(try Self.worker(seen).readiness.measuredNanoseconds)
    #expect(measured < 100_000_000)
  }

  @Test func theFirstTurnBeginsAtTheFirstRecordedFrame() throws {
    let seen = Seen()
    let worker = try Self.worker(seen)
    seen.frames = []
    _ = try worker.answer(to: .frames(4))
    _ = try worker.answer(to: .phases(2))
    #expect(seen.frames == [3, 4, 5, 6, 7, 8])
    #expect(worker.readiness.phases == ["solve", "query"])
    #expect(worker.readiness.frameNanoseconds > 0)
  }

  @Test func theEndOfTheWarmUpComesRightBeforeTheFirstTurn() throws {
    let seen = Seen()
    let earlier = TurnReadiness(phases: ["solve", "query"], frameNanoseconds: 400_000, pairCostNanoseconds: 1)
    let worker = try Self.worker(seen, frameCount: 5, warmUp: 12, earlier: earlier)
    #expect(seen.order == Array(0..<8))
    _ = try worker.answer(to: .phases(2))
    #expect(seen.order == Array(0..<14))
    _ = try worker.answer(to: .frames(4))
    #expect(seen.order == Array(0..<17) + Array(0..<13) && seen.setUps == 2)
  }

  /// Runs in a separate process, pinned to a core that two other processes use. A frame needs the core for 8 ms.
  @Test func timeThatOthersHaveTheCoreForIsNoPartOfAFrame() async {
    await #expect(processExitsWith: .success) {
      var allowed: Int32 = -1
      guard process_control_allowed_cores(&allowed, 1) > 0, WorkerCores.pin([Int(allowed)]) else { return }
      nonisolated(unsafe) var suite = Suite("turns")
      suite.add("counting", strategies: ["mine"], sizes: [10]) { _, _ in
        { _, timer in
          timer.measure(.solve) { spin(milliseconds: 7) }
          timer.measure(.query) { spin(milliseconds: 1) }
          timer.endFrame()
          return 0
        }
      }
      let words = ["sh", "-c", "ulimit -t 20; while :; do :; done"]
      let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
      var others: [pid_t] = [0, 0]
      for place in 0..<2 { precondition(posix_spawn(&others[place], "/bin/sh", nil, nil, arguments, environ) == 0) }
      defer { for other in others { kill(other, SIGKILL) } }
      let id = BenchmarkID(scenario: "counting", strategy: "mine", size: 10)
      var options = RunOptions()
      (options.frameCount, options.warmUpFrameCount) = (12, 1)
      let request = WorkerRequest(benchmark: id, pass: .frames, options: options)
      let worker = try TurnWorker(suite, request, TurnOptions(layoutSeed: 1))
      guard case .phases(let spans) = try worker.answer(to: .phases(12)) else { preconditionFailure("no phases") }
      // Medians are compared, because single frames may include time that the hypervisor took.
      let preempted = spans[0].indices.filter { spans[0][$0].nanoseconds < 0 }
      let times = preempted.map { frame in spans.map { abs($0[frame].nanoseconds) } }
      precondition(!preempted.isEmpty, "none was preempted: \(spans[0])")
      precondition((7.5e6..<12e6).contains(Quantile.median(times.map { $0[0] })), "\(spans)")
      precondition(Quantile.median(times.map { abs($0[0] - $0[1] - $0[2]) }) < 5e5, "\(spans)")
    }
  }

  @Test func everyFrameOfAFunctionHasAsManyCalls() throws {
    nonisolated(unsafe) var count = 0
    var suite = Suite("turns")
    suite.measure("counting", sizes: [10]) { _ in { count &+= 1 } }
    var options = RunOptions()
    (options.frameCount, options.warmUpFrameCount) = (40, 3)
    let id = BenchmarkID(scenario: "counting", strategy: "default", size: 10)
    let request = WorkerRequest(benchmark: id, pass: .frames, options: options)
    let worker = try TurnWorker(suite, request, TurnOptions(layoutSeed: 1))
    // The last two turns reach the end of the scroll, which starts over with three warm-up frames of one call each.
    let calls = try [20, 20, 30, 30].map { frames in
      let before = count
      _ = try worker.answer(to: .frames(frames))
      return count - before
    }
    #expect(calls[0] > 20 && calls[1] == calls[0])
    #expect(calls[2] == calls[0] / 20 * 30 + 3 && calls[3] == calls[2])
  }

  @Test func theScrollStartsOverWithFreshState() throws {
    let seen = Seen()
    let worker = try Self.worker(seen)
    let setUps = seen.setUps
    seen.frames = []
    _ = try worker.answer(to: .frames(38))
    #expect(seen.setUps == setUps)
    _ = try worker.answer(to: .frames(4))
    #expect(seen.setUps == setUps + 1)
    #expect(seen.frames.suffix(4) == [41, 42, 3, 4])
  }

  @Test func phasesAnswerWithTheirPairsOfClockReads() throws {
    guard case .phases(let phases) = try Self.worker(Seen()).answer(to: .phases(10)) else {
      Issue.record("no answer to phases")
      return
    }
    // The first row is for whole frames. Each contains three pairs of clock reads: its own and those of the two phases.
    #expect(phases.map(\.count) == [10, 10, 10])
    #expect(phases[0].allSatisfy { $0.pairCount == 3 && abs($0.nanoseconds) > 0 })
    #expect(phases.dropFirst().joined().allSatisfy { $0.pairCount == 1 && abs($0.nanoseconds) > 0 })
  }

  @Test func aTurnIsToldFrameByFrame() throws {
    let worker = try Self.worker(Seen(), frameCount: 1_000)
    for count in [1, 64, 65, 700, 1_500] {
      guard case .frames(let times) = try worker.answer(to: .frames(count)) else {
        Issue.record("no answer to \(count) frames")
        continue
      }
      // A minus sign marks a frame during which the worker lost the core.
      #expect(times.count == count && times.allSatisfy { abs($0) > 0 })
    }
  }

  @Test func whatFramesShowIsAnsweredItemByItem() throws {
    #expect(
      try Self.worker(Seen()).answer(to: .observe(2))
        == .shown([Self.shown(frame: 0, y: 3), Self.shown(frame: 1, y: 4)]))
  }

  private static func shown(frame: Int, y: Double) -> TurnAnswer.ShownItem {
    TurnAnswer.ShownItem(frame: frame, observation: Observation(item: 5, x: 1, y: y))
  }

  @Test func plantingInAPhaseThatIsNotThereIsAnError() {
    #expect(throws: PassError.self) { try Self.worker(Seen(), planting: PlantingOptions(phase: "solv", fraction: 0.1)) }
  }

  @Test func workIsPlantedEachTimeThatAFrameMeasuresThePhase() {
    // The minus sign marks a frame that was interrupted. Its time counts nevertheless.
    let spans: [TurnAnswer.Span] = [.init(nanoseconds: 1_000, pairCount: 10), .init(nanoseconds: -800, pairCount: 5)]
    #expect(spans.meanNanoseconds(without: 20) == 100)
    #expect([TurnAnswer.Span(nanoseconds: 0, pairCount: 0)].meanNanoseconds(without: 20) == nil)
  }

  @Test func workIsPlannedInWholeSteps() {
    var planting = Planting()
    planting.stepNanoseconds = 0.5
    planting.plan(nanoseconds: 8.2)
    #expect(planting.stepCount == 16)
    planting.plan(nanoseconds: -3)
    #expect(planting.stepCount == 0)
  }

  /// Planted steps are extra work that calibration adds to a phase. On any machine, 100,000 of them take more than ten
  /// times as long as the 32 steps that both builds execute in any case.
  @Test func plantedStepsTakeTimeInTheirPhaseAlone() {
    func least(_ stepCount: Int, inPhase index: Int) -> UInt64 {
      var planting = Planting()
      planting.slot = 2
      planting.stepCount = stepCount
      return (0..<200).map { _ in
        let start = frame_clock_start_ticks()
        planting.work(inPhase: index)
        return frame_clock_end_ticks() - start
      }.min() ?? 0
    }
    let (none, many) = (least(0, inPhase: 2), least(100_000, inPhase: 2))
    #expect(many > 10 * none)
    #expect(least(100_000, inPhase: 1) < many / 10)
  }

  @Test(arguments: [TurnCommand.frames(1), .phases(70_000), .observe(3)]) func aCommandSurvivesItsBytes(
    _ command: TurnCommand
  ) {
    #expect(command.bytes.count == TurnCommand.byteCount)
    #expect(TurnCommand(bytes: command.bytes) == command)
  }

  @Test(arguments: [[], [1, 2, 3], [0, 0, 0, 0, 1, 0, 0, 0], [9, 0, 0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]])
  func rubbishIsNoCommand(_ bytes: [UInt8]) { #expect(TurnCommand(bytes: bytes) == nil) }

  private static let answers: [(TurnCommand, TurnAnswer)] = [
    (.frames(3), .frames([0, -1.5, 1e300])),
    (
      .phases(2),
      .phases([
        [.init(nanoseconds: 5, pairCount: 1), .init(nanoseconds: 6, pairCount: 1)],
        [.init(nanoseconds: 0.5, pairCount: 0), .init(nanoseconds: 7, pairCount: 2)],
      ])
    ), (.phases(2), .phases([])), (.observe(1), .shown([shown(frame: 0, y: 3)])),
  ]

  @Test(arguments: answers) func anAnswerSurvivesItsBytes(_ command: TurnCommand, _ answer: TurnAnswer) throws {
    let bytes = answer.bytes
    #expect(TurnAnswer.bodyByteCount(header: Array(bytes.prefix(8))) == bytes.count - 8)
    let values = try #require(TurnAnswer.values(body: Array(bytes.dropFirst(8))))
    #expect(TurnAnswer(values, to: command) == answer)
  }

  @Test func rubbishIsNoAnswer() {
    #expect(TurnAnswer.bodyByteCount(header: Array(repeating: 255, count: 8)) == nil)
    #expect(TurnAnswer.values(body: [1, 2, 3]) == nil)
    // The last two cases are a product beyond 64 bits and an enormous number of empty rows.
    for values in [[], [1], [2, 2, 1], [1, 3, 5, 1, 6], [-1, 2], [.nan, 1], [0x1p40, 0x1p40], [0x1p62, 0]] {
      #expect(TurnAnswer(values, to: .phases(2)) == nil)
    }
    for values in [[1, 2, 3], [.nan, 2, 3, 4], [1, 1e300, 3, 4], [0.5, 2, 3, 4]] {
      #expect(TurnAnswer(values, to: .observe(1)) == nil)
    }
  }

  @Test func aMillionthOfAPointIsSeenInItsFrame() throws {
    var deviation = DeviationMeter(reference: "baseline")
    deviation.add(
      expected: [Self.shown(frame: 0, y: 3), Self.shown(frame: 1, y: 4)],
      found: [Self.shown(frame: 0, y: 3), Self.shown(frame: 1, y: 4 + 1e-6)], frames: 0..<2)
    let record = try #require(deviation.record)
    #expect(record.largestDistanceFrame == 1)
    #expect(abs((record.largestDistance ?? 0) - 1e-6) < 1e-12)
    #expect(record.differingFrameCount == 0)
  }
}
