import Dispatch
import Foundation

/// Turns SIGINT and SIGTERM into a cancellation, so that workers are stopped and nothing half-written
/// stays.
enum Interruption {
  /// Runs `body`; a signal meanwhile cancels it, and once it has cleaned up ends as a failed run.
  @MainActor
  static func cancelling<Value: Sendable>(
    _ body: @escaping @MainActor @Sendable () async throws -> Value
  ) async throws -> Value {
    let work = Task { try await body() }
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in work.cancel() }
      source.resume()
      return (number, source)
    }
    defer {
      for (number, source) in sources {
        source.cancel()
        signal(number, SIG_DFL)
      }
    }
    do {
      return try await work.value
    } catch is CancellationError {
      throw RunError("interrupted; nothing was written")
    }
  }
}
