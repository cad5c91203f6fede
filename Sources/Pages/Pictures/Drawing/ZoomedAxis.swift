import Foundation
import TextFormat

/// The axis of a figure over time: as much of it as the values fill, because a change of a percent is
/// invisible on an axis that begins at 0.
extension Axis {
  static func zoomed(_ values: [Double], _ quantity: FigureText.Quantity) -> Axis {
    let finite = values.filter { $0.isFinite && abs($0) < 1e15 }
    let (low, high) = (finite.min() ?? 0, finite.max() ?? 1)
    guard low != 0 || high != 0 else {
      // Nothing but 0 has no scale of its own, and a fraction of a count would look like one.
      let whole = unit(quantity, 1)
      let ticks = [0, whole.scale].map { value -> Tick in
        Tick(
          value: value,
          label: [number(value / whole.scale, 0), whole.symbol].filter { !$0.isEmpty }.joined(separator: " "))
      }
      return Axis(.linear, 0...whole.scale, ticks: ticks, title: "")
    }
    let unit = unit(quantity, high)
    // If values hardly move, two percent fill the axis, so that noise does not look like news.
    let span = max(high - low, abs(high) * 0.02, unit.scale * 1e-6, quantity == .count ? 1e-3 : 0)
    let step = NiceNumbers.step(atLeast: span / 4 / unit.scale)
    let middle = (low + high) / 2 / unit.scale
    let half = span / 2 / unit.scale
    var first = ((middle - half) / step - 0.1).rounded(.down)
    if low >= 0 { first = max(0, first) }
    let last = max(first + 1, ((middle + half) / step + 0.1).rounded(.up))
    let decimals = max(0, Int((-log10(step) - 1e-9).rounded(.up)))
    let ticks = (0...Int(last - first)).map { index -> Tick in
      let value = (first + Double(index)) * step
      let symbol = unit.symbol.isEmpty ? "" : " \(unit.symbol)"
      return Tick(value: value * unit.scale, label: number(value, decimals) + symbol)
    }
    return Axis(.linear, (first * step * unit.scale)...(last * step * unit.scale), ticks: ticks, title: "")
  }

  private static func number(_ value: Double, _ decimals: Int) -> String {
    decimals == 0 && abs(value) < 1e15
      ? Format.integer(Int(value.rounded())) : Format.fixed(value, decimals: decimals)
  }

  private static func unit(_ quantity: FigureText.Quantity, _ value: Double) -> (
    symbol: String, scale: Double
  ) {
    switch quantity {
    case .time:
      let unit = TimeUnit.fitting([value])
      return (unit.symbol, unit.scale)
    case .bytes:
      let unit = ByteUnit.fitting([value])
      return (unit.symbol, unit.scale)
    case .count: return ("", 1)
    case .points: return ("pt", 1)
    }
  }
}
