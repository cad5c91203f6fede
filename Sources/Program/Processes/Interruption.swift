import Dispatch
import Foundation
import Synchronization

/// Turns a signal into a cancellation, so that workers are stopped and no half-written file stays.
enum Interruption {
  /// Runs `body`; a signal meanwhile cancels it, and the run fails once it has cleaned up. A second one ends it at
  /// once.
  @MainActor static func cancelling<Value: Sendable>(
    saying message: String = "interrupted; nothing was written",
    _ body: @escaping @MainActor @Sendable () async throws -> Value
  ) async throws -> Value {
    let work = Task { try await body() }
    let watch = SignalWatch { number, isFirst in
      // On a second signal, nothing is cleaned up but the processes.
      guard isFirst else { _exit(128 + number) }
      work.cancel()
      RunningProcess.endAll()
    }
    defer { watch.stop() }
    do {
      let value = try await work.value
      // A signal that arrives as the body finishes must not be lost: the command would go on with its next step.
      guard !work.isCancelled else { throw CancellationError() }
      return value
    } catch is CancellationError { throw RunError(message) }
  }
}

/// Calls something for each SIGINT and SIGTERM.
final class SignalWatch: Sendable {
  private typealias Body = @Sendable (_ number: Int32) -> Void

  /// libdispatch gets the signals of a process by a handler, which it installs with the first source for a signal and
  /// never again: a later source would get none. So there is one source for each, which stays.
  private nonisolated(unsafe) static let sources = [SIGINT, SIGTERM].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { @Sendable in
      let bodies = watches.withLock { $0 }
      // Nobody watches any more: as without a handler.
      guard !bodies.isEmpty else { _exit(128 + number) }
      for (_, body) in bodies { body(number) }
    }
    source.resume()
    return source
  }
  private static let watches = Mutex<[(watch: ObjectIdentifier, body: Body)]>([])

  init(_ body: @escaping @Sendable (_ number: Int32, _ isFirst: Bool) -> Void) {
    let counter = SignalCount()
    let watch = ObjectIdentifier(self)
    Self.watches.withLock { $0.append((watch, { body($0, counter.isFirst()) })) }
    _ = Self.sources
  }

  func stop() { Self.watches.withLock { all in all.removeAll { $0.watch == ObjectIdentifier(self) } } }
}

private final class SignalCount: Sendable {
  private let count = Atomic(0)
  func isFirst() -> Bool { count.add(1, ordering: .relaxed).oldValue == 0 }
}
