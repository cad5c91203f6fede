import Foundation
import Testing

@testable import FrameBench
@testable import Measurements

/// Tests the timer with a clock that only the test advances.
@Suite struct FrameTimerTests {
  @Test func phasesAreTimedFromTheirStartToTheirEnd() {
    let bench = ManualBench(.phases, frameCount: 2)
    for duration in [30, 50] as [UInt64] {
      bench.frame { timer in
        bench.pass(7)
        timer.measure(.solve) { bench.pass(duration) }
        bench.pass(9)
      }
    }
    #expect(bench.recorder.phaseNames == ["solve"])
    #expect(bench.phaseTicks(0) == [30, 50])
  }

  @Test func aPhaseMeasuredTwiceInAFrameAddsUp() {
    let bench = ManualBench(.phases, frameCount: 1)
    bench.frame { timer in
      timer.measure(.solve) { bench.pass(10) }
      timer.measure(.prepare) { bench.pass(3) }
      timer.measure(.solve) { bench.pass(15) }
    }
    #expect(bench.recorder.phaseNames == ["solve", "prepare"])
    #expect(bench.phaseTicks(0) == [25])
    #expect(bench.phasePairs(0) == [2])
    #expect(bench.phasePairs(1) == [1])
  }

  @Test func aPhaseThatDoesNotRunInAFrameReadsZeroThere() {
    let bench = ManualBench(.phases, frameCount: 3)
    for index in 0..<3 { bench.frame { timer in if index == 1 { timer.measure(.prepare) { bench.pass(8) } } } }
    #expect(bench.phaseTicks(0) == [0, 8, 0])
    #expect(bench.phasePairs(0) == [0, 1, 0])
  }

  @Test func anOuterPhaseIncludesTheInnerOneAndComesFirst() {
    let bench = ManualBench(.phases, frameCount: 1)
    bench.frame { timer in
      timer.measure(.prepare) {
        bench.pass(5)
        timer.measure(.query) { bench.pass(20) }
        bench.pass(1)
      }
    }
    #expect(bench.recorder.phaseNames == ["prepare", "query"])
    #expect(bench.phaseTicks(0) == [26])
    #expect(bench.phaseTicks(1) == [20])
  }

  @Test func ofAPhaseInsideItselfTheOutermostMeasurementCounts() {
    let bench = ManualBench(.phases, frameCount: 2)
    func walk(_ depth: Int, _ timer: FrameTimer) {
      timer.measure(.solve) {
        bench.pass(10)
        if depth > 1 { walk(depth - 1, timer) }
      }
    }
    for depth in [3, 1] { bench.frame { walk(depth, $0) } }
    #expect(bench.phaseTicks(0) == [30, 10])
    // The outermost measurement also contains the clock reads of the two inner ones.
    #expect(bench.phasePairs(0) == [3, 1])
  }

  @Test func tasksThatTakeTurnsInAPhaseOnOneThreadCountFromTheLastBeginning() {
    let bench = ManualBench(.phases, frameCount: 1)
    bench.frame { timer in
      let first = timer.begin(.solve)
      bench.pass(5)
      let second = timer.begin(.solve)
      bench.pass(7)
      timer.end(first)
      bench.pass(11)
      timer.end(second)
    }
    #expect(bench.phaseTicks(0) == [18])
  }

  @Test func aPhaseMayEndOnAnotherThread() {
    let bench = ManualBench(.phases, frameCount: 1)
    bench.frame { timer in
      let mark = timer.begin(.solve)
      bench.pass(5)
      onAnotherThread { timer.end(mark) }
      timer.measure(.solve) { bench.pass(2) }
    }
    #expect(bench.phaseTicks(0) == [7])
  }

  @Test func aPhaseOfTwoThreadsAtATimeIsAnError() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = ManualBench(.phases, frameCount: 1)
      bench.frame { timer in timer.measure(.solve) { onAnotherThread { _ = timer.begin(.solve) } } }
    }
    #expect(result?.message.contains("phase \"solve\" was measured by two threads at the same time") == true)
  }

  @Test func phasesBeforeAPartAreNotItsPhases() {
    let bench = ManualBench(.phases, frameCount: 1)
    bench.frame { timer in
      timer.measure(.prepare) { bench.pass(50) }
      timer.measure(.solve) { bench.pass(30) }
      timer.startFrame()
      timer.measure(.solve) { bench.pass(4) }
    }
    #expect([bench.phaseTicks(0), bench.phaseTicks(1)] == [[0], [4]])
    #expect([bench.phasePairs(0), bench.phasePairs(1)] == [[0], [1]])
  }

  @Test func phasesOfTheSameNameAreOneWhereverTheirLiteralsLie() {
    let bench = ManualBench(.phases, frameCount: 1)
    bench.frame { timer in
      timer.measure(.solve) { bench.pass(1) }
      timer.measure(Phase("solve")) { bench.pass(2) }
      timer.measure(Phase("solv")) { bench.pass(4) }
    }
    #expect(bench.recorder.phaseNames == ["solve", "solv"])
    #expect(bench.phaseTicks(0) == [3])
  }

  @Test func namesAreComparedByTheirBytes() {
    let name: StaticString = "solve"
    #expect(name.hasSameBytes(as: "solve"))
    #expect(!name.hasSameBytes(as: "solvE"))
    #expect(!name.hasSameBytes(as: "solver"))
    #expect(!name.hasSameBytes(as: ""))
  }

  @Test func aFrameEndsWhereItSaysSo() {
    let bench = ManualBench(.frames, frameCount: 2)
    bench.frame { timer in
      bench.pass(40)
      timer.endFrame()
      bench.pass(1_000)
    }
    bench.frame { _ in bench.pass(60) }
    #expect(bench.frameTicks == [40, 60])
  }

  @Test func thePassThatTimesFramesRecordsNoPhases() {
    let bench = ManualBench(.frames, frameCount: 1)
    bench.frame { timer in timer.measure(.solve) { bench.pass(12) } }
    #expect(bench.recorder.phaseNames.isEmpty)
    #expect(bench.frameTicks == [12])
  }

  @Test func warmUpFramesAreNotRecorded() {
    for timesFrames in [true, false] {
      let bench = ManualBench(timesFrames ? .frames : .phases, frameCount: 1)
      bench.frame(isWarmUp: true) { timer in
        timer.measure(.solve) { bench.pass(100) }
        timer.record(.activeItems, 9)
      }
      bench.frame { timer in
        timer.measure(.solve) { bench.pass(3) }
        timer.record(.activeItems, 2)
      }
      #expect(bench.recorder.recordedFrameCount == 1)
      #expect(bench.counters == ["activeItems": CountSeries([2])])
      let ticks = timesFrames ? bench.frameTicks : bench.phaseTicks(0)
      #expect(ticks == [3])
    }
  }

  @Test func countersAddUpWithinAFrameAndStartAgainInTheNext() {
    let bench = ManualBench(.frames, frameCount: 3)
    bench.frame { timer in
      timer.record(.springEvaluations, 4)
      timer.endFrame()
      timer.record(.springEvaluations, 3)
    }
    bench.frame { _ in }
    bench.frame { timer in timer.record(Counter("delta"), -5) }
    #expect(bench.counters["springEvaluations"]?.values == [7, 0, 0])
    #expect(bench.counters["delta"]?.values == [0, 0, -5])
  }

  @Test func whatAPhaseReturnsAndThrowsPassesThroughAndItsTimeCounts() throws {
    struct Stop: Error {}
    let bench = ManualBench(.phases, frameCount: 1)
    bench.frame { timer in
      #expect(timer.measure(.query) { 17 } == 17)
      #expect(throws: Stop.self) {
        try timer.measure(.solve) {
          bench.pass(6)
          throw Stop()
        }
      }
    }
    #expect(bench.phaseTicks(1) == [6])
  }

  @Test func sixteenPhasesFitAndTheSeventeenthIsNamed() async {
    let bench = ManualBench(.phases, frameCount: 1)
    bench.frame { timer in sixteenPhases.forEach { timer.measure($0) { bench.pass(1) } } }
    #expect(bench.recorder.phaseNames.count == 16)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = ManualBench(.phases, frameCount: 1)
      bench.frame { timer in
        sixteenPhases.forEach { timer.measure($0) {} }
        timer.measure(Phase("one too many")) {}
      }
    }
    #expect(result?.message.contains("phase \"one too many\" is one more than 16") == true)
  }

  @Test func aPhaseAfterTheEndOfTheFrameIsAnError() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = ManualBench(.phases, frameCount: 1)
      bench.frame { timer in
        timer.endFrame()
        timer.measure(.solve) {}
      }
    }
    #expect(result?.message.contains("phase \"solve\" was measured after endFrame()") == true)
  }

  @Test func aStartOfTheFrameInsideAPhaseIsAnError() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ManualBench(.phases, frameCount: 1).frame { timer in timer.measure(.solve) { timer.startFrame() } }
    }
    #expect(result?.message.contains("startFrame() was called inside phase \"solve\"; call it before") == true)
  }

  @Test func anEndOfTheFrameInsideAPhaseIsAnError() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ManualBench(.phases, frameCount: 1).frame { timer in timer.measure(.solve) { timer.endFrame() } }
    }
    #expect(result?.message.contains("endFrame() was called inside phase \"solve\"; call it after the phase") == true)
  }

  @Test func aSecondEndOfTheFrameIsAnError() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = ManualBench(.frames, frameCount: 1)
      bench.frame { timer in
        timer.endFrame()
        timer.endFrame()
      }
    }
    #expect(result?.message.contains("endFrame() was called twice") == true)
  }
}

extension ExitTest.Result { fileprivate var message: String { String(decoding: standardErrorContent, as: UTF8.self) } }

/// A recorder whose clock the test advances.
final class ManualBench {
  let recorder: FrameRecorder
  private let ticks: UnsafeMutablePointer<UInt64>

  init(_ mode: TimerMode, frameCount: Int) {
    ticks = .allocate(capacity: 1)
    ticks.initialize(to: 1_000)
    recorder = FrameRecorder(mode, clock: .manual(ticks), frameCount: frameCount)
  }

  deinit { ticks.deallocate() }

  var frameTicks: [UInt64] { recorder.frameTicks.values() }

  func phaseTicks(_ phase: Int) -> [UInt64] { recorder.phaseTicks.values(column: phase) }

  func phasePairs(_ phase: Int) -> [Int] { recorder.phasePairs.series(column: phase).values }

  var counters: [String: CountSeries] { recorder.measurement(checksum: Checksum()).counters }

  func pass(_ nanoseconds: UInt64) { ticks.pointee += nanoseconds }

  func frame(isWarmUp: Bool = false, _ body: (FrameTimer) -> Void) {
    let timer = recorder.timer
    recorder.beginFrame()
    body(timer)
    recorder.finishFrame(isWarmUp: isWarmUp)
    pass(500)
  }
}

/// Calls `body` on another thread and waits for its return.
private func onAnotherThread(_ body: @escaping () -> Void) {
  nonisolated(unsafe) let body = body
  let isDone = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    isDone.signal()
  }
  isDone.wait()
}

private let sixteenPhases = [
  Phase("a1"), Phase("a2"), Phase("a3"), Phase("a4"), Phase("a5"), Phase("a6"), Phase("a7"), Phase("a8"), Phase("a9"),
  Phase("b1"), Phase("b2"), Phase("b3"), Phase("b4"), Phase("b5"), Phase("b6"), Phase("b7"),
]
