import Foundation
import Testing

@testable import Builds
@testable import FrameBench
@testable import Platform
@testable import Program

/// Tests that a mistake in a command line ends springbench with exit status 64 before it measures anything. Stdout is
/// empty, and one line on stderr names the mistake.
@Suite struct BadCommandLineTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var arguments: [String]
    var mentions: [String]

    init(_ arguments: String, _ mentions: String...) {
      self.arguments = arguments.split(separator: " ").map { $0 == "''" ? "" : String($0) }
      self.mentions = mentions
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let cases = [
    Case("run --strategies nave", "--strategies", "\"nave\"", "did you mean \"naive\"?", "naive, tiled, mine"),
    Case("run --strategies naive,,tiled", "--strategies", "\"\""), Case("run --strategies ''", "--strategies", "\"\""),
    Case("run --sizes 0", "--sizes", "'0'"), Case("run --sizes -5", "--sizes", "'-5'"),
    Case("run --sizes 10,many", "--sizes", "'10,many'"), Case("run --sizes 10,,20", "--sizes", "'10,,20'"),
    Case("run --sizes 1e3", "--sizes", "'1e3'"), Case("run --sizes ''", "--sizes", "''"),
    Case("run --sizes 99999999999999999999", "--sizes", "99999999999999999999", "1000000000"),
    Case("run --sizes 9223372036854775807 --filter oversized", "--sizes", "9223372036854775807"),
    Case("run --filter oversized", "--sizes", "oversized/mine/10", "GiB"), Case("run --frames 0", "--frames", "'0'"),
    Case("run --frames -1", "--frames", "'-1'"), Case("run --frames lots", "--frames", "'lots'"),
    Case("run --frames 1000001", "--frames", "'1000001'"),
    Case("run --frames 99999999999999999999", "--frames", "99999999999999999999"),
    Case("run --warm-up -1", "--warm-up", "'-1'"), Case("run --runs 0", "--runs", "'0'"),
    Case("run --runs 1.5", "--runs", "'1.5'"), Case("run --layouts 0", "--layouts", "'0'"),
    Case("run --layouts 10 --runs 3", "--layouts", "10 runs", "there are 3"),
    Case("run --layouts 10", "--layouts: programs that are given by their paths"),
    Case("run --hz 61", "--hz", "'61'", "'60', '90' or '120'"), Case("run --share 0", "--share", "'0'"),
    Case("run --share 1.01", "--share", "'1.01'"), Case("run --share nan", "--share", "'nan'"),
    Case("run --share half", "--share", "'half'", "0.5 or 50%"),
    Case("run --capacity-seconds 0", "--capacity-seconds", "'0'"),
    Case("run --capacity-seconds x", "--capacity-seconds", "'x'"), Case("doctor --seconds 0", "--seconds", "'0'"),
    Case("doctor --seconds nan", "--seconds", "'nan'"), Case("doctor --seconds 601", "--seconds", "'601'"),
    Case("doctor extra", "extra"), Case("run --seed -1", "--seed", "'-1'"),
    Case("run --seed 18446744073709551616", "--seed", "18446744073709551616"),
    Case("run --filter (", "--filter", "\"(\"", "regular expression"),
    Case("run --filter steady --filter [a", "--filter", "\"[a\""), Case("run --skip *", "--skip", "\"*\""),
    Case("run --worker-timeout 0", "--worker-timeout", "'0'"), Case("run --output ''", "--output", "\"\""),
    Case("run --output /dev/null", "--output", "/dev/null", "Not a directory"),
    Case("run --output /dev/null/below", "--output", "/dev/null/below"),
    Case("run --output /proc/springbench", "--output", "/proc/springbench"),
    Case("run --machine //", "--machine", "\"//\""),
    Case("run --filter nosuchthing", "--filter nosuchthing", "springbench list"),
    Case("run --filter stedy/tiled/100", "did you mean steady/tiled/100?"),
    Case(
      "acknowledge steady/tiled/10 --metric allocationCount --reason r --until soon", "--until", "\"soon\"",
      "2027-01-31"), Case("gate --run run.json --budgets b.yml --seconds 0", "--seconds", "'0'"),
    Case("run --filter steady --skip steady", "--skip steady", "nothing matched"),
    Case("profile split/seventy/50 --against main", "--against: programs that are given by their paths"),
    Case("calibrate --layouts", "--layouts: programs that are given by their paths"),
    Case("bisect steady/naive/10 --good HEAD~1 --program /bin/true", "--program: revisions are built here"),
    Case("build-revision --program /bin/true", "--program: revisions are built here"),
    Case("init --layout a.swift --link --renew", "--link: --renew is given as well"),
    Case("history --budgets b.yml", "--budgets: only pages show limits; add --site"),
    Case("gate --suggest --run run.json --comparison c.json --budgets b.yml", "--budgets, --comparison: --suggest"),
    Case("gate --explain steady/naive/10 --comparison c.json", "--comparison: --explain"),
    Case("list --filter nosuchthing", "--filter nosuchthing"), Case("list --strategies nobody", "\"nobody\""),
    Case("list --sizes x", "'x'"), Case("run --fliter x", "--fliter", "--filter"), Case("run --bogus", "--bogus"),
    Case("list --frames 3", "--frames"), Case("run extra", "extra"), Case("run --frames", "--frames"),
    Case("run --json=yes", "--json"), Case("rnu", "\"rnu\"", "did you mean \"run\"?"),
    Case("compare", "springbench compare main"), Case("compare --program /nowhere /nowhere", "/nowhere", "--program"),
    Case("compare --tolerance lots --program /bin/true /bin/true", "'lots'"),
    Case("compare --seconds 0 --program /bin/true /bin/true", "--seconds"),
    Case("compare main --tolerance 0.3", "'0.3'", "--tolerance", "sign"),
    Case("gate --tolerance 1", "'1'", "--tolerance", "sign"),
    Case("calibrate --tolerances 1%,0.3", "'1%,0.3'", "--tolerances", "sign"),
    Case("calibrate --planted 0,1%", "'0,1%'", "--planted", "sign"), Case("run --shard 4/3", "'4/3'", "--shard"),
    Case("calibrate --trials 0", "--trials", "'0'"), Case("calibrate --planted much", "--planted", "'much'"),
    Case("measure", "run, compare, gate"), Case("--bogus", "--bogus"),
    Case("run --seed 1 --runs 2 --seed=2", "--seed", "twice"),
    Case("gate --tolerance 1% --tolerance 90%", "--tolerance", "twice"),
    Case("run --output a --results b", "--results", "twice"), Case("list --sizes 10 --sizes 10", "--sizes", "twice"),
  ]

  @Test(arguments: cases) func isReportedInOneLine(_ bad: Case) async throws {
    let process = try await FixtureProcess.run(bad.arguments)
    #expect(process.status == 64)
    #expect(process.output.isEmpty)
    #expect(process.errorLines.count == 1)
    #expect(process.error.hasPrefix("springbench: error: "))
    for mention in bad.mentions { #expect(process.error.contains(mention)) }
  }

  @Test func lineFeedsInAValueDoNotMakeMoreLines() async throws {
    let process = try await FixtureProcess.run(["run", "--strategies", "na\nive\r\nor\u{1B}[31m"])
    #expect(process.status == 64)
    #expect(process.errorLines.count == 1)
    #expect(!process.error.contains("\u{1B}"))
  }

  @Test func aMachineNameFromTheEnvironmentIsCheckedToo() async throws {
    let process = try await FixtureProcess.run(
      ["run", "--filter", "steady"], environment: ["SPRINGBENCH_MACHINE": "..."])
    #expect(process.status == 64)
    #expect(process.error.contains("SPRINGBENCH_MACHINE: \"...\""))
  }

  @Test func nothingIsLeftOfTheFoldersThatWereTriedOut() async throws {
    let folder = try TemporaryFolder()
    let process = try await FixtureProcess.run(["run", "--filter", "oversized", "--output", folder.path + "/a/b"])
    #expect(process.status == 64)
    #expect(folder.contents.isEmpty)
  }

  @Test func aFileWhereTheMachinesFolderShouldBeIsFoundBeforeMeasuring() async throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: folder.path + "/desk"))
    let process = try await FixtureProcess.run([
      "run", "--filter", "hanging", "--machine", "desk", "--output", folder.path,
    ])
    #expect(process.status == 64)
    #expect(process.error.contains("--output"))
    #expect(folder.contents == ["desk"])
  }
}
