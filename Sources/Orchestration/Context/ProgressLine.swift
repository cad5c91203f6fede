import TextFormat

/// One line on stderr, rewritten as the work goes on; nothing where stderr is no terminal.
package struct ProgressLine: Sendable {
  package var console: Console

  package init(console: Console) { self.console = console }

  @Sendable package func show(_ text: String) {
    guard console.showsProgress else { return }
    console.writeErrorUnchanged("\r\u{1B}[K\(Self.fitted(text))")
  }

  /// As much as a terminal of 80 columns shows on one line.
  static func fitted(_ text: String) -> String {
    let line = oneLine(text)
    return line.count > 79 ? String(line.prefix(78)) + "…" : line
  }

  /// - Parameter fraction: Of the work that is done.
  @Sendable package func show(_ text: String, _ fraction: Double) { show("\(Int(fraction * 100))% \(text)") }

  package func clear() {
    guard console.showsProgress else { return }
    console.writeErrorUnchanged("\r\u{1B}[K")
  }

  /// Shows how long `body` has been at it.
  package func `while`<Value: Sendable>(
    _ text: String, _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    guard console.showsProgress else { return try await body() }
    let ticker = Task {
      var seconds = 0.0
      while !Task.isCancelled {
        show("\(text), \(Self.duration(seconds))")
        try await Task.sleep(for: .seconds(1))
        seconds += 1
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
