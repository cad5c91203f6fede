import Foundation
import Statistics
import Testing

@testable import Judging

/// Tests which frames are suspected after changes that resemble changes in real code.
@Suite struct FrameScanTests {
  private static let frameCount = 1_200
  private static let level = (0..<frameCount).map { _ in 50_000.0 }

  /// Returns the logarithm of each frame's time in the candidate divided by that in the baseline, with Gaussian noise
  /// (by the method of Box and Muller). `change` returns the change of a frame as a fraction.
  private static func noisy(_ seed: UInt64, deviation: Double = 0.01, _ change: (Int) -> Double) -> [Double] {
    var random = SplitMix64(seed: seed)
    func uniform() -> Double { (Double(random.next() >> 11) + 0.5) / Double(1 << 53) }
    return (0..<frameCount).map { frame in
      log(1 + change(frame)) + deviation * (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
    }
  }

  private static func found(_ ratios: [Double], costs: [Double] = level, setCount: Int = 2) -> [FrameSet] {
    FrameScan(ratios: ratios, costs: costs, setCount: setCount) { 0.01 * FrameProbe($0).toleranceFactor(frameCount) }
      .found
  }

  @Test func noiseSeldomRaisesASuspicion() {
    let raised = (1...40 as ClosedRange<UInt64>).filter { !Self.found(Self.noisy($0) { _ in 0 }).isEmpty }
    #expect(raised.count <= 4, "seeds \(raised)")
  }

  @Test func aChangeOfAllFramesHasNoPlace() {
    for seed in 1...10 as ClosedRange<UInt64> {
      #expect(Self.found(Self.noisy(seed) { _ in 0.03 }).isEmpty, "seed \(seed)")
    }
  }

  @Test(arguments: [(780..<880, 0.3), (500..<560, 0.1), (780..<792, 0.3), (480..<1_200, 0.05), (1_030..<1_200, 0.2)])
  func aRunIsFoundWithItsEnds(_ run: Range<Int>, _ change: Double) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let found = Self.found(Self.noisy(seed) { run.contains($0) ? change : 0 })
      let stride = try #require(found.first?.strides.first)
      #expect(abs(stride.first - run.lowerBound) <= 3 && abs(stride.last - run.upperBound + 1) <= 3, "\(found)")
      #expect(found.count == 1 && stride.step == 1, "\(found)")
    }
  }

  @Test(arguments: [(60, 0, 1.0), (60, 7, 0.5), (10, 3, 0.05)]) func framesAtEqualDistancesAreFound(
    _ step: Int, _ first: Int, _ change: Double
  ) {
    for seed in 1...5 as ClosedRange<UInt64> {
      let found = Self.found(Self.noisy(seed) { $0 % step == first ? change : 0 })
      let last = first + (Self.frameCount - 1 - first) / step * step
      #expect(found == [FrameSet(.init(first: first, last: last, step: step))], "\(found)")
    }
  }

  @Test func framesAtEqualDistancesThatAreManyTimesSlowerAreFound() {
    for seed in 1...5 as ClosedRange<UInt64> {
      // The changes differ in size, so that the most slowed frames alone would stand out more than all slowed frames.
      let found = Self.found(Self.noisy(seed) { $0 % 50 == 29 ? 6 + Double($0 % 7) / 4 : 0 })
      #expect(found.first == FrameSet(.init(first: 29, last: 1_179, step: 50)), "\(found)")
    }
  }

  @Test(arguments: [(60, 0.1, 0.02), (12, 0.3, 0.05), (60, -0.1, 0.02), (364, 0.05, 0.01), (461, 0.42, 0.02)])
  func framesAllOverTheScrollAreFoundTogether(_ count: Int, _ change: Double, _ deviation: Double) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let planted = Set((0..<Self.frameCount).shuffled(using: &random).prefix(count))
      let found = Self.found(Self.noisy(seed, deviation: deviation) { planted.contains($0) ? change : 0 })
      let frames = Set(try #require(found.first).frames)
      let (both, either) = (frames.intersection(planted).count, frames.union(planted).count)
      #expect(both * 5 >= count * 4 && either <= 3 * count, "\(both) of \(either), seed \(seed)")
    }
  }

  /// The noise of a busy machine, 4.5%, hides half of the frames that became 10% slower.
  @Test func manyFramesThatHardlyStandOutAreFoundTogether() throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let planted = Set((0..<Self.frameCount).shuffled(using: &random).prefix(60))
      let found = Self.found(Self.noisy(seed, deviation: 0.045) { planted.contains($0) ? 0.1 : 0 })
      let named = found.map { planted.intersection($0.frames).count }
      #expect(try #require(named.max()) >= 12, "\(named), seed \(seed)")
    }
  }

  /// Each build plays the scroll once. The machine disturbs one frame in ten.
  @Test func framesAllOverTheScrollAreFoundAmongDisturbedOnes() throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let frames = (0..<Self.frameCount).shuffled(using: &random)
      let (planted, disturbed) = (Set(frames.prefix(60)), Set(frames[60..<180]))
      let ratios = Self.noisy(seed, deviation: 0.03) { planted.contains($0) ? 0.1 : 0 }
      let found = Self.found(
        ratios.indices.map { frame in
          guard disturbed.contains(frame) else { return ratios[frame] }
          return ratios[frame] + (random.next() % 2 == 0 ? 1 : -1) * Double(random.next() % 1_000) / 2_500
        }, setCount: 1)
      let named = found.map { planted.intersection($0.frames).count }
      #expect(try #require(named.max()) >= 40, "\(named), seed \(seed)")
    }
  }

  @Test func framesAtEqualDistancesAreFoundAmongDisturbedOnesOfASingleSet() {
    for seed in 1...5 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let disturbed = Set((0..<Self.frameCount).shuffled(using: &random).prefix(60))
      let ratios = Self.noisy(seed, deviation: 0.005) { ($0 % 10 == 7 ? 0.05 : 0) + (disturbed.contains($0) ? 0.2 : 0) }
      #expect(Self.found(ratios, setCount: 1).first == FrameSet(.init(first: 7, last: 1_197, step: 10)))
    }
  }

  @Test func aFewFramesFarOutTheOtherWayDoNotHideADozen() throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let frames = (0..<Self.frameCount).shuffled(using: &random)
      let (planted, other) = (Set(frames.prefix(12)), Set(frames[12..<15]))
      let found = Self.found(Self.noisy(seed) { planted.contains($0) ? 0.3 : other.contains($0) ? -0.4 : 0 })
      #expect(found.contains { planted.isSubset(of: $0.frames) && $0.frames.count <= 14 }, "\(found), seed \(seed)")
    }
  }

  @Test func aFrameThatIsFoundMakesNoOtherSetSuspect() {
    // One frame changed. It lies in a regular pattern of small changes, which would stand out together with the frame.
    for seed in 1...5 as ClosedRange<UInt64> {
      let ratios = Self.noisy(seed) { $0 == 435 ? 27 : $0 % 14 == 1 ? 0.009 : 0 }
      #expect(Self.found(ratios) == [FrameSet([435])], "\(Self.found(ratios)), seed \(seed)")
    }
  }

  @Test func aSingleFrameIsFound() { #expect(Self.found(Self.noisy(1) { $0 == 657 ? 3 : 0 }) == [FrameSet([657])]) }

  @Test func fasterFramesAreFoundToo() throws {
    let found = Self.found(Self.noisy(1) { (200..<300).contains($0) ? -0.2 : 0 })
    #expect(found == [FrameSet(Array(200..<300))], "\(found)")
  }

  /// Every tenth frame takes 500 times as long as the others, and became 5% slower. The other frames are noisier.
  @Test func aKindOfFramesIsFoundWhereTheOthersAreShort() {
    let costs = (0..<Self.frameCount).map { $0 % 10 == 0 ? 150_000.0 : 300 }
    let noise = Self.noisy(3, deviation: 0.08) { _ in 0 }
    let ratios = noise.indices.map { $0 % 10 == 0 ? log(1.05) + noise[$0] / 10 : noise[$0] }
    let found = Self.found(ratios, costs: costs)
    #expect(found == [FrameSet(.init(first: 0, last: 1_190, step: 10))], "\(found)")
  }

  /// Every tenth frame takes 500 times as long as the others and did not change.
  @Test func costlyFramesAreNotNamedWithTheShortFramesBesideThem() throws {
    let costs = (0..<Self.frameCount).map { $0 % 10 == 0 ? 150_000.0 : 300 }
    for seed in 1...5 as ClosedRange<UInt64> {
      let noise = Self.noisy(seed, deviation: 0.03) { _ in 0 }
      let changed = Set((400..<460).filter { $0 % 10 != 0 })
      let ratios = noise.indices.map { $0 % 10 == 0 ? noise[$0] / 10 : noise[$0] + (changed.contains($0) ? 0.23 : 0) }
      let found = try #require(Self.found(ratios, costs: costs).first)
      #expect(found.frames.allSatisfy { $0 % 10 != 0 } && changed.isSubset(of: found.frames), "\(found), seed \(seed)")
    }
  }

  @Test func framesThatAreNotKnownAreLeftOut() {
    var ratios = Self.noisy(5) { (300..<400).contains($0) ? 0.3 : 0 }
    for frame in stride(from: 0, to: 1_200, by: 7) { ratios[frame] = .nan }
    #expect((298...302).contains(Self.found(ratios).first?.strides.first?.first ?? 0))
    #expect(Self.found([Double](repeating: .nan, count: 1_200)).isEmpty)
    #expect(Self.found([0, 1, 0], costs: [1, 1, 1]).isEmpty)
  }

  @Test func setsOfFramesAreSaidInWords() {
    #expect(FrameSet(Array(780...879)).words == "frames 780 to 879")
    #expect(FrameSet([657]).words == "frame 657")
    #expect(FrameSet(.init(first: 0, last: 1_140, step: 60)).words == "each 60th frame")
    #expect(FrameSet(.init(first: 3, last: 1_193, step: 10)).words == "each 10th frame from frame 3")
    #expect(FrameSet(.init(first: 1, last: 1_199, step: 2)).words == "each 2nd frame from frame 1")
    #expect(FrameSet([1, 2, 3, 10, 1_100]).words == "frames 1 to 3, 10 and 1,100")
    #expect(FrameSet([1, 3, 5, 7, 9, 11]).words == "frames 1, 3, 5, 7 and 2 more places")
    #expect(FrameSet([1, 2, 3, 10]).frames == [1, 2, 3, 10])
  }
}
