import Foundation
import Testing

/// Checks each event of a file against the rules of "Trace Event Format".
struct TraceFormat {
  private(set) var problems: [String] = []
  private(set) var events: [[String: Any]] = []

  init(_ text: String) throws {
    let whole = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    guard let events = whole["traceEvents"] as? [[String: Any]] else {
      problems.append("no traceEvents")
      return
    }
    if !["ns", "ms"].contains(whole["displayTimeUnit"] as? String ?? "ms") { problems.append("displayTimeUnit") }
    self.events = events
    var open: [(end: Double, name: String)] = []
    var last = -Double.infinity
    for event in events {
      guard let kind = event["ph"] as? String, event["name"] is String, event["pid"] is Int else {
        problems.append("no ph, name or pid: \(event)")
        continue
      }
      let start = event["ts"] as? Double
      if kind != "M", start == nil { problems.append("no ts: \(event)") }
      switch kind {
      case "M":
        if (event["args"] as? [String: Any])?["name"] as? String == nil { problems.append("no name in \(event)") }
      case "C":
        let values = event["args"] as? [String: Any] ?? [:]
        if values.isEmpty || !values.values.allSatisfy({ $0 is NSNumber }) { problems.append("no number: \(event)") }
      case "i": if !["g", "p", "t"].contains(event["s"] as? String ?? "t") { problems.append("scope of \(event)") }
      case "X":
        guard let start, let length = event["dur"] as? Double, event["tid"] is Int, length >= 0 else {
          problems.append("no dur or tid: \(event)")
          continue
        }
        if start < last { problems.append("not in order: \(event)") }
        last = start
        // A viewer draws the spans of a thread as a stack, so they must nest or be apart.
        while let top = open.last, top.end <= start + 1e-9 { open.removeLast() }
        let end = start + length
        if let top = open.last, end > top.end + 1e-9 { problems.append("\(event) outlasts \(top.name)") }
        open.append((end, event["name"] as? String ?? ""))
      default: problems.append("unknown ph: \(event)")
      }
    }
  }

  func events(_ kind: String) -> [[String: Any]] { events.filter { $0["ph"] as? String == kind } }
  func names(_ kind: String) -> [String] { events(kind).compactMap { $0["name"] as? String } }
}
