import FrameBench
import Measurements
import TextFormat

/// How the figures were made, and the command that makes them again.
struct MethodSection {
  private let document: RunDocument
  private let program: String?

  init(_ document: RunDocument, program: String?) {
    self.document = document
    self.program = program
  }

  var blocks: [Block] {
    let options = document.options
    let samples = options.samplesPhrase(document.benchmarks)
    let isOfCalls = unit == .call
    let points: [RichText] = [
      """
      \(strong: "Work.") \(trace)Every run does the same work: \(steps)seed \(options.seed). The output checksum \
      covers every recorded \(unit.sample) and was the same in every run of a benchmark.
      """,
      """
      \(strong: "Runs.") Each run is a separate process with fresh state: set-up, \
      \(options.warmUpPhrase(document.benchmarks)) and \(samples) that are recorded. \
      \(isOfCalls ? "Calls" : "Whole frames") were timed in \
      \(options.runsPhrase(document.benchmarks)).\(limitNote(options))
      """,
      """
      \(strong: "Passes.") \(isOfCalls ? "Time" : "Whole frames, phases") and allocations are measured in \
      separate passes, so that one does not slow down the \
      other\(isOfCalls ? "" : "; so the phases need not add up to the frame"). The cost of the clock is \
      subtracted, never below zero.\(calls)
      """,
      """
      \(strong: "Figures.") \(isOfCalls ? "Sample" : "Frame") \(emphasis: "i") does the same work in every \
      run, so its cost is the minimum of its runs: the mean of those within one step of the clock of the \
      fastest, which is finer than a step. Percentiles are taken over the \(samples): Hyndman and Fan's \
      type 7, numpy's default.\(tailNote)
      """,
      """
      \(strong: "Uncertainty.") ± is half of a 95% interval: how far another measurement of the same program on \
      this machine may differ, from the spread between \(document.options.unitsOfSpread) and half a step of the clock \
      (\(TimeUnit.text(document.environment.clock.resolutionNanoseconds))). Times are about the same (=) where their \
      intervals overlap; \(layoutNoise). Ratios are rounded accordingly.
      """,
      """
      \(strong: "Allocations") are counted exactly: calls to the allocator, and bytes requested, on the thread \
      that runs the \(unit.noun).
      """,
    ]
    let duration = Format.significant(document.durationSeconds)
    return [
      .list(points + hitches + layouts + instructions),
      .paragraph("It took \(duration) s. To measure it again\(commit):"),
      .codeBlock(command, language: "sh"),
    ]
  }

  private var unit: WorkUnit { document.unit }

  private var steps: String {
    unit == .call ? "" : "fixed steps of 1/\(document.options.refreshRateHertz) s, "
  }

  private var calls: String {
    let counts = document.benchmarks.compactMap(\.callsPerFrame)
    guard let most = counts.max(), most > 1 else { return "" }
    return
      " Calls too short for the clock are repeated within a sample, up to \(Format.integer(most)) times, and its"
      + " time is divided by their number; what calling an empty function takes is subtracted."
  }

  private var hitches: [RichText] {
    guard unit == .frame else { return [] }
    return [
      """
      \(strong: "Hitch ratio"): milliseconds that frames came late per second of display time; below 5 good, 5 \
      to 10 warning, above 10 critical (Apple's scale for scrolling).
      """
    ]
  }

  private var trace: RichText {
    document.options.tracePath.map { "The scroll is the recording \(code: $0). " } ?? ""
  }

  private var layoutNoise: String {
    document.options.layoutCount == nil
      ? "this run had one link order, and another order may change a time by up to"
        + " \(Format.percent(Resolution.unmeasuredLayout)) ÷ √nanoseconds"
      : "the interval covers where the linker places code"
  }

  private var layouts: [RichText] {
    guard let count = document.options.layoutCount else { return [] }
    let spreads = document.benchmarks.compactMap { record in
      record.frame.layoutSpread.map { (id: record.id, spread: $0) }
    }.sorted { $0.spread < $1.spread }
    guard let most = spreads.last else { return [] }
    return [
      """
      \(strong: "Layouts.") The runs were spread over \(count) link orders of the program, and each time is the \
      mean over the orders, so that no figure depends on the luck of one of them. Single orders differ by \
      ±\(Format.percent(spreads[spreads.count / 2].spread)) in the median benchmark and by \
      ±\(Format.percent(most.spread)) in \(code: most.id) (one standard deviation, including the \
      usual differences between processes).
      """
    ]
  }

  private var instructions: [RichText] {
    guard document.benchmarks.contains(where: { $0.instructions != nil }) else { return [] }
    return [
      """
      \(strong: "Instructions") are counted in a separate run under valgrind, frame by frame; warm-up is \
      not counted, and the cost of counting is subtracted. They are the same in every run of a build, \
      but they are not time: instructions differ in cost, and the effects of caches and branches do not show.
      """
    ]
  }

  /// `, at commit 6a73046`
  private var commit: RichText {
    guard let commit = document.environment.commit else { return "" }
    let changes = document.environment.isDirty == true ? " plus uncommitted changes" : ""
    return ", at commit \(code: commit.prefix(7))\(changes)"
  }

  private func limitNote(_ options: RunOptions) -> String {
    guard let seconds = options.passSecondsLimit else { return "" }
    return " A pass has at most \(Format.plural(options.runCount, "run")), and no more after"
      + " \(Format.fixed(seconds, decimals: 1)) s once it has \(RunOptions.leastRunCount)."
  }

  private var tailNote: String {
    let counts = document.benchmarks.map { document.options.of(scenario: $0.id.scenario).frameCount }
    guard let least = counts.min(), least < 1_000 else { return "" }
    let tail = max(1, least / 100)
    let slowest = tail == 1 ? "slowest" : "\(tail) slowest"
    return " With \(Format.plural(least, unit.sample)) the p99 rests on the \(slowest)."
  }

  private var command: String {
    let standard = "swift run -c \(document.environment.buildConfiguration) springbench"
    let arguments = document.arguments.isEmpty ? "" : " \(ShellWord.quoted(document.arguments))"
    return (program ?? standard) + arguments
  }
}
