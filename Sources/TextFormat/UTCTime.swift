/// A point in time, read from ISO 8601 without a calendar library: run documents hold UTC only.
package struct UTCTime {
  /// Since 1970-01-01T00:00:00Z, seconds.
  package let unixSeconds: Int

  /// Nil for all but `yyyy-mm-ddThh:mm:ssZ` of a day that exists, from the year 1970 to 2200: later
  /// ones do not fit into 64 bits of nanoseconds.
  package init?(iso8601 text: String) {
    guard let match = text.wholeMatch(of: #/(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z/#),
      let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
      let hour = Int(match.4), let minute = Int(match.5), let second = Int(match.6),
      (1970...2200).contains(year), (1...12).contains(month),
      (1...Self.days(inMonth: month, of: year)).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    let days = Self.daysSince1970(year: year) + Self.days(beforeMonth: month, of: year) + day - 1
    unixSeconds = ((days * 24 + hour) * 60 + minute) * 60 + second
  }

  package var unixNanoseconds: Int { unixSeconds * 1_000_000_000 }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func days(beforeMonth month: Int, of year: Int) -> Int {
    (1..<month).reduce(0) { $0 + days(inMonth: $1, of: year) }
  }

  private static func daysSince1970(year: Int) -> Int {
    (1970..<year).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
  }
}
