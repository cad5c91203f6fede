import Foundation
import TextFormat

/// One line on stderr that is rewritten while the work continues. In a log, a line is written every minute, to show
/// that the job is alive.
package struct ProgressLine: Sendable {
  package var console: Console
  /// The time between two lines if stderr is not a terminal.
  package var logInterval = Duration.seconds(60)

  package init(console: Console) { self.console = console }

  @Sendable package func show(_ text: String) {
    guard console.showsProgress else { return }
    console.writeErrorUnchanged("\r\u{1B}[K\(Self.fitted(text))")
  }

  /// Returns the text as one line, cut to fit a terminal of 80 columns.
  package static func fitted(_ text: String) -> String {
    let line = oneLine(text)
    return line.count > 79 ? String(line.prefix(78)) + "…" : line
  }

  @Sendable package func show(_ text: String, _ fraction: Double) { show("\(Int(fraction * 100))% \(text)") }

  package func clear() { show("") }

  /// Runs `body`, and shows the elapsed time while it runs.
  package func `while`<Value: Sendable>(_ text: String, _ body: @Sendable () async throws -> Value) async throws
    -> Value
  {
    let ticker = Task {
      var passed = Duration.zero
      let interval = console.showsProgress ? .seconds(1) : logInterval
      while true {
        let status = "\(text), \(Self.duration(passed / .seconds(1)))"
        if console.showsProgress { show(status) } else if passed > .zero { console.note(status) }
        try await Task.sleep(for: interval)
        passed += interval
      }
    }
    defer { ticker.cancel() }
    return try await body()
  }

  package static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
  }
}
