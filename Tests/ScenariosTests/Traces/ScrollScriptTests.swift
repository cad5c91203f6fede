import Foundation
import Scenarios
import Testing

@testable import FrameBench

private let thumb = ScrollTouch(x: 160, y: 400)

private func offsets(_ script: ScrollScript, atSeconds times: [Double]) -> [Double] {
  times.map { script.frame(atSeconds: $0).contentOffset }
}

@Suite struct ScrollScriptTests {
  @Test(arguments: [40.0, 700, 2_500, 6_000, -40, -6_000]) func aFlingGoesAsFarAsTheIntegralOfItsVelocity(
    velocity: Double
  ) {
    let script = ScrollScript(startOffset: 100, gestures: [.fling(velocity: velocity)])

    let decay = -1_000 * log(0.998)
    let expected = (velocity - velocity.sign(10)) / decay
    #expect(abs(script.endOffset - 100 - expected) < 1e-9)

    // Integrates the velocity by the trapezoidal rule in steps of a millisecond, which needs no closed form.
    var sum = 0.0
    var speed = velocity
    while abs(speed) > 10 {
      sum += (speed + speed * 0.998) / 2 / 1_000
      speed *= 0.998
    }
    #expect(abs(sum - expected) < 0.02)
  }

  @Test func aMillisecondOfAFlingLeaves998ThousandthsOfTheVelocity() {
    let script = ScrollScript(startOffset: 0, gestures: [.fling(velocity: 3_000)])
    let milliseconds = (0...1_000).map { Double($0) / 1_000 }
    let positions = offsets(script, atSeconds: milliseconds)
    let ways = zip(positions.dropFirst(), positions).map { $0 - $1 }
    for (way, before) in zip(ways.dropFirst(), ways) { #expect(abs(way / before - 0.998) < 1e-8) }
    #expect(abs(ways[0] - 3_000 * 0.001) < 0.01)
  }

  @Test func aFlingStopsWhereItsSpeedFallsToTenPointsPerSecond() {
    let deceleration = ScrollDeceleration(initialVelocity: -4_000)
    #expect(abs(deceleration.velocity(after: deceleration.duration) + 10) < 1e-9)
    let script = ScrollScript(startOffset: 0, gestures: [.fling(velocity: -4_000), .pause(duration: 1)])
    let stop = deceleration.duration
    #expect(script.frame(atSeconds: stop - 0.001).phase == .decelerating)
    #expect(script.frame(atSeconds: stop + 0.001).phase == .idle)
    #expect(script.frame(atSeconds: stop + 0.5).contentOffset == deceleration.distance)
  }

  @Test func aFlingTooSlowToStartGoesNowhere() {
    let script = ScrollScript(startOffset: 7, gestures: [.fling(velocity: 9)])
    #expect(script.duration == 0)
    #expect(script.frame(atSeconds: 0).contentOffset == 7)
  }

  @Test(arguments: [60, 90, 120]) func everyRefreshRateShowsTheSameMotion(hertz: Int) {
    let script = ScrollScript.messages(seed: 5, duration: 22)
    let fine = ScrollTrace(script, refreshRateHertz: 360, frameCount: 360 * 20)
    let coarse = ScrollTrace(script, refreshRateHertz: hertz, frameCount: hertz * 20)
    let step = 360 / hertz
    #expect(coarse.frames == (0..<hertz * 20).map { fine.frames[$0 * step] })
  }

  @Test(arguments: [(300.0, 0.8, 0.0), (-120, 0.4, 0), (200, 0.1, 5_000), (200, 0.6, 3_000), (-90, 0.1, -900)])
  func theContentFollowsTheFinger(distance: Double, duration: Double, release: Double) {
    let gestures: [ScrollGesture] =
      [.drag(distance: distance, duration: duration, from: thumb, sideways: 12)]
      + (release == 0 ? [] : [.fling(velocity: release)])
    let script = ScrollScript(startOffset: 1_000, gestures: gestures)
    var previous = 1_000.0
    for step in 0..<100 {
      let frame = script.frame(atSeconds: duration * Double(step) / 100)
      #expect(frame.phase == .dragging)
      #expect(abs((frame.contentOffset - 1_000) - (thumb.y - frame.touchY)) < 1e-9)
      #expect((160...172).contains(frame.touchX))
      #expect((frame.contentOffset - previous) * distance >= 0, "the finger turned back at step \(step)")
      previous = frame.contentOffset
    }
    let lift = script.frame(atSeconds: duration)
    #expect(abs(lift.contentOffset - 1_000 - distance) < 1e-9)
    #expect(abs(lift.touchX - 172) < 1e-9)
  }

  @Test(arguments: [(200.0, 0.1, 5_000.0), (200, 0.6, 3_000), (-90, 0.1, -900)])
  func aFingerLiftsWithTheVelocityOfTheFling(distance: Double, duration: Double, velocity: Double) {
    let script = ScrollScript(
      startOffset: 0,
      gestures: [.drag(distance: distance, duration: duration, from: thumb), .fling(velocity: velocity)])
    let moment = 1e-6
    let around = offsets(script, atSeconds: [duration - moment, duration, duration + moment])
    #expect(abs((around[1] - around[0]) / moment / velocity - 1) < 1e-3)
    #expect(abs((around[2] - around[1]) / moment / velocity - 1) < 1e-3)
    let start = offsets(script, atSeconds: [0, moment])
    #expect(abs(start[1] - start[0]) / moment < 1, "the finger starts at rest")
  }

  @Test func theTouchStaysWhereTheFingerLifted() {
    let script = ScrollScript(
      startOffset: 0, startTouch: ScrollTouch(x: 1, y: 2),
      gestures: [
        .pause(duration: 0.5), .drag(distance: 150, duration: 0.2, from: thumb, sideways: -20), .fling(velocity: 1_200),
        .pause(duration: 1),
      ])
    #expect(script.frame(atSeconds: 0.25).touchY == 2)
    for time in [0.7, 0.8, 2, script.duration - 0.5, script.duration, script.duration + 10] {
      let frame = script.frame(atSeconds: time)
      #expect(abs(frame.touchX - 140) < 1e-9 && abs(frame.touchY - 250) < 1e-9)
    }
  }

  @Test func aFingerStopsTheListThatItCatches() {
    let script = ScrollScript(
      startOffset: 0,
      gestures: [
        .fling(velocity: 3_000, caughtAfter: 0.25), .hold(duration: 0.5, at: thumb),
        .drag(distance: -100, duration: 0.5, from: thumb),
      ])
    let caught = ScrollDeceleration(initialVelocity: 3_000).displacement(after: 0.25)
    #expect(script.frame(atSeconds: 0.24).phase == .decelerating)
    for time in [0.25, 0.4, 0.74] {
      let frame = script.frame(atSeconds: time)
      #expect(frame.phase == .dragging && frame.contentOffset == caught)
    }
    #expect(abs(script.endOffset - (caught - 100)) < 1e-9)
  }

  @Test func aFlingThatStopsBeforeItsCatchIsOverWhenItStops() {
    let script = ScrollScript(startOffset: 0, gestures: [.fling(velocity: 100, caughtAfter: 60)])
    #expect(script.duration == ScrollDeceleration(initialVelocity: 100).duration)
  }

  @Test func aScriptWithoutGesturesRests() {
    let frame = ScrollScript(startOffset: 3, startTouch: thumb, gestures: []).frame(atSeconds: 1)
    #expect(frame == .init(contentOffset: 3, touchX: 160, touchY: 400, phase: .idle))
  }

  @Test func aFingerThatJumpsOutOfItsFlingsDirectionIsAProgrammersError() async {
    await #expect(processExitsWith: .failure) {
      _ = ScrollScript(
        startOffset: 0,
        gestures: [.drag(distance: 100, duration: 0.1, from: ScrollTouch(x: 0, y: 0)), .fling(velocity: -500)])
    }
    await #expect(processExitsWith: .failure) {
      _ = ScrollScript(startOffset: 0, gestures: [.fling(velocity: 500, caughtAfter: 0.1), .pause(duration: 1)])
    }
  }
}

extension Double {
  /// Returns a number with this magnitude and the sign of `self`.
  fileprivate func sign(_ magnitude: Double) -> Double { self < 0 ? -magnitude : magnitude }
}
