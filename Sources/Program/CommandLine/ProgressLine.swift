import Dispatch
import Foundation
import Synchronization
import TextFormat

/// One line on stderr, rewritten as the work goes on; in a log, one line a minute, to show that the job is alive.
struct ProgressLine: Sendable {
  var console: Console
  /// Time between two lines if stderr is not a terminal.
  var logInterval = Duration.seconds(60)

  @Sendable package func show(_ text: String) {
    guard console.showsProgress else { return }
    console.writeErrorUnchanged("\r\u{1B}[K\(Self.fitted(text))")
  }

  /// Cut to one line of a terminal of 80 columns.
  static func fitted(_ text: String) -> String {
    let line = oneLine(text)
    return line.count > 79 ? String(line.prefix(78)) + "…" : line
  }

  @Sendable package func show(_ text: String, _ fraction: Double) { show("\(Int(fraction * 100))% \(text)") }

  func clear() { show("") }

  /// Shows the elapsed time of `body`.
  func `while`<Value: Sendable>(_ text: String, _ body: @Sendable () async throws -> Value) async throws -> Value {
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

  static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
  }
}

/// Turns a signal into a cancellation, so that workers are stopped and no half-written file stays.
enum Interruption {
  /// Runs `body`; a signal meanwhile cancels it, and the run fails once it has cleaned up. A second one ends it at once.
  @MainActor static func cancelling<Value: Sendable>(
    saying message: String = "interrupted; nothing was written",
    _ body: @escaping @MainActor @Sendable () async throws -> Value
  ) async throws -> Value {
    let work = Task { try await body() }
    let watch = SignalWatch { number, isFirst in
      // Then nothing is cleaned up but the processes.
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

/// Calls something for each SIGINT, SIGTERM, and SIGHUP that `nohup` does not keep away.
final class SignalWatch: Sendable {
  private let numbers: [Int32]
  private let sources: [any DispatchSourceSignal]

  init(_ body: @escaping @Sendable (_ number: Int32, _ isFirst: Bool) -> Void) {
    var hangUp = sigaction()
    sigaction(SIGHUP, nil, &hangUp)
    let isIgnored = unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self) == 1
    numbers = [SIGINT, SIGTERM] + (isIgnored ? [] : [SIGHUP])
    let counter = SignalCount()
    sources = numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in body(number, counter.isFirst()) }
      source.resume()
      return source
    }
  }

  func stop() {
    for (number, source) in zip(numbers, sources) {
      source.cancel()
      signal(number, SIG_DFL)
    }
  }
}

private final class SignalCount: Sendable {
  private let count = Atomic(0)
  func isFirst() -> Bool { count.add(1, ordering: .relaxed).oldValue == 0 }
}
