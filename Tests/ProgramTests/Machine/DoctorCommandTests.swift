import Foundation
import Testing

@testable import Builds
@testable import FrameBench
@testable import Platform
@testable import Program

@Suite struct DoctorCommandTests {
  @Test func jsonIsOneArrayOfFindingsAndNothingElse() async throws {
    let process = try await FixtureProcess.run(["doctor", "--json", "--seconds", "0.05"])
    #expect(process.status == 0)
    #expect(process.error.isEmpty)
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(process.output.utf8)) as? [[String: Any]])
    let checks = rows.compactMap { $0["check"] as? String }
    for check in ["noise", "overhead", "clock", "allocator", "governor", "cores", "valgrind"] {
      #expect(checks.contains(check))
    }
    let overhead = try #require(rows.first { $0["check"] as? String == "overhead" })
    #expect(overhead["unit"] as? String == "ns")
    #expect(((overhead["value"] as? NSNumber)?.doubleValue ?? 0) > 0)
  }

  @Test func textFitsATerminalAndEndsWithAVerdict() async throws {
    let process = try await FixtureProcess.run(["doctor", "--seconds", "0.05"])
    #expect(process.status == 0)
    let lines = process.output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
    #expect(!process.output.contains("\u{1B}"))
    let words = process.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("ns per timed phase"))
    let verdict = try #require(lines.last)
    // Which verdict is right depends on the machine that runs the tests.
    let verdicts = [
      #/This machine is fit to measure\./#, #/Do not trust figures taken now: \d+ things? to fix\./#,
      #/Fit for comparisons within one run, frame by frame; \d+ things? to fix for more\./#,
    ]
    #expect(verdicts.contains { verdict.wholeMatch(of: $0) != nil }, "\(verdict)")
  }

  @Test func strictEndsAsInconclusiveWhereTheMachineIsNotFit() async throws {
    // This made-up machine has no processors and a high load.
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/proc", withIntermediateDirectories: true)
    try Data("999.0 1 1 1/1 1\n".utf8).write(to: URL(fileURLWithPath: folder.path + "/proc/loadavg"))
    let arguments = ["doctor", "--seconds", "0.05", "--system-root", folder.path]
    let strict = try await FixtureProcess.run(arguments + ["--strict"])
    #expect(strict.status == 6)
    #expect(strict.output.contains("999 threads"))
    let lenient = try await FixtureProcess.run(arguments)
    #expect(lenient.status == 0)
  }

  @Test func troublesStandBeforeNotesAndWhatIsFineComesLast() throws {
    let findings = [
      Finding("a", .good, "A is well.", why: "Why a."), Finding("b", .note, "B is so.", why: "Why b."),
      Finding("c", .warning, "C is noisy.", why: "Why c.", remedy: "Mend c."),
      Finding("d", .severe, "D is broken.", why: "Why d.", remedy: "Mend d."),
      Finding("noise", .good, "It is quiet.", why: "Why."),
    ]
    let text = DoctorText(findings: findings, usesColor: false).render()
    let order = ["It is quiet.", "D is broken. Why d.", "Mend d.", "C is noisy.", "B is so.", "Fine: a is well."]
    let places = try order.map { try #require(text.range(of: $0)?.lowerBound) }
    #expect(places == places.sorted())
    #expect(text.hasSuffix("Do not trust figures taken now: 2 things to fix.\n"))
    #expect(DoctorText(findings: [findings[0]], usesColor: false).verdict == "This machine is fit to measure.")
    #expect(
      DoctorText(findings: [findings[2]], usesColor: false).verdict
        == "Fit for comparisons within one run, frame by frame; 1 thing to fix for more.")
    let colored = DoctorText(findings: findings, usesColor: true).render()
    #expect(colored.replacing(#/\u{1B}\[\d+m/#, with: "") == text)
  }

  @Test func theTimeOfAProcessIsReadBehindItsName() {
    let stat = "42 (a (b) c) S 1 42 42 0 -1 0 0 0 0 0 70 30 0 0 20 0 1 0 555 0 0"
    #expect(ProcessorTimes.process(stat: stat) == ProcessorTimes.Process(name: "a (b) c", ticks: 100, start: 555))
    #expect(ProcessorTimes.process(stat: "42 (short) S 1") == nil)
    #expect(ProcessorTimes.process(stat: "") == nil)
  }

  @Test func busyProcessesAreThoseThatWorkedMeanwhile() throws {
    let before = try times([1: ("old", 500, 1), 2: ("idle", 90, 1), 3: ("gone", 10, 1), 7: ("own", 0, 1)])
    let after = try times([
      1: ("renamed", 700, 1), 2: ("idle", 95, 1), 4: ("new", 400, 9), 7: ("own", 400, 1), 3: ("again", 60, 8),
    ])
    let busy = BusyProcess.between(before, after, seconds: 2, ticksPerSecond: 100, except: 7)
    #expect(busy.map(\.name) == ["new", "renamed", "again"])
    #expect(busy.map(\.share) == [2, 1, 0.3])
  }

  @Test func stolenTimeIsAShareOfAllCores() throws {
    let first = try times([:], stat: "cpu  10 0 10 70 0 0 0 10 5 5\ncpu0 1\n")
    let second = try times([:], stat: "cpu  20 0 20 140 0 0 0 20 9 9\ncpu0 1\n")
    #expect(LiveFigures.stolenShare(first, second) == 0.1)
    #expect(LiveFigures.stolenShare(first, first) == nil)
    #expect(LiveFigures.stolenShare(first, try times([:], stat: "cpu 1 2\n")) == nil)
  }

  private func times(_ processes: [Int: (name: String, ticks: Int, start: Int)], stat: String = "") throws
    -> ProcessorTimes
  {
    let folder = try TemporaryFolder()
    for (id, process) in processes {
      let path = "\(folder.path)/proc/\(id)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let text = "\(id) (\(process.name)) S 1 1 1 0 -1 0 0 0 0 0 \(process.ticks) 0 0 0 20 0 1 0 \(process.start) 0"
      try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/stat"))
    }
    try FileManager.default.createDirectory(atPath: folder.path + "/proc/self", withIntermediateDirectories: true)
    try Data(stat.utf8).write(to: URL(fileURLWithPath: folder.path + "/proc/stat"))
    return withExtendedLifetime(folder) { ProcessorTimes(files: SystemFiles(root: folder.path)) }
  }
}
