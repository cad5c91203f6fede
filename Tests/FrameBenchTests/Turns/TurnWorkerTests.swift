import CFrameClock
import Foundation
import Testing

@testable import FrameBench

@Suite struct TurnWorkerTests {
  /// Frames remember their index, so that a test can see which ones ran.
  private static func suite(_ seen: Seen = Seen()) -> Suite {
    var suite = Suite("turns")
    suite.add("counting", strategies: ["mine"], sizes: [10]) { _, _ in
      seen.setUps += 1
      return { frame, timer in
        if !frame.isWarmUp { seen.frames.append(frame.index) }
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
    var frames: [Int] = []
    var work: UInt64 = 0
  }

  private static func worker(
    _ seen: Seen, frameCount: Int = 40, planting: PlantingOptions? = nil
  ) throws -> TurnWorker {
    var options = RunOptions()
    options.frameCount = frameCount
    options.warmUpFrameCount = 3
    let request = WorkerRequest(
      benchmark: BenchmarkID(scenario: "counting", strategy: "mine", size: 10), pass: .frames,
      options: options)
    return try TurnWorker(suite(seen), request, TurnOptions(layoutSeed: 1, planting: planting))
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
    let values = try Self.worker(Seen()).answer(to: .phases(10))
    // Sum and pairs of two phases, then of the ten pieces of either.
    #expect(values.count == 4 + 2 * 20)
    #expect(values[1] == 10 && values[3] == 10)
    for phase in 0..<2 {
      let pieces = values[(4 + phase * 20)..<(24 + phase * 20)]
      #expect(stride(from: pieces.startIndex, to: pieces.endIndex, by: 2).allSatisfy { pieces[$0] > 0 })
      #expect(stride(from: pieces.startIndex + 1, to: pieces.endIndex, by: 2).allSatisfy { pieces[$0] == 1 })
      let sum = stride(from: pieces.startIndex, to: pieces.endIndex, by: 2).reduce(0) { $0 + pieces[$1] }
      #expect(abs(sum - values[2 * phase]) < 1e-6 * sum)
    }
  }

  @Test func aTurnIsToldInPiecesThatAddUp() throws {
    let worker = try Self.worker(Seen(), frameCount: 1_000)
    for count in [1, 64, 65, 700] {
      let values = try worker.answer(to: .frames(count))
      #expect(values.count == 1 + min(count, 64))
      #expect(values.allSatisfy { $0 > 0 })
      #expect(abs(values.dropFirst().reduce(0, +) - values[0]) < 1e-6 * values[0])
    }
  }

  @Test func piecesDifferByAFrameAtMostAndLeaveNoneOut() {
    for count in [1, 63, 64, 65, 127, 1_000] {
      let pieces = (0..<count).map { TurnPieces.piece(ofFrame: $0, frameCount: count) }
      let sizes = Dictionary(grouping: pieces) { $0 }.mapValues(\.count)
      #expect(sizes.count == TurnPieces.count(frameCount: count) && pieces == pieces.sorted())
      #expect((sizes.values.max() ?? 0) - (sizes.values.min() ?? 0) <= 1)
    }
  }

  @Test func theLastAnswerHasEveryFrameThatRan() throws {
    let worker = try Self.worker(Seen(), frameCount: 100)
    _ = try worker.answer(to: .frames(7))
    let values = try worker.answer(to: .finish)
    // The frame and two phases, a hundred frames each.
    #expect(values.count == 300)
    #expect(values[..<7].allSatisfy { $0 > 0 })
    #expect(values[7..<100].allSatisfy { $0.isNaN })
  }

  @Test func whatFramesShowIsAnsweredItemByItem() throws {
    #expect(try Self.worker(Seen()).answer(to: .observe(2)) == [0, 5, 1, 3, 1, 5, 1, 4])
  }

  @Test func plantingInAPhaseThatIsNotThereIsAnError() {
    #expect(throws: TurnFailure.self) {
      try Self.worker(Seen(), planting: PlantingOptions(phase: "solv", fraction: 0.1))
    }
  }

  @Test func workIsPlannedInWholeSteps() {
    var planting = Planting()
    planting.stepNanoseconds = 0.5
    planting.plan(nanoseconds: 8.2)
    #expect(planting.stepCount == 16)
    planting.plan(nanoseconds: -3)
    #expect(planting.stepCount == 0)
  }

  /// Three hundred times as many steps take more than ten times as long on any machine.
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

  @Test(arguments: [TurnCommand.frames(1), .phases(70_000), .observe(3), .finish])
  func aCommandSurvivesItsBytes(_ command: TurnCommand) {
    #expect(command.bytes.count == TurnCommand.byteCount)
    #expect(TurnCommand(bytes: command.bytes) == command)
  }

  @Test(arguments: [
    [], [1, 2, 3], [0, 0, 0, 0, 1, 0, 0, 0], [9, 0, 0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0],
  ])
  func rubbishIsNoCommand(_ bytes: [UInt8]) {
    #expect(TurnCommand(bytes: bytes) == nil)
  }

  @Test func anAnswerSurvivesItsBytes() {
    let values = [0, -1.5, .pi, 1e300]
    let bytes = TurnAnswer.bytes(values)
    #expect(TurnAnswer.bodyByteCount(header: Array(bytes.prefix(8))) == 32)
    #expect(TurnAnswer.values(body: Array(bytes.dropFirst(8))) == values)
    #expect(TurnAnswer.bodyByteCount(header: Array(repeating: 255, count: 8)) == nil)
  }

  @Test func aMillionthOfAPointIsSeenInItsFrame() throws {
    var deviation = BuildDeviation(reference: "baseline")
    deviation.add(expected: [0, 5, 1, 3, 1, 5, 1, 4], found: [0, 5, 1, 3, 1, 5, 1, 4 + 1e-6], frames: 0..<2)
    let record = try #require(deviation.record)
    #expect(record.largestDistanceFrame == 1)
    #expect(abs((record.largestDistance ?? 0) - 1e-6) < 1e-12)
    #expect(record.differingFrameCount == 0)
  }

  @Test func aFrameThatWasInterruptedDoesNotWeigh() {
    let costs = FrameCosts(frameCount: 2)
    defer { costs.deallocate() }
    for ticks: UInt64 in [100, 102, 90_000, 98] { costs.add(ticks, frame: 0, slack: 10) }
    #expect(costs.means[0] == 100)
    #expect(costs.means[1].isNaN)
  }
}
