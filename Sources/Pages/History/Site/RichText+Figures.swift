import Judging

/// Figures as cells of a table.
extension RichText {
  /// Empty where there is nothing to compare with; strong beyond the noise.
  static func change(_ move: Trend.Move?, _ quantity: FigureText.Quantity) -> RichText {
    guard let move else { return "" }
    let text = FigureText.change(move.before, move.after, quantity)
    return move.isBeyondNoise ? .strong(text, move.isRegression ? .bad : .good) : .text(text)
  }

  static func change(_ shift: Trend.Shift, _ quantity: FigureText.Quantity) -> RichText {
    .strong(
      FigureText.change(shift.before, shift.after, quantity), shift.isRegression ? .bad : .good)
  }

  /// `a1b2c3d..e4f5a6b`
  static func commits(_ range: (good: String, bad: String)?) -> RichText {
    range.map { .code("\($0.good.prefix(7))..\($0.bad.prefix(7))") } ?? ""
  }
}
