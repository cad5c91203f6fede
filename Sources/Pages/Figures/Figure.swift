import FrameBench
import Measurements
import TextFormat

/// The content of a table cell: a figure, or the reason why there is none.
enum Figure {
  case time(Timing)
  case bytes(Double)
  /// A count per frame: its mean, and its greatest value where that differs.
  case count(mean: Double, maximum: Int?)
  case text(RichText)
  /// Why.
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

  /// What a ratio is made of; nil where there is nothing to divide.
  var magnitude: Double? {
    switch self {
    case .time(let time): time.nanoseconds
    case .bytes(let value), .count(let value, _): value
    case .text, .absent: nil
    }
  }
}

/// One line of a table: the same thing of several benchmarks.
struct FigureRow {
  var label: RichText
  /// A footnote to the label.
  var labelNote: RichText?
  var figures: [Figure]
  /// How fine times are; nil where ratios are exact.
  var resolution: Resolution?
  /// Doubts about single figures by column.
  var doubts: [Int: String] = [:]
  /// The unit of the rows around it, for times.
  var unitNearby: TimeUnit?
  /// The unit of figures that are text.
  var fixedUnit: String?
  /// Whether challenger ÷ reference tells something.
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

  /// Figure ÷ reference, as text; empty where there is none.
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

extension RichText {
  /// Stands where there is no value, with a footnote that says why.
  static func absent(_ reason: String) -> RichText { "\(Format.absent)\(footnote: RichText(reason))" }
}
