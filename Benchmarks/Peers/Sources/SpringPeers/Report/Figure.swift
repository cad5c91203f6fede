import Foundation

/// Formats numbers for the report.
enum Figure {
  /// Returns the number with three significant digits, or with all digits before the point if there are more.
  static func significant(_ value: Double) -> String {
    guard value.isFinite else { return "\(value)" }
    guard value != 0 else { return "0" }
    // Counts the digits of the rounded value, because 9.996 is rounded to 10.0.
    let rounded = Double(String(format: "%.2e", value)) ?? value
    let decimals = max(0, 2 - Int(log10(abs(rounded)).rounded(.down)))
    return decimals <= 4 ? grouped(String(format: "%.\(decimals)f", value)) : String(format: "%.1e", value)
  }

  static func points(_ value: Double) -> String { significant(value) }

  static func count(_ value: Int) -> String { grouped(String(value)) }

  /// Returns the median, followed by the quartiles of the ratios in parentheses.
  static func ratio(_ ratio: Ratio) -> String {
    "\(significant(ratio.median)) (\(significant(ratio.quartiles.lowerBound))–"
      + "\(significant(ratio.quartiles.upperBound)))"
  }

  /// Returns the median, followed by its 99% interval in brackets.
  static func withInterval(_ ratio: Ratio) -> String {
    guard let interval = ratio.interval else { return significant(ratio.median) }
    return "\(significant(ratio.median)) " + "[\(significant(interval.lowerBound))–\(significant(interval.upperBound))]"
  }

  /// Returns the digits with commas between the thousands.
  private static func grouped(_ digits: String) -> String {
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    let sign = parts[0].hasPrefix("-") ? "-" : ""
    var whole = ""
    for (place, digit) in parts[0].dropFirst(sign.count).reversed().enumerated() {
      if place > 0, place.isMultiple(of: 3) { whole.append(",") }
      whole.append(digit)
    }
    return ([sign + String(whole.reversed())] + parts.dropFirst().map(String.init)).joined(separator: ".")
  }
}
