import Dispatch
import Foundation
import Synchronization

/// Turns a signal into a cancellation, so that all started programs are stopped and no half-written file stays behind.
package enum Interruption {
  /// Runs `body`. A signal cancels `body`, and when `body` has cleaned up, a `RunError` with the message is thrown. A
  /// second signal ends the process immediately.
  @MainActor package static func cancelling<Value: Sendable>(
    saying message: String = "interrupted; nothing was written",
    _ body: @escaping @MainActor @Sendable () async throws -> Value
  ) async throws -> Value {
    let work = Task { try await body() }
    let watch = SignalWatch { number, isFirst in
      // A second signal ends this process without cleaning up. The programs that it started end with it.
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

/// Calls a closure for SIGINT, SIGTERM and SIGHUP, until `stop` is called.
package final class SignalWatch: Sendable {
  package static let numbers = [SIGINT, SIGTERM, SIGHUP]
  private static let watches = Mutex<[ObjectIdentifier: SignalWatch]>([:])
  /// The sources of signals, which are never cancelled. Dispatch removes a cancelled source later, on another thread.
  /// Until then, a new source of the same signal would receive nothing, and the signal would be ignored.
  nonisolated(unsafe) private static let sources = numbers.filter { $0 != SIGHUP || !isIgnored($0) }.map { number in
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    let isListening = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { @Sendable in isListening.signal() }
    source.setEventHandler { @Sendable in received(number) }
    source.resume()
    isListening.wait()
    return source
  }

  private static let wasHandled = Atomic(false)
  private let body: @Sendable (_ number: Int32, _ isFirst: Bool) -> Void
  private let first = Mutex<ContinuousClock.Instant?>(nil)

  package init(_ body: @escaping @Sendable (_ number: Int32, _ isFirst: Bool) -> Void) {
    self.body = body
    Self.watches.withLock { $0[ObjectIdentifier(self)] = self }
    Self.listen()
  }

  package var hasReceived: Bool { first.withLock { $0 != nil } }

  package func stop() { Self.watches.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) } }

  /// Starts to listen for signals. While no `SignalWatch` is active, a signal ends the program with a message.
  package static func listen() { _ = sources }

  /// Whether the parent made this process ignore the signal, as `nohup` does. Dispatch would receive it nevertheless.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    return sigaction(number, nil, &action) == 0
      && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func received(_ number: Int32) {
    // springbench outside of the sandbox repeats the first signal, and kills this process at a second one.
    if wasHandled.exchange(true, ordering: .relaxed), Sandbox.current != nil { return }
    let all = watches.withLock { Array($0.values) }
    if all.isEmpty {
      Console().report("interrupted")
      _exit(128 + number)
    }
    for watch in all { watch.receive(number) }
  }

  /// Calls the closure, unless the first signal came less than half a second ago. `timeout` and systemd send a signal
  /// to a process, and then again to its group.
  func receive(_ number: Int32, at now: ContinuousClock.Instant = .now) {
    let first = first.withLock { first in
      defer { first = first ?? now }
      return first
    }
    if first.map({ now - $0 > .milliseconds(500) }) ?? true { body(number, first == nil) }
  }
}
