import Foundation
import FrameBench
import FrameReport

extension RunDocument {
  /// The files of a run's folder.
  func files() throws -> [(name: String, data: Data)] {
    [("run.json", try encoded())] + ReportWriting.files(self).map { ($0.name, Data($0.text.utf8)) }
  }
}

/// A moment, as documents and folders write it: UTC, whole seconds.
struct Timestamp {
  var date: Date

  /// `2026-11-21T06:47:12Z`
  var iso8601: String { formatted("yyyy-MM-dd'T'HH:mm:ss'Z'") }

  /// `20261121T064712Z`
  var compact: String { formatted("yyyyMMdd'T'HHmmss'Z'") }

  private func formatted(_ format: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = format
    return formatter.string(from: date)
  }
}
