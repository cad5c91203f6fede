import Foundation
import FrameBench
import Measurements
import Statistics
import TextFormat

/// How frame costs are distributed at one size: the cost that a share of the frames does not exceed, with
/// the slow tail stretched, as in HdrHistogram's plots. Read upwards at 99 for the p99.
struct DistributionChart {
  /// Nil where no frame was recorded.
  let chart: Chart?

  init(_ group: ScenarioGroup, _ size: Int, options: RunOptions, looks: [String: SeriesLook]) {
    let records = group.records(at: size).filter { !$0.frame.alignedNanoseconds.isEmpty }
    guard let most = records.map(\.frame.alignedNanoseconds.count).max() else {
      chart = nil
      return
    }
    let series = records.map { Self.series($0, look: looks[$0.id.strategy] ?? SeriesLook(index: 0)) }
    let costs = records.flatMap { record in
      record.frame.alignedNanoseconds + Self.raw(record).map(\.y)
    }
    chart = Chart(
      title: "\(group.name), \(Format.items(size)): distribution of the cost of a \(group.unit.noun)",
      subtitle:
        "solid: each \(group.unit.sample) the minimum of \(options.runsPhrase(records)), the cost of the work;"
        + " hollow: raw p50, p90 and p99 of all runs, the machine's noise included",
      description: records.map(Self.describe).joined(separator: " "), x: Self.shares(most, group.unit),
      y: .costs(costs, title: "cost of a \(group.unit.noun)"), series: series,
      levels: Chart.levels(group, options),
      readout: Self.readout(records, Self.shares(most, group.unit), looks, group.unit))
  }

  private static func series(_ record: BenchmarkRecord, look: SeriesLook) -> Chart.Series {
    let sorted = record.frame.alignedNanoseconds.sorted()
    let raw = raw(record)
    let aligned = sorted.indices.map { Point(x: share($0, of: sorted.count), y: sorted[$0]) }
    let named = [0.5, 0.9, 0.99].map { Point(x: $0, y: Quantile.type7(sorted: sorted, at: $0)) }
    let line: [Chart.Shape] =
      aligned.count == 1
      ? [.markers(aligned, isFilled: true)]
      : [
        .line(Self.steps(aligned)),
        .markers(named.filter { $0.x <= aligned[aligned.count - 1].x }, isFilled: true),
      ]
    let rawShapes: [Chart.Shape] = raw.isEmpty ? [] : [.thin(raw), .markers(raw, isFilled: false)]
    return Chart.Series(
      look: look, name: record.id.strategy, details: details(record), shapes: rawShapes + line,
      end: sorted[sorted.count - 1])
  }

  /// A hundred positions along the axis, and the named quantiles, where the raw ones are known too.
  private static func readout(
    _ records: [BenchmarkRecord], _ axis: Axis, _ looks: [String: SeriesLook], _ unit: WorkUnit
  ) -> ChartReadout {
    let even = (0...100).map { 1 - pow(1 - axis.upper, Double($0) / 100) }
    let shares = (even + [0.5, 0.9, 0.99].filter { $0 <= axis.upper }).sorted()
    let named = shares.map { share -> (Double, String) in
      let percent = Format.fixed(share * 100, decimals: share < 0.99 ? 1 : 3)
      let trimmed = percent.contains(".") ? percent.replacing(#/\.?0+$/#, with: "") : percent
      return (axis.fraction(share), "\(trimmed)% of \(unit.sample)s")
    }
    return ChartReadout(
      positions: .named(named), columns: ["", "raw"],
      series: records.map { record in
        let sorted = record.frame.alignedNanoseconds.sorted()
        let raw = raw(record)
        return ChartReadout.Series(
          name: record.id.strategy, look: looks[record.id.strategy] ?? SeriesLook(index: 0),
          nanoseconds: [
            shares.map { Quantile.type7(sorted: sorted, at: $0) },
            shares.map { share in raw.first { $0.x == share }?.y },
          ])
      })
  }

  private static func details(_ record: BenchmarkRecord) -> [String] {
    guard let aligned = record.frame.aligned else { return [] }
    let raw = record.frame.pooled
    return ["worst \(TimeUnit.text(aligned.max))"]
      + (raw.sampleCount > 0 ? ["raw worst \(TimeUnit.text(raw.max))"] : [])
  }

  private static func describe(_ record: BenchmarkRecord) -> String {
    let figures = [("p50", FlatRow.Statistic.p50), ("p90", .p90), ("p99", .p99), ("worst", .max)].compactMap {
      name, statistic in record.frame.timing(statistic).map { "\(name) \($0.text)" }
    }
    let raw = record.frame.pooled
    let rawText =
      raw.sampleCount > 0
      ? "; raw p50 \(TimeUnit.text(raw.p50)), p90 \(TimeUnit.text(raw.p90)), p99 \(TimeUnit.text(raw.p99)),"
        + " worst \(TimeUnit.text(raw.max))" : ""
    return
      "\(record.id.strategy): \(figures.isEmpty ? "no frames" : figures.joined(separator: ", "))\(rawText)."
  }

  /// The raw quantiles that the picture has room for: as far as the aligned frames go. The worst raw
  /// sample, often a hundred times more expensive, is named in the label instead.
  private static func raw(_ record: BenchmarkRecord) -> [Point] {
    let raw = record.frame.pooled
    guard raw.sampleCount > 0 else { return [] }
    let count = record.frame.alignedNanoseconds.count
    let last = share(count - 1, of: count)
    return [(0.5, raw.p50), (0.9, raw.p90), (0.99, raw.p99)].filter { $0.0 <= last }.map {
      Point(x: $0.0, y: $0.1)
    }
  }

  /// Where the value at an index of this many sorted ones stands (Hazen's position): never at 1, which is
  /// infinitely far away.
  private static func share(_ index: Int, of count: Int) -> Double { (Double(index) + 0.5) / Double(count) }

  /// A step at each frame; but of frames that a picture cannot show apart, in the crowded lower half, only
  /// the first.
  private static func steps(_ points: [Point]) -> [Point] {
    var kept: [Point] = []
    var lastPlace = -Double.infinity
    for (index, point) in points.enumerated() {
      let place = -log10(1 - point.x)
      guard place - lastPlace >= 0.008 || index == points.count - 1 else { continue }
      if let last = kept.last { kept.append(Point(x: point.x, y: last.y)) }
      kept.append(point)
      lastPlace = place
    }
    return kept
  }

  private static func shares(_ count: Int, _ unit: WorkUnit) -> Axis {
    let last = share(count - 1, of: count)
    let named: [(Double, String)] = [
      (0, "0"), (0.5, "50"), (0.9, "90"), (0.99, "99"), (0.999, "99.9"), (0.999_9, "99.99"),
      (0.999_99, "99.999"), (0.999_999, "99.9999"),
    ]
    return Axis(
      .tail, 0...max(last, 0.5),
      ticks: named.filter { $0.0 <= max(last, 0.5) }.map {
        Axis.Tick(value: $0.0, label: $0.1 + "%", isMinor: $0.0 == 0)
      },
      title: "share of \(unit.sample)s that cost no more (slow tail stretched)")
  }
}
