import Foundation

/// A moment, as documents and folders write it: UTC, whole seconds.
struct Timestamp {
  var date: Date

  init(date: Date) {
    self.date = date
  }

  /// `2026-11-21T06:47:12Z`
  var iso8601: String { date.formatted(.iso8601) }

  /// `2026-11-21`
  var day: String { String(iso8601.prefix(10)) }

  /// `20261121T064712Z`
  var compact: String { iso8601.filter { $0.isLetter || $0.isNumber } }
}
