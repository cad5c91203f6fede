import Foundation

/// One line on stderr that says what takes so long; nothing where stderr is no terminal.
struct BuildProgress: Sendable {
  var console: Console

  func show(_ text: String) {
    guard console.showsProgress else { return }
    let line = Console.oneLine(text)
    console.writeError("\r\u{1B}[K\(line.count > 79 ? String(line.prefix(78)) + "…" : line)")
  }

  func clear() {
    guard console.showsProgress else { return }
    console.writeError("\r\u{1B}[K")
  }

  /// Shows how long `body` has been at it.
  func `while`<Value: Sendable>(
    _ text: String, _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    guard console.showsProgress else { return try await body() }
    let ticker = Task {
      var seconds = 0.0
      while !Task.isCancelled {
        show("\(text), \(ProgressLine.duration(seconds))")
        try await Task.sleep(for: .seconds(1))
        seconds += 1
      }
    }
    defer { ticker.cancel() }
    return try await body()
  }
}
