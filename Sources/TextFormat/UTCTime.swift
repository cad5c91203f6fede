import FoundationEssentials

/// A point in time, which documents write as `2026-11-21T06:47:12Z`.
package struct UTCTime: Sendable {
  /// The seconds since 1970-01-01T00:00:00Z.
  package let unixSeconds: Int

  /// The days since 1970-01-01.
  package var day: Int { (unixSeconds - secondOfDay) / 86_400 }
  /// The seconds since midnight.
  package var secondOfDay: Int { (unixSeconds % 86_400 + 86_400) % 86_400 }

  /// Parses a text such as `2026-11-21T06:47:12Z`. Nil for any other form, even with fractions of a second, and for a
  /// day that the month does not have.
  package init?(iso8601 text: String) {
    // The parser also accepts other spellings, and days such as February 30.
    guard let date = try? Date(text, strategy: .iso8601), date.formatted(.iso8601) == text else { return nil }
    unixSeconds = Int(date.timeIntervalSince1970)
  }

  /// Whether the text is a calendar day, as in `2027-01-31`. Such texts sort like the days.
  package static func isDay(_ text: String) -> Bool { UTCTime(iso8601: text + "T00:00:00Z") != nil }

  /// The nanoseconds since 1970-01-01T00:00:00Z. Nil if they do not fit into 64 bits, as after 2262-04-11.
  package var unixNanoseconds: Int? {
    let (nanoseconds, isTooLong) = unixSeconds.multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLong ? nil : nanoseconds
  }
}
