/// A moment as documents write it, `2026-11-21T06:47:12Z`, read without a calendar library.
package struct UTCTime: Sendable {
  /// Days since 1970-01-01.
  package let day: Int
  /// Seconds since midnight, up to 86,400 in a leap second.
  package let secondOfDay: Int

  /// Nil for any other form, fractions of a second too, and for a day that the month does not have.
  package init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[10] == UInt8(ascii: "T"), bytes[19] == UInt8(ascii: "Z") else {
      return nil
    }
    for (position, mark) in [(4, "-"), (7, "-"), (13, ":"), (16, ":")]
    where bytes[position] != mark.utf8.first {
      return nil
    }
    func number(_ range: Range<Int>) -> Int? {
      bytes[range].reduce(Int?(0)) { sum, byte in
        guard let sum, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        return sum * 10 + Int(byte - UInt8(ascii: "0"))
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let dayOfMonth = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), dayOfMonth >= 1, hour < 24, minute < 60, second <= 60
    else { return nil }
    day = Self.firstDay(year, month) + dayOfMonth - 1
    guard day < Self.firstDay(year, month + 1) else { return nil }
    secondOfDay = hour * 3_600 + minute * 60 + second
  }

  /// Whether the text is a calendar day, as in `2027-01-31`; days sort like their text.
  package static func isDay(_ text: String) -> Bool { UTCTime(iso8601: text + "T00:00:00Z") != nil }

  /// Since 1970-01-01T00:00:00Z.
  package var unixSeconds: Int { day * 86_400 + secondOfDay }

  /// Nil if they do not fit into 64 bits, from the year 2262 on.
  package var unixNanoseconds: Int? {
    let (nanoseconds, isTooLong) = unixSeconds.multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLong ? nil : nanoseconds
  }

  /// Days from the civil date, Howard Hinnant's algorithm: March is the first month of its year, so that a
  /// month 13 is the next January.
  private static func firstDay(_ year: Int, _ month: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
