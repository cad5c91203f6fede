import FrameBench
import Testing

@testable import Judging

@Suite struct HeapGrowthTests {
  private static let count = 1_200
  private static let none = CountSeries(repeatElement(0, count: count))

  private func growth(_ net: (Int) -> Int, beyond other: CountSeries = none) -> HeapGrowth? {
    HeapGrowth(of: CountSeries((0..<Self.count).map(net)), beyond: other)
  }

  /// Returns a function with the net bytes of each frame, for a table that gets one entry of 8 bytes per frame and
  /// doubles its capacity when it is full.
  private func doubling(warmUp: Int) -> (Int) -> Int {
    { frame in
      let entries = frame + warmUp
      return entries > 0 && entries & (entries - 1) == 0 ? entries * 8 : 0
    }
  }

  @Test(arguments: [1, 10, 60, 300]) func anObjectThatIsLostEachFewFramesIsGrowth(_ distance: Int) throws {
    let found = try #require(growth { $0 % distance == distance / 2 ? 112 : 0 })
    #expect(found.firstFrame == distance / 2)
  }

  @Test func aLeakThatBeginsInTheMiddleIsNamedByItsFirstFrame() {
    #expect(growth { $0 >= 500 ? 48 : 0 }?.firstFrame == 500)
  }

  @Test(arguments: [0, 1, 60, 120]) func aTableWithoutBoundIsGrowthThoughItRarelyGrows(_ warmUp: Int) {
    #expect(growth(doubling(warmUp: warmUp)) != nil)
  }

  @Test func aHeapThatIsFilledOnceIsNotGrowth() {
    #expect(growth { $0 == 700 ? 1 << 20 : 0 } == nil)
    #expect(growth { $0 < 20 ? 4_096 : 0 } == nil)
  }

  @Test func whatIsGivenBackOneFrameLaterIsNotGrowth() {
    func size(_ frame: Int) -> Int { frame < 0 ? 0 : 500 + frame &* 7_919 & 511 }
    #expect(growth { size($0) - size($0 - 1) } == nil)
    // A buffer that grows only twice, in frames 300 and 600, does not count as growth either.
    #expect(growth { min($0 / 300, 2) * 64 - min(($0 - 1) / 300, 2) * 64 } == nil)
  }

  @Test func aCacheThatIsEmptiedIsNotGrowth() { #expect(growth { $0 % 100 == 99 ? -99 * 48 : 48 } == nil) }

  @Test func theGrowthOfBothIsNone() {
    #expect(growth({ _ in 48 }, beyond: CountSeries(repeatElement(48, count: Self.count))) == nil)
    let more = growth({ _ in 64 }, beyond: CountSeries(repeatElement(48, count: Self.count)))
    #expect(more?.firstFrame == 0 && more?.bytes == 1_080 * 16)
  }

  @Test func theGrowthHasToExceedWhatTwoRunsDifferBy() {
    let net = CountSeries(repeatElement(48, count: Self.count))
    #expect(HeapGrowth(of: net, beyond: Self.none, allowance: 100_000) == nil)
    #expect(HeapGrowth(of: net, beyond: Self.none, allowance: 10_000) != nil)
  }

  @Test func veryFewFramesSayNothing() {
    #expect(HeapGrowth(of: CountSeries([48, 48]), beyond: CountSeries([0, 0])) == nil)
    #expect(HeapGrowth(of: CountSeries(), beyond: CountSeries()) == nil)
  }
}
