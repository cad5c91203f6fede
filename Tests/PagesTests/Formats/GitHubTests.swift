import FrameBench
import Judging
import Testing

@testable import Formats
@testable import Markup
@testable import Measurements
@testable import Pages

@Suite struct GitHubTests {
  @Test(arguments: FormatFixture.allCases) func aSummaryThatFitsIsTheReport(_ fixture: FormatFixture) throws {
    let text = try ReportFormat.github.render(fixture.document)
    #expect(text.utf8.count < GitHubSummary.gitHubLimit)
    #expect(text == fixture.document.report(detail: .folded).markdown())
  }

  @Test(arguments: [1_000, 2_000, 3_000, 4_000, 6_000, 8_000, 10_000, 14_000])
  func aSummaryThatIsTooLongIsCutBelowTheLimitAndSaysSo(_ limit: Int) {
    let whole = Fixtures.troubled.report().markdown()
    let text = Fixtures.troubled.report().gitHubSummary(limit: limit)
    #expect(text.utf8.count < limit)
    if whole.utf8.count >= limit {
      #expect(text.contains("it is in the run's report.md"))
    } else {
      #expect(text == whole)
    }
    #expect(text.hasPrefix("# Frame costs: springs\n"))
  }

  @Test func aHugeRunFitsAStep() {
    var document = Fixtures.troubled
    document.failures = (1...1_000).map { size in
      BenchmarkFailure(
        id: BenchmarkID(scenario: "s", strategy: "t", size: size), reason: "it crashed",
        standardError: String(repeating: "🌀 <details>\n```\n", count: 60))
    }
    #expect(document.report().markdown().utf8.count > GitHubSummary.gitHubLimit)
    let text = document.report().gitHubSummary()
    #expect(text.utf8.count < GitHubSummary.gitHubLimit)
    #expect(text.contains("is left out"))
  }

  @Test(arguments: [(1, 70_000), (1, 1_100_000), (100, 1_000), (2_000, 1_000)])
  func longErrorTextsHideNeitherTheVerdictNorEachOther(_ count: Int, _ length: Int) {
    let checks = (1...count).map { size in
      Check(
        failure: BenchmarkFailure(
          id: BenchmarkID(scenario: "s", strategy: "t", size: size), reason: String(repeating: "é", count: length),
          standardError: ""))
    }
    let report = CheckReport(
      title: "springbench gate", headline: "The gate failed: \(checks[0].sentence).", checks: checks,
      startedAt: "2026-11-24T00:00:00Z", durationSeconds: 1
    ) { _ in "springbench gate" }
    let text = report.blocks().gitHubSummary(limit: GitHubSummary.commentLimit, elsewhere: "the job's log")
    #expect(text.utf8.count < GitHubSummary.commentLimit)
    #expect(text.hasPrefix("**The gate failed: s/t/1 could not be measured: é"))
    let listed = text.split(separator: "\n").count { $0.hasPrefix("- ") }
    // The headline contains the first failure, so the list leaves it out.
    #expect(listed == count - 1 || (count == 2_000 && listed > 50 && text.contains("it is in the job's log")))
  }

  @Test func annotationsAreOneLineEachAndReadAsTheyWereMeant() throws {
    let document = Fixtures.hostile
    let lines = document.githubAnnotations().unicodeScalars.split(separator: "\n").map(String.init)
    #expect(lines.count == document.failures.count + document.warnings.count)
    let match = try #require(lines[0].wholeMatch(of: #/::error title=([^:,]*)::(.*)/#))
    // The annotations leave out characters that would control a terminal.
    let (id, reason) = ("\(document.failures[0].id)", document.failures[0].reason)
    #expect(decoded(String(match.1)) == id.replacing("\u{1}", with: " ") + " could not be measured")
    #expect(decoded(String(match.2)) == reason.replacing("\u{1}", with: " "))
    #expect(lines[1].hasPrefix("::warning title="))
  }

  @Test func theTenthAnnotationSaysHowManyMoreThereAre() {
    var document = Fixtures.minimal
    document.warnings = (1...25).map { Warning("doubt \($0)") }
    let lines = document.githubAnnotations().split(separator: "\n")
    #expect(lines.count == 10)
    #expect(lines.last == "::warning title=springs::16 more; all of them are in the run's report.md")
    document.warnings.removeLast(15)
    #expect(!document.githubAnnotations().contains("more;"))
  }

  @Test func aRunInGoodOrderHasNoAnnotation() { #expect(Fixtures.twoStrategies.githubAnnotations().isEmpty) }

  private func decoded(_ text: String) -> String {
    [("%2C", ","), ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")].reduce(text) {
      $0.replacing($1.0, with: $1.1)
    }
  }
}
