import TextFormat

/// Why a run could not measure what was requested: one line.
struct PassError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// - Parameter index: Counts from 0 at the first warm-up frame.
  init(thrownBy error: any Error, inFrame index: Int, _ context: ScenarioContext) {
    let recorded = index - context.warmUpFrameCount
    let frame = recorded < 0 ? "frame \(index) of the warm-up" : "frame \(recorded)"
    description = "\(frame) threw: \(oneLine("\(error)"))"
  }
}

extension Scenario {
  func run(_ context: ScenarioContext) throws(PassError) -> ScenarioRun {
    do {
      return try ScenarioRun(self, context)
    } catch {
      throw PassError("set-up failed: \(oneLine("\(error)"))")
    }
  }
}

extension ScenarioRun {
  /// Tears the run down after `work`, whether that throws or not.
  func whileSetUp<Result>(_ work: (@escaping Scenario.FrameBody) throws -> Result) throws -> Result {
    let result: Result
    do {
      result = try work(body)
    } catch {
      try? tearDown()
      throw error
    }
    try end()
    return result
  }

  /// Tears the run down.
  func end() throws(PassError) {
    do {
      try tearDown()
    } catch {
      throw PassError("tear-down failed: \(oneLine("\(error)"))")
    }
  }
}
