import TextFormat

/// The state of one run of a scenario, which is set up, run frame by frame, and torn down.
final class ScenarioRun {
  let body: Scenario.FrameBody
  /// Runs frames that may suspend; nil if the frames cannot suspend.
  let executor: FrameExecutor?
  private let notes: RunNotes

  /// Sets up the scenario. If the set-up throws, everything set up so far is torn down, and a `PassError` is thrown.
  init(_ scenario: Scenario, _ context: ScenarioContext) throws(PassError) {
    notes = context.notes
    do {
      switch scenario.setUp {
      case .sync(let setUp): (body, executor) = (try setUp(context), nil)
      case .asyncSetUp(let setUp): (body, executor) = (try FrameExecutor.run { try await setUp(context) }, nil)
      case .async(let setUp):
        let executor = FrameExecutor(try FrameExecutor.run { try await setUp(context) }, scenario.options)
        (body, self.executor) = ({ try executor.runFrame($0, $1) }, executor)
      }
    } catch {
      try? notes.tearDown()
      throw PassError("set-up failed: \(oneLine("\(error)"))")
    }
  }

  /// Does the tear-down work that set-up registered. This is also called after a frame threw an error.
  func tearDown() throws(PassError) {
    executor?.stop()
    do { try notes.tearDown() } catch { throw PassError("tear-down failed: \(oneLine("\(error)"))") }
  }

  func whileSetUp<Result>(_ work: (@escaping Scenario.FrameBody) throws -> Result) throws -> Result {
    let result: Result
    do { result = try work(body) } catch {
      try? tearDown()
      throw error
    }
    try tearDown()
    return result
  }
}

/// The reason why a run could not measure what was requested, in one line.
struct PassError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// - Parameter index: The number of the frame, counted from 0 at the first warm-up frame.
  init(thrownBy error: any Error, inFrame index: Int, _ context: ScenarioContext) {
    let recorded = index - context.warmUpFrameCount
    let frame = recorded < 0 ? "frame \(index) of the warm-up" : "frame \(recorded)"
    description = "\(frame) threw: \(oneLine("\(error)"))"
  }
}
