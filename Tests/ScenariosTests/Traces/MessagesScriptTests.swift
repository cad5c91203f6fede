import FrameBench
import Scenarios
import Testing

private let frameCount = 1_320

private func trace(seed: UInt64, extent: Double = 3_000, viewport: ScrollViewport = .phone) -> ScrollTrace {
  ScrollTrace(
    ScrollScript.messages(seed: seed, duration: 22, extent: extent, viewport: viewport), refreshRateHertz: 60,
    frameCount: frameCount)
}

/// Returns the largest number of consecutive frames in which nothing moves.
private func longestRest(_ frames: some Sequence<ScrollTrace.Frame>) -> Int {
  var longest = 0
  var current = 0
  for frame in frames {
    current = frame.phase == .idle ? current + 1 : 0
    longest = max(longest, current)
  }
  return longest
}

@Suite struct MessagesScriptTests {
  @Test(arguments: [200.0, 1_500, 2_345.678, 3_000, 5_000, 1e6]) func offsetsStayInsideTheExtent(extent: Double) {
    for seed in 0..<100 {
      let trace = trace(seed: UInt64(seed), extent: extent)
      #expect(trace.extent.lowerBound > 0 && trace.extent.upperBound < extent, "seed \(seed)")
    }
  }

  @Test(arguments: [200.0, 1_500, 3_000, 5_000]) func noFrameJumpsFartherThanTheFastestFling(extent: Double) {
    for seed in 0..<100 {
      let trace = trace(seed: UInt64(seed), extent: extent)
      let farthest = (0..<frameCount).map { abs(trace.delta(at: $0)) }.max() ?? .infinity
      #expect(farthest <= 6_000 / 60, "seed \(seed)")
    }
  }

  /// No frame has the phase `decelerating` while the list is at rest. Clipping at an end would cause such frames.
  @Test func aDeceleratingListAlwaysMoves() {
    for seed in 0..<100 {
      let trace = trace(seed: UInt64(seed), extent: 1_500)
      for index in 1..<frameCount where trace.frames[index].phase == .decelerating {
        #expect(trace.delta(at: index) != 0, "seed \(seed), frame \(index)")
      }
    }
  }

  @Test(arguments: [ScrollViewport.phone, ScrollViewport(width: 1_024, height: 1_366), .init(width: 100, height: 100)])
  func touchesStayInsideTheViewport(viewport: ScrollViewport) {
    for seed in 0..<100 {
      for frame in trace(seed: UInt64(seed), viewport: viewport).frames {
        #expect((0...viewport.width).contains(frame.touchX))
        #expect((0...viewport.height).contains(frame.touchY))
      }
    }
  }

  @Test func touchesVaryInBothDirections() {
    let frames = trace(seed: 1).frames
    #expect(Set(frames.map { ($0.touchX / 10).rounded() }).count > 8)
    #expect(Set(frames.map { ($0.touchY / 10).rounded() }).count > 20)
  }

  @Test func aSeedGivesTheSameScrollEveryTime() { #expect(trace(seed: 42) == trace(seed: 42)) }

  @Test func differentSeedsGiveDifferentScrolls() {
    let scrolls = (0..<50).map { trace(seed: $0) }
    for (index, scroll) in scrolls.enumerated() { #expect(!scrolls[..<index].contains(scroll)) }
  }

  @Test(arguments: [1_500.0, 3_000, 5_000]) func theWarmUpHoldsAQuickFlingInEachDirection(extent: Double) {
    for seed in 0..<100 {
      let trace = trace(seed: UInt64(seed), extent: extent)
      let flings = (1..<120).filter { trace.frames[$0].phase == .decelerating }.map { trace.delta(at: $0) * 60 }
      #expect((flings.max() ?? 0) > 1_000, "seed \(seed)")
      #expect((flings.min() ?? 0) < -1_000, "seed \(seed)")
    }
  }

  @Test func theMeasuredPartDragsRunsAndTurnsBothWays() {
    for seed in 0..<100 {
      let trace = trace(seed: UInt64(seed))
      for phase in [ScrollPhase.dragging, .decelerating] {
        let deltas = (120..<frameCount).filter { trace.frames[$0].phase == phase }.map { trace.delta(at: $0) }
        #expect(deltas.contains { $0 > 5 } && deltas.contains { $0 < -5 }, "seed \(seed), \(phase)")
      }
    }
  }

  @Test func theMeasuredPartRestsForSixSecondsAndMovesMostOfTheTime() {
    for seed in 0..<200 {
      let measured = trace(seed: UInt64(seed)).frames[120...]
      #expect(longestRest(measured) >= 359, "seed \(seed)")
      #expect(measured.count { $0.phase == .idle } < measured.count / 2, "seed \(seed)")
    }
  }

  @Test func someSeedsFlingAtNearlySixThousandPointsPerSecond() {
    let fastest =
      (0..<100).flatMap { seed in ScrollScript.messages(seed: seed, duration: 22).gestures.map { abs($0.velocity) } }
      .max() ?? 0
    #expect((5_800...6_000).contains(fastest))
  }

  @Test func aSecondFlickAddsToTheFirst() {
    var accumulated = 0
    for seed in 0..<20 {
      let gestures = ScrollScript.messages(seed: UInt64(seed), duration: 22).gestures
      for (drag, fling) in zip(gestures, gestures.dropFirst()) {
        guard case .drag(_, _, _, _, let release?) = drag, release != 0 else { continue }
        #expect(release * fling.velocity > 0 && abs(fling.velocity) >= abs(release))
        if abs(fling.velocity) > abs(release) + 100 { accumulated += 1 }
      }
    }
    #expect(accumulated >= 20)
  }

  @Test func aLongerScriptBeginsWithTheShorterOne() {
    let short = ScrollScript.messages(seed: 3, duration: 10)
    let long = ScrollScript.messages(seed: 3, duration: 120)
    #expect(short.duration >= 10 && long.duration >= 120)
    #expect(Array(long.gestures.prefix(short.gestures.count)) == short.gestures)
  }

  @Test func longScriptsRestAgainAndAgain() {
    let script = ScrollScript.messages(seed: 9, duration: 300)
    let rests = script.gestures.count { if case .pause(let duration) = $0 { duration >= 6 } else { false } }
    #expect((9...14).contains(rests))
  }

  /// All earlier results depend on the default scroll. A deliberate change must update this value.
  @Test func theDefaultScrollIsTheOneItAlwaysWas() {
    var checksum = Checksum()
    for frame in trace(seed: 1).frames {
      checksum.combine(whole: UInt64(bitPattern: Int64(frame.contentOffset * 1_024)))
    }
    #expect(checksum.hexadecimal == "5cd93442dc0c8842")
  }
}

extension ScrollGesture {
  fileprivate var velocity: Double { if case .fling(let velocity, _) = self { velocity } else { 0 } }
}
