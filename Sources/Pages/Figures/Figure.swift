import FrameBench
import Judging
import Measurements
import TextFormat

/// The content of a table cell: a figure, or the reason why there is none.
enum Figure {
  case time(Timing)
  case bytes(Double)
  /// A count per frame: its mean, and its maximum if that differs.
  case count(mean: Double, maximum: Int?)
  case text(RichText)
  /// With the reason.
  case absent(String)

  init(count series: CountSeries) {
    guard let mean = series.mean, let maximum = series.maximum else {
      self = .absent(Self.noFrames)
      return
    }
    self = .count(mean: mean, maximum: Double(maximum) == mean ? nil : maximum)
  }

  init(time: Timing?, otherwise reason: String = Figure.noFrames) {
    self = time.map(Figure.time) ?? .absent(reason)
  }

  init(bytes: Int?, otherwise reason: String) {
    self = bytes.map { .bytes(Double($0)) } ?? .absent(reason)
  }

  static let noFrames = "No frame was recorded."

  /// The value for ratios; nil if there is nothing to divide.
  var magnitude: Double? {
    switch self {
    case .time(let time): time.nanoseconds
    case .bytes(let value), .count(let value, _): value
    case .text, .absent: nil
    }
  }
}

/// One line of a table: the same figure of several benchmarks.
struct FigureRow {
  var label: RichText
  /// A footnote to the label.
  var labelNote: RichText?
  var figures: [Figure]
  /// Resolution of times; nil if ratios are exact.
  var resolution: Resolution?
  /// Doubts about single figures, by column.
  var doubts: [Int: String] = [:]
  /// The unit of the surrounding rows, for times.
  var unitNearby: TimeUnit?
  /// The unit of figures that are text.
  var fixedUnit: String?
  /// Whether challenger ÷ reference is meaningful.
  var hasRatio = true

  /// The unit that all figures share.
  var unitSymbol: String {
    if let fixedUnit { return fixedUnit }
    for figure in figures {
      switch figure {
      case .time: return timeUnit.symbol
      case .bytes: return ByteUnit.fitting(figures.compactMap(\.magnitude)).symbol
      case .count, .text, .absent: continue
      }
    }
    let hasMaximum = figures.contains { figure in
      if case .count(_, .some) = figure { true } else { false }
    }
    return hasMaximum ? "mean (max)" : ""
  }

  /// The label with the mark of its footnote.
  var header: RichText { label + (labelNote.map(RichText.footnote) ?? "") }

  /// The cells of the figures, with marks for doubts and reasons.
  var cells: [RichText] {
    figures.indices.map { column in
      text(of: figures[column]) + (doubts[column].map { .footnote(RichText($0)) } ?? "")
    }
  }

  /// Figure ÷ reference, as text; empty if there is none.
  func ratio(ofColumn column: Int, toColumn reference: Int) -> String {
    guard hasRatio, let one = figures[reference].magnitude, let other = figures[column].magnitude
    else { return "" }
    if one == other { return "=" }
    guard let resolution, case .time(let first) = figures[reference], case .time(let second) = figures[column]
    else { return one == 0 ? "∞" : other == 0 ? "0×" : Format.ratio(other / one) }
    return Comparison(reference: first, challenger: second, resolution: resolution).ratio
  }

  private var timeUnit: TimeUnit {
    TimeUnit.fitting(figures.compactMap(\.magnitude), near: unitNearby)
  }

  private func text(of figure: Figure) -> RichText {
    switch figure {
    case .time(let time):
      RichText(
        [timeUnit.number(time.nanoseconds), time.spreadText].filter { !$0.isEmpty }.joined(separator: " "))
    case .bytes(let value): "\(ByteUnit.fitting(figures.compactMap(\.magnitude)).number(value))"
    case .count(let mean, let maximum):
      "\(Format.count(mean))\(maximum.map { " (\(Format.integer($0)))" } ?? "")"
    case .text(let text): text
    case .absent(let reason): .absent(reason)
    }
  }
}

/// Words for figures by the name of their column: `frameNanoseconds.solve.p50`.
enum FigureText {
  /// Unit of a column's values.
  enum Quantity: String, Sendable, Hashable {
    case time, bytes, count, points

    init(_ unit: Metric.Unit) {
      self =
        switch unit {
        case .nanoseconds: .time
        case .bytes: .bytes
        case .points: .points
        case .bytesPerSecond: .bytes
        case .count, .items, .itemsPerSecond, .hitchRatio, .hexadecimal: .count
        }
    }

    /// A value with its unit: `16.5 µs`.
    func text(_ value: Double) -> String {
      let sign = value < 0 ? "-" : ""
      switch self {
      case .time: return sign + TimeUnit.text(abs(value))
      case .bytes: return sign + ByteUnit.text(abs(value))
      case .count: return Format.count(value)
      case .points: return "\(Format.significant(value)) pt"
      }
    }
  }

  /// `frame time, p50`, `allocations in solve, mean`; names of scenarios' own counters as they are.
  static func name(_ column: String) -> String {
    guard let figure = FigureName(column), let statistic = figure.statistic else { return column }
    let metric = Metric.named(figure.metric, declared: nil)
    let name = metric == .frameTime && figure.phase != nil ? "time" : metric.title
    return name + (figure.phase.map { " in \($0)" } ?? "")
      + (statistic == .total ? "" : ", \(statistic.rawValue)")
  }

  /// `+5.0%`, `-12%`, `±0.01%` for less than that; the difference itself if there is nothing to divide by.
  static func change(_ before: Double, _ after: Double, _ quantity: Quantity) -> String {
    guard before != after else { return "=" }
    let sign = after > before ? "+" : "-"
    guard before > 0 else { return sign + quantity.text(abs(after - before)) }
    let fraction = abs(after / before - 1)
    return fraction < 0.000_1 ? "±0.01%" : sign + Format.percent(fraction)
  }
}

extension Trend {
  var quantity: FigureText.Quantity { FigureText.Quantity(kind.unit) }
  var title: String { FigureText.name(metric) }

  func text(_ shift: Shift) -> String { FigureText.change(shift.before, shift.after, quantity) }

  /// Empty if there is nothing to compare with; strong beyond the noise.
  func text(_ move: Move?) -> RichText {
    guard let move else { return "" }
    let text = FigureText.change(move.before, move.after, quantity)
    return move.isBeyondNoise ? .strong(text, move.isRegression ? .bad : .good) : .text(text)
  }
}
