import Foundation

/// A moment, as documents and folders write it: UTC, whole seconds.
package struct Timestamp {
  var date: Date

  package init(date: Date) {
    self.date = date
  }

  /// `2026-11-21T06:47:12Z`
  package var iso8601: String { formatted("yyyy-MM-dd'T'HH:mm:ss'Z'") }

  /// `20261121T064712Z`
  package var compact: String { formatted("yyyyMMdd'T'HHmmss'Z'") }

  private func formatted(_ format: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = format
    return formatter.string(from: date)
  }
}
