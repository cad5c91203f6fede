import Dynamics
import Foundation
import Statistics
import Testing

@testable import CollectionLayout

/// Hashes the centers of all visible items in each frame of a pseudorandom scroll. The hash must be the same in debug
/// and release builds, and for every vector width.
@Suite struct GoldenTrajectoryTests {
  private func hash(_ layout: CollectionViewLayout, items: Int) throws -> String {
    let view = try CollectionView(layout: layout, itemCount: items, size: phone)
    var random = SplitMix64(seed: 2013)
    var offset = 1000.0
    var velocity = 0.0
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func mix(_ word: UInt64) { hash = (hash ^ word) &* 0x0000_0100_0000_01b3 }
    for step in 0..<1200 {
      if step.isMultiple(of: 40) { velocity = .random(in: -60...60, using: &random) }
      if step % 400 < 380 { offset = min(max(0, offset + velocity), view.maximumContentOffset) }
      let touch = Point(x: Double(Int(random.next() % 320)), y: Double(Int(random.next() % 568)))
      view.scroll(to: offset, touch: step.isMultiple(of: 9) ? nil : touch)
      view.step(by: 1 / 60)
      try view.prepareLayout()
      for attributes in view.visibleAttributes() {
        mix(UInt64(attributes.index))
        mix(attributes.center.x.bitPattern)
        mix(attributes.center.y.bitPattern)
      }
    }
    return String(hash, radix: 16)
  }

  @Test func theNaiveListMovesAsItAlwaysDid() throws {
    let messages = try hash(NaiveSpringLayout(flow: .messages), items: 300)
    #expect(messages == "111011d490ee3d9e")
    let grid = try hash(NaiveSpringLayout(), items: 1000)
    #expect(grid == "2265b951b390013b")
  }

  @Test func theTiledListMovesAsItAlwaysDid() throws {
    let messages = try hash(TiledSpringLayout(flow: .messages), items: 300)
    #expect(messages == "abc876369f67112f")
    let grid = try hash(TiledSpringLayout(), items: 1000)
    #expect(grid == "b4b60218c132ea3")
  }
}
