import Builds
import CProcessControl
import Foundation
import FrameBench
import Judging
import Linking
import LockStep
import Measurements
import Platform

/// Compares two executables: first their exact figures, such as allocations, then their times while they take turns.
package struct ExecutableComparison: Sendable {
  /// The command line, which the document repeats.
  package let arguments: [String]
  /// The seed of the order of benchmarks, processes and turns.
  package let seed: UInt64
  package let measuresSameCode: Bool
  package let plan: LockStepPlan
  package let rule: ComparisonRule
  package let names: [BuildName]
  /// The reason why the builds are measured in only one link order. Used only if `rule.hasOneLayout` is true.
  package let layoutProblem: LinkProblem

  package init(
    arguments: [String], seed: UInt64, measuresSameCode: Bool, plan: LockStepPlan, rule: ComparisonRule,
    names: [BuildName], layoutProblem: LinkProblem
  ) {
    (self.arguments, self.seed, self.measuresSameCode, self.plan, self.rule, self.names, self.layoutProblem) = (
      arguments, seed, measuresSameCode, plan, rule, names, layoutProblem
    )
  }

  /// - Parameter planned: The selected benchmarks of the baseline, and those of the candidate.
  package func run(_ planned: [[PlannedBenchmark]], _ line: ProgressLine) async throws -> ComparisonDocument {
    let start = Date()
    let clockStart = ContinuousClock.now
    let benchmarks = planned.map { $0.map(\.id) }
    let ids = benchmarks[0].filter { benchmarks[1].contains($0) }
    var failures: [BenchmarkFailure] = []
    var exact: [BenchmarkID: ExactComparison] = [:]
    var exactSeconds: [BenchmarkID: Double] = [:]
    var doubts = warnings + planned[1].coreWarnings(coreCount: Machine.current().coreCount)
    let same = try await sameCode(ids, line, &doubts)
    let differing = ids.filter { !same.contains($0) }
    for (index, id) in differing.enumerated() {
      line.show("exact figures of \(id)", Double(index) / Double(differing.count))
      let start = ContinuousClock.now
      defer { exactSeconds[id] = (ContinuousClock.now - start) / .seconds(1) }
      do { exact[id] = try await exactFigures(of: id, &doubts) } catch let failure as WorkerProcess.Failure {
        failures.append(BenchmarkFailure(id, failure))
      }
    }
    let comparable = differing.filter { exact[$0] != nil }
    let straying = comparable.filter { exact[$0]?.behavior == .behaviorChanged }
    let times = try await LockStepRunner(plan: plan, rule: rule, seed: seed).run(comparable, progress: line.show)
    let deviations = try await DedicatedThread.run { isCancelled in
      try straying.map { try deviation($0, isCancelled: isCancelled) }
    }
    let instructions =
      plan.countsInstructions ? try await instructions(of: comparable, line) : (counted: [:], warnings: [])
    var rows: [ComparisonRow] = []
    for id in (benchmarks[0] + benchmarks[1]).unique {
      if !ids.contains(id) {
        rows.append(.missing(id, isNew: !benchmarks[0].contains(id)))
      } else if same.contains(id) {
        rows.append(.unmeasured(id, "same code"))
      } else if var exact = exact[id] {
        if let counted = instructions.counted[id] {
          (exact.baseline.instructions, exact.candidate.instructions) = counted
        }
        let exactRows = exact.rows(deviation: straying.firstIndex(of: id).flatMap { deviations[$0] })
        rows += exactRows.prefix(1) + (times.rows[id] ?? []) + exactRows.dropFirst()
      }
    }
    let seconds = (ContinuousClock.now - clockStart) / .seconds(1)
    var document = ComparisonDocument(
      startedAt: start.iso8601, durationSeconds: inThousandths(seconds), arguments: arguments, baseline: names[0],
      candidate: names[1], options: plan.options, method: times.method, rows: rows, failures: failures + times.failures,
      warnings: doubts + times.warnings + instructions.warnings)
    document.correct()
    document.scrolls = times.scrolls.unlessEmpty
    document.ruleChanges = comparable.flatMap { exact[$0]?.changedCounters ?? [] }.unique.unlessEmpty
    document.rows.nameMovedWork(plan.options)
    document.benchmarkSeconds = Dictionary(
      uniqueKeysWithValues: exactSeconds.merging(times.seconds, uniquingKeysWith: +).map {
        ("\($0)", inThousandths($1))
      })
    return document
  }

  private var warnings: [Warning] {
    let isAllowed = process_control_may_fix_layout()
    let doubts: [(applies: Bool, message: String)] = [
      (
        rule.hasOneLayout,
        "Each build was measured in one link order: \(layoutProblem). Where the linker placed code affects"
          + " its times, so a change counts beyond 20% + 170% ÷ √nanoseconds: 42% of 60 ns, 22% of 10 µs."
      ), (plan.core == nil, "Turns were not pinned, because there is only one core; expect more noise."),
      (
        !isAllowed,
        "The processes of a set have different memory layouts, because the system does not allow"
          + " personality(ADDR_NO_RANDOMIZE); expect short phases to be inconclusive. In Docker,"
          + " --security-opt seccomp=unconfined allows it."
      ),
    ]
    return doubts.filter(\.applies).map { Warning($0.message) }
  }

  /// Finds the benchmarks that run the same code in both builds, take about the same time, and agree in all exact
  /// figures, such as allocations.
  /// - Parameter doubts: Receives the reasons why the other benchmarks must be measured, except for those that run
  ///   changed code.
  private func sameCode(_ ids: [BenchmarkID], _ line: ProgressLine, _ doubts: inout [Warning]) async throws -> Set<
    BenchmarkID
  > {
    guard let orders = plan.orders, !measuresSameCode else { return [] }
    guard ProgramIdentity.haveSameCompanions(Build.allCases.map(plan.executable)) else {
      doubts.append(Warning("All benchmarks were measured, since the files beside the programs differ."))
      return []
    }
    let trace = try await CodeTrace(orders)
    if let common = trace.common {
      doubts.append(Warning("All benchmarks were measured, since this differs: \(common)."))
      return []
    }
    let found = try await concurrently(Array(ids.enumerated())) { index, id in
      line.show("code of \(id)", Double(index) / Double(ids.count))
      let request = plan.request(id, .candidate, layoutSeed: 1, position: index)
      return try await DedicatedThread.run { isCancelled in
        try trace.find(request, timeout: plan.timeout, isCancelled: isCancelled)
      }
    }
    for (id, finding) in zip(ids, found) {
      guard case .unknown(let reason) = finding else { continue }
      doubts.append(Warning("Measured, since \(reason).", benchmark: id))
    }
    let same = zip(ids, found).filter { $1 == .sameCode }.map(\.0)
    if !same.isEmpty { try await orders.link(LockStepPlan.Quota.oneSet.orders) }
    let ratios = try await DedicatedThread.run { isCancelled in
      try same.enumerated().map { index, id in
        line.show("plays of \(id)", Double(index) / Double(same.count))
        return try ratioOfPlays(of: id, isCancelled: isCancelled)
      }
    }
    // The times are also compared, because the proof that the code is the same may miss something.
    let alike = zip(same, ratios).filter { $1 <= Self.mostRatio }.map(\.0)
    for id in same where !alike.contains(id) {
      doubts.append(Warning("Measured, since its times differ, although it seems to run the same code.", benchmark: id))
    }
    var agreeing: Set<BenchmarkID> = []
    for (index, id) in alike.enumerated() {
      line.show("exact figures of \(id)", Double(index) / Double(alike.count))
      if try await haveSameExactFigures(id) {
        agreeing.insert(id)
      } else {
        doubts.append(
          Warning("Measured, since its exact figures differ, although it seems to run the same code.", benchmark: id))
      }
    }
    return agreeing
  }

  /// Returns whether both builds have the same behavior and the same allocations; false if a build fails. If the
  /// baseline's own runs differ, comparing them with the candidate's runs would show nothing, so the result is true.
  private func haveSameExactFigures(_ id: BenchmarkID) async throws -> Bool {
    var ignored: [Warning] = []
    do {
      return try await !exactFigures(of: id, &ignored).rows(deviation: nil).contains(where: \.verdict.isChange)
    } catch let failure as WorkerProcess.Failure { return failure.isOfRandomBaseline }
  }

  /// The largest ratio of the builds' times at which their code still counts as the same, and the maximum number of
  /// tries. The same code has the same addresses in both builds, so only a disturbance makes one build slower. A
  /// disturbance hardly ever hits the same build in each of four tries.
  private static let (mostRatio, mostTries) = (1.05, UInt64(4))

  /// Lets both builds run all frames a few times, and divides the slower build's time by the faster build's. Returns
  /// the smallest ratio of several tries, or infinity if a worker fails.
  private func ratioOfPlays(of id: BenchmarkID, isCancelled: @escaping @Sendable () -> Bool) throws -> Double {
    var plan = plan
    plan.isCancelled = isCancelled
    var nearest = Double.infinity
    for seed in 1...Self.mostTries {
      do {
        let session = LockStepSession(plan, id: id, quota: .oneSet, seed: seed)
        let times = try session.measure(try session.findOut()).times
        let change = times.times(of: FrameProbe(phase: nil)).changes.first ?? .infinity
        nearest = min(nearest, abs(change))
      } catch is WorkerProcess.Failure { return .infinity }
      if exp(nearest) <= Self.mostRatio { break }
    }
    return exp(nearest)
  }

  /// Measures the exact figures of both builds. There is one run of each build, and more in these cases:
  /// - two runs if a figure differs, because some allocations happen only in some runs, or if runs are short, because a
  ///   data race may change the output only in some runs
  /// - up to four runs if a judged count still differs and runs are short, or if runs agree on a changed time of warm-up
  ///   frames
  /// - four more if a time outside of the recorded frames, or the CPU time of other threads, looks changed
  ///
  /// Both builds run at the same time until a time looks changed. Throws if the candidate's output varies.
  private func exactFigures(of id: BenchmarkID, _ warnings: inout [Warning]) async throws -> ExactComparison {
    var runs = Build.allCases.map { _ in [RunMeasurement]() }
    let start = ContinuousClock.now
    // The number of runs in which a build had the machine to itself; nil as long as both run at the same time.
    var loneRunCount: Int?
    while true {
      for (build, run) in zip(Build.allCases, try await exactRuns(of: id, atOnce: loneRunCount == nil)) {
        runs[build.rawValue].append(run)
      }
      loneRunCount = loneRunCount.map { $0 + 1 }
      let isRandom = runs.map { Set($0.map(\.checksum)).count > 1 }
      // If only the baseline's output is random, the candidate has fixed that, which is no failure.
      guard !isRandom[Build.candidate.rawValue] else {
        throw WorkerProcess.Failure(
          reason: "two runs showed different things; seed randomness, and read no clock",
          isOfRandomBaseline: isRandom[Build.baseline.rawValue]
        ).of(.candidate)
      }
      let figures = runs.compactMap { BenchmarkRecord(id: id, exactlyOf: $0) }
      var found = ExactComparison(baseline: figures[0], candidate: figures[1], rule)
      found.hasRandomBaseline = isRandom[Build.baseline.rawValue]
      let seconds = start.duration(to: .now) / .seconds(1)
      if loneRunCount == nil, found.hasSuspectTimes || found.hasSuspectWarmUp { loneRunCount = 0 }
      if runs[0].count == 1, seconds < 0.75 || found.rows(deviation: nil).contains(where: \.verdict.isChange) {
        continue
      }
      if found.hasSuspectTimes, loneRunCount ?? 0 < (seconds < 10 ? 4 : 1) { continue }
      if found.hasSuspectWarmUp || seconds < 1.5 && found.hasSuspectCounts, runs[0].count < 4 { continue }
      if found.hasRandomBaseline {
        let doubt = "Two runs of the baseline showed different things, so what is shown was not compared."
        warnings.append(Warning(doubt, benchmark: id))
      }
      let doubts = runs[Build.candidate.rawValue].doubts.compactMap(\.self)
      warnings += doubts.map { Warning($0, benchmark: id) }
      return found
    }
  }

  private func exactRuns(of id: BenchmarkID, atOnce: Bool) async throws -> [RunMeasurement] {
    async let baseline = exactRun(of: id, .baseline)
    if !atOnce { _ = try await baseline }
    async let candidate = exactRun(of: id, .candidate)
    return [try await baseline, try await candidate]
  }

  private func exactRun(of id: BenchmarkID, _ build: Build) async throws -> RunMeasurement {
    var worker = WorkerProcess(executablePath: plan.executable(build), timeout: plan.timeout)
    worker.remedy = "ask for fewer in the scenario's options"
    do {
      return try await worker.measure(WorkerRequest(benchmark: id, pass: .allocations, options: plan.options))
    } catch let failure as WorkerProcess.Failure { throw failure.of(build) }
  }

  /// Measures how far apart the builds show the same items. Both run all frames and report the items that they show.
  /// Returns nil if the scenario does not report items, or if a worker fails. Must be called on a thread that outlives
  /// the workers, because Linux ends a worker together with the thread that started it.
  private func deviation(_ id: BenchmarkID, isCancelled: @escaping @Sendable () -> Bool) throws -> DeviationRecord? {
    do {
      let processes = try Build.allCases.map { build in
        try TurnProcess(
          build, program: ProgramImage(of: plan.executable(build)),
          request: plan.request(id, build, layoutSeed: 1, position: build.rawValue), timeout: plan.timeout,
          isCancelled: isCancelled)
      }
      for process in processes { process.shareCores() }
      for process in processes { _ = try process.readiness() }
      var deviation = DeviationMeter(reference: "baseline")
      let frameCount = plan.options.of(id).frameCount
      // Only a few frames run at a time, because even long frames must end within the time limit of an answer.
      for next in stride(from: 0, to: frameCount, by: 10) {
        let frames = next..<min(next + 10, frameCount)
        let shown = try processes.map { try $0.observe(frames.count) }
        deviation.add(expected: shown[0], found: shown[1], frames: frames)
      }
      return deviation.record
    } catch is WorkerProcess.Failure { return nil }
  }

  /// Counts the instructions of each benchmark in both builds under valgrind. A benchmark whose instructions cannot be
  /// counted is left out, and a warning gives the reason.
  private func instructions(of ids: [BenchmarkID], _ line: ProgressLine) async throws -> (
    counted: [BenchmarkID: (InstructionRecord?, InstructionRecord?)], warnings: [Warning]
  ) {
    var counted: [BenchmarkID: (InstructionRecord?, InstructionRecord?)] = [:]
    var warnings: [Warning] = []
    var runners: [CallgrindRunner] = []
    do {
      for build in Build.allCases { runners.append(try await CallgrindRunner(executable: plan.executable(build))) }
    } catch let failure as InstructionFailure { return ([:], [Warning("Instructions were not counted: \(failure).")]) }
    for (index, id) in ids.enumerated() {
      line.show("instructions of \(id)", Double(index) / Double(ids.count))
      do {
        // Both builds are counted at the same time, because a busy machine does not change the counts.
        async let first = runners[0].count(id, options: plan.options)
        async let second = runners[1].count(id, options: plan.options)
        counted[id] = (try await first.record, try await second.record)
      } catch let failure as InstructionFailure {
        warnings.append(Warning("Instructions were not counted: \(failure).", benchmark: id))
      }
    }
    return (counted, warnings)
  }
}
