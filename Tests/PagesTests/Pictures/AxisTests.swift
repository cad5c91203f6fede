import Foundation
import Measurements
import Testing

@testable import FrameBench
@testable import Markup

@Suite struct AxisTests {
  static let costs: [[Double]] = [
    [1, 2, 3], [0, 0], [], [5, 5, 5], [0, 250, 9e6], [0.1], [1e-12, 1e300], [3, 29], [3, 31], [999.9, 1_000],
    [1e17, 1e19], [.infinity, 4], [1e-300],
  ]

  @Test(arguments: costs) func ticksRiseAndStandInOrder(_ costs: [Double]) {
    for isLogarithmic in [nil, true, false] as [Bool?] {
      let axis = Axis.costs(costs, title: "cost", isLogarithmic: isLogarithmic)
      let fractions = axis.ticks.map { axis.fraction($0.value) }
      #expect(!fractions.isEmpty)
      #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 < $1 }, "\(axis.ticks)")
      #expect(fractions.allSatisfy { (0...1).contains($0) })
      #expect(Set(axis.ticks.map(\.label)).count == axis.ticks.count, "\(axis.ticks.map(\.label))")
      #expect(axis.ticks.count <= 14)
      for cost in costs { #expect((0...1).contains(axis.fraction(cost))) }
    }
  }

  @Test func logarithmicAxisPutsDecadesAtEqualDistances() {
    let axis = Axis(.logarithmic, 1...1_000, ticks: [], title: "")
    #expect([1, 10, 100, 1_000].map(axis.fraction).map { ($0 * 3).rounded(toPlaces: 9) } == [0, 1, 2, 3])
  }

  @Test func tailAxisPutsNinesAtEqualDistances() {
    let axis = Axis(.tail, 0...0.999, ticks: [], title: "")
    #expect([0, 0.9, 0.99, 0.999].map(axis.fraction).map { ($0 * 3).rounded(toPlaces: 9) } == [0, 1, 2, 3])
  }

  @Test func zeroStandsBelowALogarithmicAxis() {
    let axis = Axis.costs([0, 10, 10_000], title: "cost")
    #expect(axis.ticks.first?.label == "0")
    #expect(axis.fraction(0) == 0)
    #expect(axis.fraction(10) >= 0.08)
  }

  @Test func costsWithinATenfoldStandOnALinearAxisFromZero() {
    #expect(Axis.costs([100, 999], title: "").kind == .linear)
    #expect(Axis.costs([100, 1_001], title: "").kind == .logarithmic)
    #expect(Axis.costs([100, 999], title: "").fraction(0) == 0)
  }

  @Test func boxesThatWouldOverlapMoveApartAroundTheirMiddle() {
    let centers = Spread.centers(wishes: [50, 50, 52], heights: [10, 10, 10], within: 0...100)
    #expect(zip(centers, centers.dropFirst()).allSatisfy { $1 - $0 > 9.999 })
    #expect(abs(centers[1] - 50.67) < 0.01)
    let atTheEdge = Spread.centers(wishes: [99, 98], heights: [10, 10], within: 0...100)
    #expect(atTheEdge == [95, 85])
  }

  @Test func envelopeKeepsTheHighestAndTheLowestOfAColumn() {
    let points = (0..<100).map { Point(x: 3 + Double($0) / 100, y: Double(($0 * 37) % 100)) }
    let reduced = points.thinned
    #expect(reduced.count <= 4)
    #expect(reduced.map(\.y).min() == 0 && reduced.map(\.y).max() == 99)
    #expect(reduced.first == points.first && reduced.last == points.last)
    #expect(zip(reduced, reduced.dropFirst()).allSatisfy { $0.x < $1.x })
  }
}

@Suite struct PaletteTests {
  /// WCAG 2, level AA, requires a contrast ratio of 4.5 for text.
  @Test func colorsStandOutFromThePageInLightAndInDark() {
    for pair in Palette.series + [Palette.ink, Palette.muted] {
      #expect(Self.contrast(pair.light, Palette.pages.light) >= 4.5, "\(pair.light)")
      #expect(Self.contrast(pair.dark, Palette.pages.dark) >= 4.5, "\(pair.dark)")
      #expect(Self.contrast(pair.light, Palette.panel.light) >= 4.5, "\(pair.light) on the panel")
      #expect(Self.contrast(pair.dark, Palette.panel.dark) >= 4.5, "\(pair.dark) on the panel")
    }
  }

  @Test func strategiesDifferInShapeAsWell() {
    let shapes = (0..<8).map { SeriesLook(index: $0).marker(at: Point(x: 0, y: 0), radius: 10) }
    #expect(Set(shapes).count == 8)
  }

  private static func contrast(_ one: String, _ other: String) -> Double {
    let (a, b) = (luminance(one), luminance(other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  private static func luminance(_ color: String) -> Double {
    let value = Int(color.dropFirst(), radix: 16) ?? 0
    let channels = [16, 8, 0].map { shift -> Double in
      let channel = Double((value >> shift) & 0xFF) / 255
      return channel <= 0.040_45 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
    }
    return 0.212_6 * channels[0] + 0.715_2 * channels[1] + 0.072_2 * channels[2]
  }
}

extension Double {
  fileprivate func rounded(toPlaces places: Int) -> Double {
    let scale = pow(10, Double(places))
    return (self * scale).rounded() / scale
  }

  @Test(arguments: [(Metric.Unit.count, ["0", "1"]), (.nanoseconds, ["0 ns", "1 ns"])])
  func nothingButZeroHasNoFractions(_ unit: Metric.Unit, _ labels: [String]) {
    let axis = Axis.zoomed([0, 0, 0], unit)
    #expect(axis.ticks.map(\.label) == labels && axis.lower == 0)
  }
}
