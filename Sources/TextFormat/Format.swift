/// Formats numbers for readers. The result is the same on every machine, because it depends on no locale.
package enum Format {
  package static let absent = "–"

  /// Returns a number rounded to significant digits, with thousands separated: `0.379`, `16.5`, `163`, `16,200`.
  package static func significant(_ value: Double, digits: Int = 3) -> String {
    guard value != 0 else { return "0" }
    guard (1e-12..<1e15).contains(abs(value)) else { return "\(value)" }
    let magnitude = abs(value)
    let exponent = decimalExponent(magnitude)
    // Rounding may add a digit: 9.996 reads 10.0, not 10.00.
    let carries = scaled(magnitude, by: digits - 1 - exponent).rounded() >= powerOfTen(digits)
    return sign(value) + place(magnitude, decimals: digits - 1 - exponent - (carries ? 1 : 0))
  }

  /// Returns a number with a fixed number of decimals: `16.67`, `-0.02`, and `0.00` for values that round to zero.
  package static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let text = place(abs(value), decimals: decimals)
    return scaled(abs(value), by: decimals).rounded() == 0 ? text : sign(value) + text
  }

  /// Returns a whole number with thousands separated: `12,345`.
  package static func integer(_ value: Int) -> String {
    let digits = String(value.magnitude)
    return digits.enumerated().reduce(into: value < 0 ? "-" : "") { text, digit in
      if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += "," }
      text.append(digit.element)
    }
  }

  /// Returns a count or a mean of counts. Whole numbers are in full, others have three digits: `10,000`, `0.25`,
  /// `14.2`.
  package static func count(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 1e15 { return integer(Int(value)) }
    let text = significant(value)
    guard text.contains(".") else { return text }
    let trimmed = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(trimmed.reversed())
  }

  /// Returns a factor, for which two digits suffice: `5.9×`, `48×`, `0.77×`, `12,000×`.
  package static func ratio(_ value: Double) -> String { value.isInfinite ? "∞" : significant(value, digits: 2) + "×" }

  /// Returns a fraction as a percentage with two digits, or three from 100% on: `0.43%`, `12%`, `131%`, `0.0018%`. A
  /// positive value below 0.0001% is `<0.0001%`.
  package static func percent(_ fraction: Double) -> String {
    if fraction > 0 && fraction < 0.000_001 { return "<0.0001%" }
    return significant(fraction * 100, digits: fraction >= 1 ? 3 : 2) + "%"
  }

  /// Returns a list in words: `a`, `a and b`, `a, b and c`.
  package static func list(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Returns a list in words that names only the first `count` parts: `a, b and 4 more`.
  package static func list(_ parts: [String], atMost count: Int) -> String { list(parts.shortened(to: count)) }

  /// Returns a number of items: `1 item`, `1,000 items`.
  package static func items(_ count: Int) -> String { plural(count, "item") }

  /// Returns a number with its noun: `1 frame`, `20 frames`.
  package static func plural(_ count: Int, _ noun: String) -> String {
    "\(integer(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  private static func sign(_ value: Double) -> String { value < 0 ? "-" : "" }

  private static func place(_ magnitude: Double, decimals: Int) -> String {
    let rounded = Int(scaled(magnitude, by: decimals).rounded())
    guard decimals > 0 else { return integer(Int(scaled(Double(rounded), by: -decimals))) }
    let digits = String(rounded)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return "\(integer(Int(padded.dropLast(decimals)) ?? 0)).\(padded.suffix(decimals))"
  }

  /// Returns the largest n with 10^n ≤ magnitude. A logarithm could be off by one, because it is rounded.
  private static func decimalExponent(_ magnitude: Double) -> Int {
    var exponent = 0
    while magnitude >= powerOfTen(exponent + 1) { exponent += 1 }
    while scaled(magnitude, by: -exponent) < 1 { exponent -= 1 }
    return exponent
  }

  private static func scaled(_ value: Double, by exponent: Int) -> Double {
    exponent >= 0 ? value * powerOfTen(exponent) : value / powerOfTen(-exponent)
  }

  /// Returns a power of ten, which is exact up to 10^22.
  private static func powerOfTen(_ exponent: Int) -> Double {
    (0..<max(0, exponent)).reduce(1) { power, _ in power * 10 }
  }
}

extension Array where Element: ExpressibleByStringLiteral, Element.StringLiteralType == String {
  /// The first `count` elements, and the number of the others as in `4 more`.
  package func shortened(to count: Int) -> [Element] {
    self.count > count ? prefix(count) + [Element(stringLiteral: "\(self.count - count) more")] : self
  }
}

/// A unit that all figures of a row share, so that they can be compared at a glance. The raw value is its symbol.
package protocol ScaledUnit: CaseIterable, Equatable, RawRepresentable<String> {
  /// How many of a unit make one of the next larger unit. The smallest unit is a nanosecond or a byte.
  static var step: Double { get }
}

extension ScaledUnit {
  package var symbol: String { rawValue }
  /// The size of the unit, in nanoseconds or bytes.
  package var scale: Double { Self.allCases.prefix { $0 != self }.reduce(1) { scale, _ in scale * Self.step } }

  /// Returns the unit for figures that are shown side by side: the largest unit in which the geometric mean of the
  /// smallest and the largest figure is at least 1. So 163 µs and 379 ns are shown as 163 and 0.379, not as 163,000 and
  /// 379.
  package static func fitting(_ values: [Double]) -> Self {
    let middle = middle(values)
    return allCases.reversed().first { $0.scale <= middle } ?? allCases[allCases.startIndex]
  }

  /// Returns the unit of the neighboring rows, so that figures can also be compared between rows. If these figures are
  /// hard to read in that unit, returns the unit that fits them.
  package static func fitting(_ values: [Double], near unit: Self?) -> Self {
    guard let unit else { return fitting(values) }
    let isReadable = (0.01..<100_000).contains(middle(values) / unit.scale)
    return isReadable ? unit : fitting(values)
  }

  private static func middle(_ values: [Double]) -> Double {
    let positive = values.filter { $0 > 0 }
    return (positive.min() ?? 0).squareRoot() * (positive.max() ?? 0).squareRoot()
  }

  /// Returns the value in this unit with three significant digits, without the symbol.
  package func number(_ value: Double) -> String { Format.significant(value / scale) }

  /// Returns the value with the unit that fits it: `16.5 µs`.
  package static func text(_ value: Double) -> String {
    // A value that rounds to 1,000 µs reads 1.00 ms.
    let unit = fitting([value * 1_000 / 999.5])
    return "\(unit.number(value)) \(unit.symbol)"
  }
}

/// Units in which a time can be shown. The time itself is given in nanoseconds.
package enum TimeUnit: String, ScaledUnit {
  case nanoseconds = "ns"
  case microseconds = "µs"
  case milliseconds = "ms"
  case seconds = "s"

  package static var step: Double { 1_000 }
}

/// Units in which an amount of memory can be shown. The amount itself is given in bytes.
package enum ByteUnit: String, ScaledUnit {
  case bytes = "B"
  case kibibytes = "KiB"
  case mebibytes = "MiB"
  case gibibytes = "GiB"

  package static var step: Double { 1_024 }

  /// Returns the value in this unit. Whole bytes are exact and in full, and larger units are rounded to three digits.
  package func number(_ value: Double) -> String {
    self == .bytes ? Format.count(value) : Format.significant(value / scale)
  }
}
