import Foundation
import FrameBench
import Measurements
import Statistics
import TextFormat

/// How the cost of a frame grows with the number of items, beside what displays leave for it.
struct GrowthChart {
  /// Nil where frames were recorded at fewer than two sizes.
  let chart: Chart?

  init(_ group: ScenarioGroup, options: RunOptions, looks: [String: SeriesLook]) {
    let measured = group.strategies.map { strategy in
      Measured(strategy: strategy, points: group.records(of: strategy).compactMap(Measured.Size.init))
    }.filter { !$0.points.isEmpty }
    let sizes = Set(measured.flatMap { $0.points.map(\.size) }).sorted()
    guard sizes.count > 1 else {
      chart = nil
      return
    }
    let levels = Chart.levels(group, options)
    let costs = measured.flatMap { $0.points.flatMap { [$0.p50, $0.p99] } } + levels.map(\.value)
    chart = Chart(
      title: "\(group.name): cost of a \(group.unit.noun) against the number of items",
      subtitle:
        "filled: p50, hollow: p99, of \(group.unit.sample)s each the minimum of \(options.runsPhrase(group.strategies.flatMap(group.records(of:))));"
        + " ~ items^k is fitted to the p50",
      description: measured.map(\.description).joined(separator: " "),
      x: Self.items(sizes),
      y: .costs(costs, title: "cost of a \(group.unit.noun)", isLogarithmic: true),
      series: measured.map { $0.series(looks[$0.strategy] ?? SeriesLook(index: 0)) }, levels: levels,
      readout: Self.readout(measured, sizes, looks))
  }

  private static func readout(
    _ measured: [Measured], _ sizes: [Double], _ looks: [String: SeriesLook]
  ) -> ChartReadout {
    let axis = items(sizes)
    return ChartReadout(
      positions: .named(sizes.map { (axis.fraction($0), Format.items(Int($0))) }), columns: ["p50", "p99"],
      series: measured.map { strategy in
        let points = sizes.map { size in strategy.points.first { $0.size == size } }
        return ChartReadout.Series(
          name: strategy.strategy, look: looks[strategy.strategy] ?? SeriesLook(index: 0),
          nanoseconds: [points.map { $0?.p50 }, points.map { $0?.p99 }])
      })
  }

  private struct Measured {
    struct Size {
      let size: Double
      let p50: Double
      let p99: Double
      /// With its interval.
      let p50Text: String

      init?(_ record: BenchmarkRecord) {
        guard let aligned = record.frame.aligned, let timing = record.frame.timing(.p50) else { return nil }
        (size, p50, p99) = (Double(record.id.size), aligned.p50, aligned.p99)
        p50Text = timing.text
      }
    }

    let strategy: String
    let points: [Size]

    func series(_ look: SeriesLook) -> Chart.Series {
      let p50 = points.map { Point(x: $0.size, y: $0.p50) }
      let p99 = points.map { Point(x: $0.size, y: $0.p99) }
      return Chart.Series(
        look: look, name: strategy, details: [growth, largest].compactMap { $0 },
        shapes: [
          .band(lower: p50, upper: p99), .thin(p99), .line(p50), .markers(p99, isFilled: false),
          .markers(p50, isFilled: true),
        ], end: points[points.count - 1].p50)
    }

    /// `~ items^0.61`; nil where one size alone was measured.
    private var growth: String? {
      PowerLaw(fitting: points.map { ($0.size, $0.p50) }).map {
        "~ items^\(Format.fixed($0.exponent, decimals: 2))"
      }
    }

    private var largest: String? {
      points.last.map { "p50 \($0.p50Text) at \(Format.integer(Int($0.size)))" }
    }

    var description: String {
      let costs = points.map {
        "p50 \($0.p50Text) and p99 \(TimeUnit.text($0.p99)) at \(Format.items(Int($0.size)))"
      }
      return "\(strategy)\(growth.map { " \($0)" } ?? ""): \(Format.list(costs))."
    }
  }

  /// The measured sizes are named, and no others.
  private static func items(_ sizes: [Double]) -> Axis {
    let (least, most) = (sizes[0], sizes[sizes.count - 1])
    // Room for the markers at both ends.
    let margin = pow(most / least, 0.025)
    return Axis(
      .logarithmic, (least / margin)...(most * margin),
      ticks: sizes.map { Axis.Tick(value: $0, label: Format.integer(Int($0))) }, title: "items, log scale")
  }
}
