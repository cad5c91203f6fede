import Scenarios
import Testing

@testable import FrameBench

private let messages = ScrollTrace(
  ScrollScript.messages(seed: 7, duration: 22), refreshRateHertz: 60, frameCount: 1_320)

private func trace(_ offsets: [Double]) -> ScrollTrace {
  ScrollTrace(
    frames: offsets.map { .init(contentOffset: $0, touchX: 0, touchY: 0, phase: .idle) }, refreshRateHertz: 60)
}

private func deltaBits(_ trace: ScrollTrace) -> [UInt64] { trace.frames.indices.map { trace.delta(at: $0).bitPattern } }

@Suite struct ScrollTraceTests {
  @Test func offsetsLieOnAGridOf1024thsOfAPoint() {
    #expect(
      trace([0.3, -0.3, 1.0 / 4_096, -1.0 / 4_096]).frames.map(\.contentOffset) == [307, -307, 0, 0].map { $0 / 1_024 })
    #expect(trace([-1.0 / 4_096]).frames[0].contentOffset.sign == .plus)
    for frame in messages.frames { #expect((frame.contentOffset * 1_024).truncatingRemainder(dividingBy: 1) == 0) }
  }

  @Test func theExtentSpansLeastAndGreatestOffset() {
    #expect(trace([5, 2, 9, 4]).extent == 2...9)
    #expect(trace([-3]).extent == -3 ... -3)
  }

  @Test func aDeltaIsTheWayFromTheFrameBefore() {
    let trace = trace([5, 2, 9])
    #expect(trace.frames.indices.map(trace.delta) == [0, -3, 7])
  }

  @Test(arguments: [0.0, -17.25, 123_456.7, 5e8]) func aRebasedTraceStartsThereAndMovesTheSame(offset: Double) {
    let moved = messages.rebased(toOffset: offset)
    #expect(abs(moved.frames[0].contentOffset - offset) <= 0.5)
    let shift = moved.frames[0].contentOffset - messages.frames[0].contentOffset
    #expect(shift == shift.rounded())
    #expect(deltaBits(moved) == deltaBits(messages))
    #expect(moved.frames.map(\.touchY) == messages.frames.map(\.touchY))
  }

  @Test(arguments: [3_000.0, 3_832.4, 50_000, 487_654.321, 5e6, 5e8])
  func aPlacedTraceIsCentredAndMovesTheSameAtEverySize(range: Double) {
    let placement = messages.placed(inContentOf: range)
    let extent = placement.trace.extent
    #expect(placement.clampedFrameCount == 0)
    #expect(extent.lowerBound >= 0 && extent.upperBound <= range)
    #expect(abs(extent.lowerBound - (range - extent.upperBound)) <= 1.01)
    let shift = extent.lowerBound - messages.extent.lowerBound
    #expect(shift == shift.rounded())
    #expect(deltaBits(placement.trace) == deltaBits(messages))
  }

  @Test(arguments: [0.0, 0.25, 0.9, 1.1]) func aTraceThatJustFitsIsNotClamped(spare: Double) {
    let source = trace([0.5, 100.25, 30.75])
    let placement = source.placed(inContentOf: 99.75 + spare)
    #expect(placement.clampedFrameCount == 0)
    #expect(placement.trace.extent.lowerBound >= 0)
    #expect(placement.trace.extent.upperBound <= 99.75 + spare)
    #expect(deltaBits(placement.trace) == deltaBits(source))
  }

  @Test func aTraceTooLongIsClampedAtBothEndsAndItsFramesCounted() {
    let placement = trace([0, 10, 50, 90, 100]).placed(inContentOf: 60)
    #expect(placement.trace.frames.map(\.contentOffset) == [0, 0, 30, 60, 60])
    #expect(placement.clampedFrameCount == 4)
  }

  @Test(arguments: [0.0, -300]) func contentThatFitsTheScreenDoesNotScroll(range: Double) {
    let placement = trace([0, 10, 50]).placed(inContentOf: range)
    #expect(placement.trace.frames.allSatisfy { $0.contentOffset == 0 })
    #expect(placement.clampedFrameCount >= 2)
  }

  @Test func aLiftedTouchIsAtTheOriginWhereNoFingerDrags() {
    let lifted = messages.liftingTouchToOrigin()
    #expect(lifted.frames.map(\.touchIsAtOrigin) == messages.frames.map { $0.phase != .dragging })
    #expect(lifted.frames.contains(where: \.touchIsAtOrigin) && !lifted.frames.allSatisfy(\.touchIsAtOrigin))
    #expect(lifted.frames.map(\.contentOffset) == messages.frames.map(\.contentOffset))
    #expect(
      lifted.placed(inContentOf: 50_000).trace.frames.map(\.touchIsAtOrigin) == lifted.frames.map(\.touchIsAtOrigin))
  }

  @Test func aTraceThatNeverMovesFitsEverywhere() {
    #expect(trace([7.5, 7.5]).placed(inContentOf: 0).clampedFrameCount == 0)
  }
}
