import Foundation
import Judging
import Testing

/// Tests in which phase of a frame `calibrate` plants extra work, which a comparison should then report.
@Suite struct CalibrateCommandTests {
  @Test func aSuiteWithoutSolveIsPlantedInTheFirstPhaseOfAll() async throws {
    let folder = try TemporaryFolder()
    let process = try await FixtureProcess.run([
      "calibrate", "--filter", "varying", "--trials", "1", "--planted", "0%", "--seconds", "1", "--json", "--output",
      folder.path,
    ])
    #expect(process.status == 0, "\(process.error)")
    let document = try #require(CalibrationDocument(contentsOf: Data(process.output.utf8)))
    #expect(document.phase == "prepare" && !document.cells.isEmpty)
  }

  /// The scenario `varying` fails if more frames run than it asks for.
  @Test func asManyFramesRunAsTheScenarioAsksFor() async throws {
    let folder = try TemporaryFolder()
    let process = try await FixtureProcess.run(
      [
        "calibrate", "--filter", "varying", "--trials", "1", "--planted", "0%", "--seconds", "1", "--output",
        folder.path,
      ], environment: ["FIXTURE_VARIANT": "short"])
    #expect(process.status == 0, "\(process.error)")
  }

  @Test func benchmarksWithoutACommonPhaseAreRefused() async throws {
    let folder = try TemporaryFolder()
    let process = try await FixtureProcess.run([
      "calibrate", "--filter", "hashed", "--trials", "1", "--output", folder.path,
    ])
    #expect(process.status == 64 && process.errorLines.count == 1, "\(process.error)")
    #expect(process.error.contains("no phase in common"), "\(process.error)")
  }
}
