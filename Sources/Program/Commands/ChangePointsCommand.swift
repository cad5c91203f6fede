import ArgumentParser
import Foundation
import Judging
import Statistics
import TextFormat

/// Finds the change points of series from stdin; scripts/change-point-rates measures with it.
struct ChangePointsCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "change-points",
    abstract: "Reads a JSON array of series, and writes an array of their change points.",
    shouldDisplay: false)

  @Flag(help: "Also print what nightly runs would have reported, night by night.") var replay = false

  private struct Found: Encodable {
    /// Positions of the first values of new levels.
    var points: [Int]
    var reports: [Report]?
  }

  private struct Report: Encodable {
    /// Of the night that reports it.
    var night: Int
    /// Of the first night of the new level, as it was known then; so are the levels.
    var position: Int
    var before: Double
    var after: Double
    var medianBefore: Double
    var medianAfter: Double
    /// Of the night that withdrew it; nil while it stands.
    var withdrawnAt: Int?
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let data = FileHandle.standardInput.readDataToEndOfFile()
    guard let series = try? JSONDecoder().decode([[Double]].self, from: data),
      series.joined().allSatisfy(\.isFinite)
    else { throw UsageError("stdin is not a JSON array of arrays of numbers; give one as in [[1, 2, 3]]") }
    let found = Parallel.map(series) { values in
      Found(
        points: ChangePointDetection().changePoints(in: values).map(\.index),
        reports: replay
          ? Trend.replay(values).map { night, shift, withdrawnAt in
            Report(
              night: night, position: shift.position, before: shift.before, after: shift.after,
              medianBefore: shift.medianBefore, medianAfter: shift.medianAfter, withdrawnAt: withdrawnAt)
          } : nil)
    }
    try context.console.write(try JSONText.line(found) + "\n")
    return .success
  }
}
