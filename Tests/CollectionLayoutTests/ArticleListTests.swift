import Dynamics
import Foundation
import Statistics
import Testing

@testable import CollectionLayout

/// Compares the springy list with a direct port of the code of article 1 in docs/sources.md.
@Suite struct ArticleListTests {
  /// The ported list. Rows have 310×60 points and are 5 points apart.
  private struct ArticleList {
    struct Row {
      var displacement = 0.0
      var velocity = 0.0
    }

    let isTiled: Bool
    let count: Int
    var rows: [Int: Row] = [:]
    var origin = 0.0
    var touch = Point(x: 160, y: 284)
    var latestDelta = 0.0

    init(count: Int, isTiled: Bool) {
      (self.count, self.isTiled) = (count, isTiled)
      prepare()
    }

    static func anchor(_ index: Int) -> Double { 35 + 65 * Double(index) }

    /// Returns how far the latest scroll moves an item, which depends on the item's distance from the touch.
    func flight(_ index: Int) -> Double {
      let resistance = (abs(origin + touch.y - Self.anchor(index)) + abs(touch.x - 160)) / 1500
      return latestDelta < 0 ? max(latestDelta, latestDelta * resistance) : min(latestDelta, latestDelta * resistance)
    }

    /// Ports the article's `shouldInvalidateLayoutForBoundsChange:`, and changes the bounds.
    mutating func changeBounds(to newOrigin: Double) {
      guard newOrigin != origin else { return }
      latestDelta = newOrigin - origin
      for index in rows.keys {
        let distance = flight(index)
        rows[index]?.displacement += distance
      }
      origin = newOrigin
    }

    mutating func step(by h: Double) {
      let (ω, ζ) = (2 * Double.pi, 0.8)
      let ωd = ω * (1 - ζ * ζ).squareRoot()
      let (c, s, e) = (cos(ωd * h), sin(ωd * h) / ωd, exp(-ζ * ω * h))
      for (index, row) in rows {
        let (d, v) = (row.displacement, row.velocity)
        rows[index] = Row(
          displacement: e * ((c + ζ * ω * s) * d + s * v), velocity: e * (-ω * ω * s * d + (c - ζ * ω * s) * v))
      }
    }

    /// Ports the article's `prepareLayout`.
    mutating func prepare() {
      for index in 0..<count {
        let top = Self.anchor(index) - 30
        let isNear = !isTiled || (top < origin + 668 && top + 60 > origin - 100)
        if !isNear { rows[index] = nil } else if rows[index] == nil { rows[index] = Row(displacement: flight(index)) }
      }
      latestDelta = 0
    }
  }

  @Test(arguments: [false, true], 1...5 as ClosedRange<UInt64>) func theListMovesAsTheArticlesCodeMovesIt(
    isTiled: Bool, seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var port = ArticleList(count: 300, isTiled: isTiled)
    let layout: SpringLayout = isTiled ? try TiledSpringLayout(flow: .messages) : try NaiveSpringLayout(flow: .messages)
    let view = try CollectionView(layout: layout, itemCount: 300, size: phone)
    var (worst, furthest) = (0.0, 0.0)
    for _ in 0..<400 {
      for _ in 0..<(Int.random(in: 0...5, using: &random) == 0 ? 2 : 1) {
        port.touch = Point(x: .random(in: 0...320, using: &random), y: .random(in: 0...568, using: &random))
        let offset = min(max(0, port.origin + .random(in: -90...110, using: &random)), 18_000)
        port.changeBounds(to: offset)
        view.scroll(to: offset, touch: port.touch)
      }
      let timestep = 1 / Double(Int.random(in: 60...120, using: &random))
      port.step(by: timestep)
      view.step(by: timestep)
      port.prepare()
      try view.prepareLayout()
      #expect(layout.springs.range.count == port.rows.count)
      for shown in view.visibleAttributes() {
        let row = try #require(port.rows[shown.index])
        worst = max(worst, abs(shown.center.y - ArticleList.anchor(shown.index) - row.displacement))
        furthest = max(furthest, abs(row.displacement))
      }
    }
    #expect(worst < 1e-6 && furthest > 20)
  }
}
