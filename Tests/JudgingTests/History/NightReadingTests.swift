import Foundation
import FrameBench
import Measurements
import Testing

@testable import Judging

/// Tests reading nights from files, and the reasons for refusing a file.
@Suite struct NightReadingTests {
  private let made = MadeUpNights()

  private func text(_ night: Night) throws -> String { String(decoding: try night.data(), as: UTF8.self) }

  private func problem(_ text: String) -> RunDocumentError? {
    do {
      _ = try Night(reading: Data(text.utf8))
      return nil
    } catch { return error as? RunDocumentError }
  }

  private func contradiction(_ text: String) -> String? {
    if case .invalid(path: "the night", let reason) = problem(text) { reason } else { nil }
  }

  @Test func aNightIsReadAsItWasWritten() throws {
    var night = made.night(3, 1.5)
    night.metrics = ["a.p50", "b\\\"benchmarks\":[ .mean", "c.max"]
    night.benchmarks[0].values = [0.1, nil, -12_345_678_901.25]
    night.announced = [
      Night.Announcement(id: made.id, metric: "a.p50", startedAt: night.startedAt, before: 1, after: 1.5)
    ]
    #expect(try Night(reading: try night.data()) == night)
  }

  @Test func aComparisonIsKeptWithoutWhatDidNotChange() throws {
    var night = made.night(2, 1)
    var rows = [("solve", ChangeVerdict.regressed), ("query", .unchanged), (nil, .inconclusive)].map { phase, verdict in
      ComparisonRow(
        id: made.id, metric: .frameTime, phase: phase, statistic: .mean, change: 0.02, low: 0.01, high: 0.03,
        verdict: verdict)
    }
    rows.append(.missing(BenchmarkID(scenario: "s", strategy: "b", size: 1), isNew: true))
    night.add(made.comparison(of: 2, with: 1, rows))
    #expect(night.comparison?.rows.map(\.verdict) == [.regressed, .inconclusive, .missing])
    #expect(night.benchmarks[0].ratio == CodeRatio(rows[2]))
    night.add(anchor: "c000000", [made.id: CodeRatio(logarithm: 0.1, variance: 1e-6)])
    night.culprits = [
      Night.Culprit(id: made.id, figure: "frameNanoseconds", commits: [.init(hash: "a", subject: "b")], confidence: 0.9)
    ]
    #expect(try Night(reading: try night.data()) == night)
  }

  @Test func ratiosAndCulpritsThatCannotBeAreRefused() throws {
    let changes: [(inout Night) -> Void] = [
      { $0.benchmarks[0].ratio = CodeRatio(change: 0.1, low: -1, high: 0.2) },
      { $0.benchmarks[0].anchorRatio = CodeRatio(change: 0.3, low: 0.1, high: 0.2) },
      { $0.benchmarks[0].ratio = CodeRatio(change: 0.3, low: 0.1, high: 1e300) }, { $0.commitCount = -1 },
      {
        $0.comparison = made.comparison(of: 2, with: 1, []);
        $0.comparison?.durationSeconds = -1
      }, { $0.culprits = [Night.Culprit(id: made.id, figure: "checksum", commits: [], confidence: 0.5)] },
    ]
    for change in changes {
      var night = made.night(2, 1)
      change(&night)
      let document = try text(night)
      #expect(contradiction(document) != nil, "\(problem(document) as Any)")
    }
  }

  @Test func everyNumberIsReadAsItWasWritten() throws {
    var night = made.night(1, 0)
    night.metrics = (0..<9).map { "m\($0)" }
    night.benchmarks[0].values = [
      0, -0.0, 1e-300, 1.7976931348623157e308, .leastNonzeroMagnitude, 0.1 + 0.2, nil, 1e15, 123,
    ]
    #expect(try JSONDecoder().decode(Night.self, from: try night.data()) == night)
  }

  @Test(arguments: ["\\u0061bc", "a b", "ü"]) func aNightInAnotherFormOfJSONIsRead(_ checksum: String) throws {
    let spaced = try text(made.night(1, 2)).replacing("\"checksum\":\"0\"", with: "\"checksum\" : \"\(checksum)\"")
    #expect(try Night(reading: Data(spaced.utf8)).benchmarks[0].values == [2])
  }

  @Test func aNightThatIsCutOffAnywhereIsRefused() throws {
    let whole = try text(made.night(1, 2.5))
    for count in 0..<(whole.utf8.count - 2) {
      let refusal = try #require(problem(String(decoding: whole.utf8.prefix(count), as: UTF8.self)))
      #expect(refusal.description.contains(count == 0 ? "empty" : "not JSON"), "\(count): \(refusal)")
    }
  }

  @Test func aNewerNightIsNamedAsSuch() throws {
    let newer = try text(made.night(1, 2)).replacing("\"schemaVersion\":1", with: "\"schemaVersion\":7")
    #expect(problem(newer) == .newer(version: 7))
    #expect(problem("{\"schemaVersion\": 7, \"nights\": {}}") == .newer(version: 7))
  }

  @Test(arguments: [("coreCount", "0.5"), ("coreCount", "1e300"), ("seed", "-1")]) func aNumberOfTheWrongKindIsRefused(
    field: String, number: String
  ) throws {
    var night = made.night(1, 2)
    night.environment.coreCount = 777
    night.options = RunOptions()
    night.options?.seed = 777
    let wrong = try text(night).replacing("\"\(field)\":777", with: "\"\(field)\":\(number)")
    #expect(problem(wrong) == .invalid(path: "the document", reason: "a number in it does not fit its field"))
  }

  @Test(arguments: ["{}", "[]", "3", "{\"schemaVersion\": 1}", "{\"schemaVersion\": \"x\"}"]) func otherJSONIsForeign(
    _ text: String
  ) {
    switch problem(text) {
    case .notRunDocument, .missing, .invalid: break
    case let other: Issue.record("\(text): \(other as Any)")
    }
  }

  @Test func nightsThatContradictThemselvesAreRefused() throws {
    var night = made.night(1, 2, ids: [made.id, made.id])
    #expect(contradiction(try text(night)) == "s/a/10 is there twice")
    night = made.night(1, 2)
    night.benchmarks[0].values = []
    #expect(contradiction(try text(night)) == "s/a/10 has 0 values for 1 metrics")
    night = made.night(1, 2)
    night.startedAt = "yesterday"
    #expect(contradiction(try text(night))?.contains("yesterday") == true)
    night.startedAt = "2026-02-31T03:00:00Z"
    #expect(contradiction(try text(night))?.contains("not a time such as") == true)
    let huge = try text(made.night(1, 2)).replacing("\"values\":[2]", with: "\"values\":[1e999]")
    #expect(problem(huge) != nil)
  }
}
