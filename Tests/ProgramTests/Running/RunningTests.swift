import Foundation
import FrameBench
import Testing

@testable import Builds
@testable import Execution
@testable import Measurements
@testable import Platform
@testable import Program
@testable import TextFormat

@Suite struct RunningTests {
  /// Returns the jobs of a run, one array per round. `seconds` contains how long one job of each benchmark takes.
  private func rounds(_ schedule: RunSchedule, seconds: [Double]) -> [[RunJob]] {
    var schedule = schedule
    return (1...schedule.roundCount).map { round in
      let jobs = schedule.round(round)
      for job in jobs { schedule.end(job, after: seconds[job.benchmark]) }
      return jobs
    }
  }

  private func jobs(_ schedule: RunSchedule, benchmarkCount: Int) -> [RunJob] {
    rounds(schedule, seconds: Array(repeating: 0, count: benchmarkCount)).flatMap(\.self)
  }

  @Test func everyBenchmarkRunsBeforeAnyRunsAgain() {
    let jobs = jobs(RunSchedule(benchmarkCount: 3, runCount: 4, seed: 1), benchmarkCount: 3)
    for pass in [MeasurementPass.frames, .phases, .allocations] {
      let own = jobs.filter { $0.pass == pass }
      #expect(own.map(\.run) == own.map(\.run).sorted())
      #expect(own.count == 3 * (pass == .allocations ? 2 : 4))
      #expect(Set(own).count == own.count)
    }
  }

  @Test func whatHasFewerRunsHasThemSpreadOverAllRounds() throws {
    let rounds = rounds(
      RunSchedule(benchmarkCount: 2, runCount: 20, seed: 1, secondsLimit: 0.25), seconds: [0.001, 0.05])
    func busy(_ benchmark: Int, _ pass: MeasurementPass) -> [Int] {
      rounds.indices.filter { round in rounds[round].contains { $0.benchmark == benchmark && $0.pass == pass } }
    }
    #expect(busy(0, .frames) == Array(0..<20))
    #expect(busy(1, .phases).count == 6)
    #expect(busy(1, .phases).first == 0 && busy(1, .phases).last ?? 0 >= 16)
    #expect(busy(0, .allocations) == [0, 10], "the second shows whether they are the same later on")
  }

  @Test func theLongestBenchmarkHasTheFewestRuns() {
    let rounds = rounds(RunSchedule(benchmarkCount: 1, runCount: 20, seed: 1, secondsLimit: 0.25), seconds: [0.4])
    #expect(rounds.joined().count { $0.pass == .frames } == RunOptions.leastRunCount)
  }

  @Test func longRunsAreFewerAndStillEnoughForAnInterval() {
    let rounds = rounds(RunSchedule(benchmarkCount: 1, runCount: 20, seed: 1, secondsLimit: 0.25), seconds: [9])
    #expect(rounds.joined().count { $0.pass == .frames } == 3)
    #expect(rounds.joined().count { $0.pass == .phases } == 3)
    #expect(rounds.joined().count { $0.pass == .allocations } == 1)
  }

  @Test func aPassThatIsEndedEarlyHasNoMoreRuns() throws {
    var schedule = RunSchedule(benchmarkCount: 1, runCount: 5, seed: 1)
    let job = try #require(schedule.round(1).first { $0.pass == .phases })
    schedule.end(job, after: 0.01)
    schedule.skip([job.pass], of: job.benchmark)
    #expect((2...5).allSatisfy { round in !schedule.round(round).contains { $0.pass == .phases } })
  }

  @Test func aFirstLookRunsLongBenchmarksOnce() {
    let rounds = rounds(RunSchedule(benchmarkCount: 1, runCount: 4, seed: 1, secondsLimit: 0.25), seconds: [9])
    #expect(rounds.joined().count { $0.pass == .frames } == 1)
  }

  @Test func whatTakesPhasesIsKnownBeforeTheyAreTimed() {
    var schedule = RunSchedule(benchmarkCount: 3, runCount: 4, seed: 1, references: [0: 0, 1: 1, 2: 2])
    let jobs = schedule.round(1)
    #expect(jobs.map(\.pass) == Array(repeating: [.frames, .allocations, .phases, .output], count: 3).flatMap(\.self))
    #expect(Set(jobs.map(\.benchmark)) == [0, 1, 2] && jobs[0].benchmark == jobs[3].benchmark)
  }

  /// The first look (early results of a long run) has only benchmarks for which each pass has run at least once.
  @Test func aFirstLookHoldsWhatIsThereByThen() async throws {
    let program = try FixtureProcess.path
    let catalogue = try await Catalogue(of: [program])
    let benchmarks = try ["steady/naive/10", "rebuilt/mine/200"].map { try catalogue.benchmark($0) }
    var options = RunOptions()
    (options.frameCount, options.warmUpFrameCount, options.runCount) = (4, 1, 3)
    var runner = Runner(benchmarks: benchmarks, options: options, programs: ProgramPaths(paths: [[program]]))
    runner.firstLookDelay = .zero
    var looks: [Runner.Outcome] = []
    let outcome = try await runner.run(firstLook: { look, _ in looks.append(look) }, progress: { _ in })
    #expect(looks.count == 1 && looks[0].records.count == 1 && looks[0].failures.isEmpty)
    #expect(outcome.records.count == 2 && outcome.failures.isEmpty)
    runner.firstLookDelay = .seconds(1e6)
    _ = try await runner.run(firstLook: { look, _ in looks.append(look) }, progress: { _ in })
    #expect(looks.count == 1)
  }

  @Test func phasesThatAreNotThereAreTimedOnceWhereNothingElseLooksForThem() async throws {
    let program = try FixtureProcess.path
    let benchmark = try await Catalogue(of: [program]).benchmark("printing/mine/10")
    var options = RunOptions()
    (options.frameCount, options.warmUpFrameCount, options.runCount) = (4, 1, 3)
    let runner = Runner(
      benchmarks: [benchmark], options: options, programs: ProgramPaths(paths: [[program]]),
      otherCounts: [.allocations: 0])
    var shown: [String] = []
    let outcome = try await runner.run { shown.append($0.progressText) }
    #expect(outcome.records.count == 1)
    #expect(shown.count { $0.contains("(phases, ") } == 1 && shown.count { $0.contains("(frames, ") } == 3)
  }

  @Test func aSingleBenchmarkIsMeasuredForSeconds() {
    let schedule = RunSchedule(benchmarkCount: 1, runCount: 20, seed: 1)
    #expect(schedule.shortestRound * (schedule.roundCount - 1) >= .seconds(2.9))
    #expect(RunSchedule(benchmarkCount: 1, runCount: 3, seed: 1).shortestRound == .zero, "a first look")
  }

  @Test func allocationsRunTwiceEvenWhereTimesRunOnce() {
    let jobs = jobs(RunSchedule(benchmarkCount: 1, runCount: 1, seed: 1), benchmarkCount: 1)
    #expect(jobs.filter { $0.pass == .allocations }.count == 2)
    #expect(jobs.filter { $0.pass == .frames }.count == 1)
  }

  @Test func aQuickRunMeasuresPhasesAndAllocationsOnce() {
    let jobs = jobs(
      RunSchedule(benchmarkCount: 1, runCount: 3, seed: 1, otherCounts: [.phases: 1, .allocations: 1]),
      benchmarkCount: 1)
    #expect(jobs.map(\.pass.rawValue).sorted() == ["allocations", "frames", "frames", "frames", "phases"])
  }

  @Test func onlyComparedBenchmarksShowTheirOutputAndOnlyOnce() {
    let jobs = jobs(RunSchedule(benchmarkCount: 3, runCount: 4, seed: 1, references: [0: 1, 2: 1]), benchmarkCount: 3)
    #expect(Set(jobs.filter { $0.pass == .output }.map(\.benchmark)) == [0, 2])
    #expect(jobs.filter { $0.pass == .output }.count == 2)
  }

  @Test func theOrderIsShuffledByTheSeed() {
    let order = jobs(RunSchedule(benchmarkCount: 20, runCount: 2, seed: 1), benchmarkCount: 20)
    #expect(order == jobs(RunSchedule(benchmarkCount: 20, runCount: 2, seed: 1), benchmarkCount: 20))
    #expect(order != jobs(RunSchedule(benchmarkCount: 20, runCount: 2, seed: 2), benchmarkCount: 20))
    #expect(order.map(\.benchmark) != order.map(\.benchmark).sorted())
  }

  @Test func aWorkerMayTakeAMinuteAndMoreInProportion() {
    var options = RunOptions()
    #expect(WorkerProcess.defaultTimeout(options, size: 100) == .seconds(60))
    #expect(WorkerProcess.defaultTimeout(options, size: 1_000_000) == .seconds(600))
    options.frameCount = 2_520
    #expect(WorkerProcess.defaultTimeout(options, size: 100) == .seconds(120))
    options.frameCount = 1
    #expect(WorkerProcess.defaultTimeout(options, size: 100) == .seconds(60))
  }

  @Test func progressCountsWhatIsDoneAndForgetsWhatWillNotRun() {
    var schedule = RunSchedule(benchmarkCount: 2, runCount: 2, seed: 1)
    #expect(schedule.percent == 0)
    #expect(schedule.secondsLeft == nil)
    let id = BenchmarkID(scenario: "s", strategy: "a", size: 1)
    for job in jobs(schedule, benchmarkCount: 2).prefix(6) {
      schedule.current = (id, job)
      schedule.end(job, after: 1)
    }
    #expect(schedule.percent == 50)
    #expect(schedule.secondsLeft != nil)
    #expect(schedule.progressText.hasPrefix("50%, "))
    schedule.skip(of: 0)
    schedule.skip(of: 1)
    #expect(schedule.percent == 100)
    #expect(schedule.secondsLeft == 0)
  }

  @Test func theLineOfProgressFitsATerminal() {
    var schedule = RunSchedule(benchmarkCount: 1, runCount: 1, seed: 1)
    let name = String(repeating: "long", count: 50)
    schedule.current = (
      BenchmarkID(scenario: name, strategy: "a", size: 1), RunJob(benchmark: 0, pass: .frames, run: 1)
    )
    #expect(ProgressLine.fitted(schedule.progressText).count == 79)
    #expect(ProgressLine.duration(0.2) == "1 s")
    #expect(ProgressLine.duration(61) == "1 min 1 s")
  }

  @Test func theLastLineOfACrashIsItsMessage() {
    let text = "warming up\nFile.swift:3: Fatal error: no\nCurrent stack trace:\n0 lib\n\n"
    #expect(lastLine(ofStandardError: text) == "; last line of stderr: File.swift:3: Fatal error: no")
    #expect(lastLine(ofStandardError: "a\nb\n \n") == "; last line of stderr: b")
    #expect(lastLine(ofStandardError: "\n") == "")
  }

  @Test(arguments: [
    ("naiev", "naive"), ("nave", "naive"), ("TILED", "tiled"), ("rnu", "run"), ("exact", nil), ("x", nil),
  ]) func slipsOfTheFingerAreRecognized(_ typed: String, _ meant: String?) {
    #expect(Suggestion.nearest(to: typed, among: ["naive", "tiled", "run", "list"]) == meant)
  }

  @Test func distancesAreThoseOfDamerauAndLevenshtein() {
    #expect(Suggestion.distance("kitten", "sitting") == 3)
    #expect(Suggestion.distance("ab", "ba") == 1)
    #expect(Suggestion.distance("", "abc") == 3)
    #expect(Suggestion.distance("same", "same") == 0)
  }

  @Test func aChildThatFillsBothPipesIsReadToItsEnd() async throws {
    let script = "for i in 1 2 3 4; do head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; done; cat"
    let process = ChildProcess(executable: "/bin/sh", arguments: ["-c", script], timeout: hangLimit)
    let end = try await process.run(input: Data(repeating: 1, count: 500_000))
    #expect(end.isSuccess)
    #expect(end.output.count == 1_700_000)
    #expect(end.errorTail.utf8.count == 4_000)
  }

  @Test func aChildNeedNotReadItsInput() async throws {
    for _ in 0..<20 {
      let process = ChildProcess(executable: "/bin/sh", arguments: ["-c", "echo done"], timeout: hangLimit)
      let end = try await process.run(input: Data(repeating: 1, count: 500_000))
      #expect(end.isSuccess)
      #expect(end.output == Data("done\n".utf8))
    }
  }

  @Test func aChildThatClosesItsOutputBeforeItEndsIsNotKilled() async throws {
    for _ in 0..<5 {
      let process = ChildProcess(
        executable: "/bin/sh", arguments: ["-c", "exec >&- 2>&-; sleep 0.05; exit 3"], timeout: hangLimit)
      #expect(try await process.run(input: Data()).status == .exited(3))
    }
  }

  @Test func aChildThatWritesTooMuchIsStopped() async throws {
    var process = ChildProcess(executable: "/bin/sh", arguments: ["-c", "exec cat /dev/zero"], timeout: hangLimit)
    process.outputLimit = 1_000_000
    #expect(try await process.run(input: Data()).stop == .tooMuchOutput)
  }

  @Test func aChildsChildrenAreStoppedWithIt() async throws {
    let process = ChildProcess(
      executable: "/bin/sh", arguments: ["-c", "sleep 6000 & sleep 6000"], timeout: .milliseconds(300))
    let start = ContinuousClock.now
    let end = try await process.run(input: Data())
    #expect(end.stop == .timeout)
    // If the children were not stopped, this call would wait until they end.
    #expect(ContinuousClock.now - start < hangLimit)
  }

  @Test func aProgramThatIsNotThereIsAnError() async throws {
    let process = ChildProcess(executable: "/nonexistent/program", arguments: [], timeout: .seconds(5))
    await #expect(throws: (any Error).self) { try await process.run(input: Data()) }
  }
}
