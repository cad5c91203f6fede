/// The state of one run of a scenario: set up, run frame by frame, torn down.
package final class ScenarioRun {
  /// Runs one frame.
  package let body: Scenario.FrameBody
  /// Runs frames that suspend; nil if they do not.
  package let executor: FrameExecutor?
  private let notes: RunNotes

  /// Work of a frame, as set-up declared it.
  package var throughput: Throughput? { notes.throughput }

  /// Sets up. If that throws, everything set up so far is torn down before the error goes on.
  package init(_ scenario: Scenario, _ context: ScenarioContext) throws {
    notes = context.notes
    do {
      switch scenario.setUp {
      case .sync(let setUp):
        (body, executor) = (try setUp(context), nil)
      case .asyncSetUp(let setUp):
        (body, executor) = (try FrameExecutor.run { try await setUp(context) }, nil)
      case .async(let setUp):
        let executor = FrameExecutor(try FrameExecutor.run { try await setUp(context) })
        (body, self.executor) = ({ try executor.runFrame($0, $1) }, executor)
      }
    } catch {
      try? context.notes.tearDown()
      throw error
    }
  }

  /// Does the tear-down work that set-up asked for. A run whose frame threw is torn down, too.
  package func tearDown() throws {
    executor?.stop()
    try notes.tearDown()
  }
}
