import Foundation
import Testing

@testable import FrameBench
@testable import Measurements

/// How far link orders differ, from runs that had them in turns.
struct LayoutSpreadTests {
  @Test func theSpreadIsThatOfTheOrdersAlignedFrames() throws {
    // Orders of 100, 110 and 90 ns, two runs each; the second round was disturbed.
    let runs = [100.0, 110, 90, 140, 150, 135].map { [Double](repeating: $0, count: 50) }
    let time = TimeRecord(runs: runs, clockPairs: nil, pairCost: 0, clockStep: 0, layoutCount: 3)
    // Median distance of ln 90, ln 100 and ln 110 from ln 100: ln 1.1.
    #expect(try abs(#require(time.layoutSpread) - 1.4826 * log(1.1)) < 1e-4)
    #expect(time.alignedNanoseconds == [Double](repeating: 90, count: 50))
  }

  @Test func oneOrderHasNoSpread() {
    #expect(
      TimeRecord(runs: [[1, 2], [1, 2]], clockPairs: nil, pairCost: 0, clockStep: 0).layoutSpread == nil)
    #expect(
      TimeRecord(runs: [[1, 2]], clockPairs: nil, pairCost: 0, clockStep: 0, layoutCount: 4).layoutSpread
        == nil)
  }
}
