import FrameBench
import Markup
import Measurements
import TextFormat

extension RunDocument {
  package var environmentLine: RichText {
    let changes = environment.isDirty == true ? " with local changes" : ""
    let parts: [RichText?] = [
      environment.commit.map { "\(code: $0.prefix(7))\(changes)" }, "\(environment.cpuModel ?? environment.machine)",
      "\(environment.toolchain), \(environment.buildConfiguration)",
    ]
    return parts.compactMap(\.self).joined(separator: " · ")
  }

  package var environmentTable: Table {
    Table(
      environmentRows + calibrationRows, .left("machine") { "\($0.name)" },
      .left(.code(environment.machine)) { $0.value ?? .absent("Unknown on this machine.") })
  }

  private var environmentRows: [(name: String, value: RichText?)] {
    let clock = environment.clock
    return [
      ("CPU", environment.cpuModel.map(RichText.text)), ("cores for this process", "\(environment.coreText)"),
      ("governor", environment.governor.map(RichText.text)),
      ("memory", environment.memoryBytes.map { "\(ByteUnit.text(Double($0)))" }),
      ("virtual machine", environment.isVirtualMachine.map { $0 ? "yes" : "no" }),
      ("operating system", environment.operatingSystem.map(RichText.text)), ("kernel", "\(environment.kernel)"),
      ("load average at the start", environment.loadAverage.map { "\(Format.fixed($0, decimals: 2))" }),
      ("commit", environment.commit.map(RichText.code)),
      ("work tree", environment.isDirty.map { $0 ? .strong("differs from the commit") : "clean" }),
      ("toolchain", "\(environment.toolchain)"), ("build", "\(environment.buildConfiguration)"),
      ("allocator", "\(environment.allocator)"), ("settings", "\(environment.settingText)"),
      ("clock", .code(clock.source)),
      (
        "clock: cost of a pair of reads",
        "\(Format.significant(clock.pairCostNanoseconds)) ns, subtracted from every sample"
      ),
      (
        "clock: smallest step",
        """
        \(Format.significant(clock.resolutionNanoseconds)) ns; times below \
        \(Format.significant(clock.shortestNanoseconds)) ns are marked
        """
      ),
    ]
  }

  private var calibrationRows: [(name: String, value: RichText?)] {
    guard let calibration else { return [] }
    // The score is infinite if the document says that the calibration kernel took no time.
    let score = abs(calibration.score) < 1e15 ? Format.integer(Int(calibration.score.rounded())) : Format.absent
    func text(_ times: KernelTimes) -> RichText {
      """
      \(TimeUnit.text(times.fastest)) at best; p50 \(Format.percent(times.typicalExcess)) above that, p99 \
      \(Format.percent(times.spread))
      """
    }
    return [
      ("calibration score", "\(score) steps of a fixed kernel per µs"),
      ("calibration at the start", text(calibration.start)), ("calibration at the end", calibration.end.map(text)),
    ]
  }

  package var methodBlocks: [Block] {
    let samples = options.samplesPhrase(benchmarks)
    let isOfCalls = unit == .call
    let whole = isOfCalls ? "Calls" : unit == .frame ? "Whole frames" : "Calls and whole frames"
    let argument = options.tracePath.map { TraceArgument($0) }
    let recording: RichText = argument?.path.map { "The scroll is the recording \(code: $0). " } ?? ""
    let lifted = argument?.liftsToOrigin == true ? "A lifted finger's touch is at the origin of the content. " : ""
    let trace: RichText = "\(recording)\(lifted)"
    let steps = isOfCalls ? "" : "fixed steps of 1/\(options.refreshRateHertz) s, "
    let points: [RichText] = [
      """
      \(strong: "Work.") \(trace)Every run does the same work: \(steps)seed \(options.seed). The output checksum \
      covers every recorded \(unit.sample) and was the same in every run of a benchmark.
      """,
      """
      \(strong: "Runs.") Each run is a separate process with fresh state: set-up, \
      \(options.warmUpPhrase(benchmarks)) and \(samples) that are recorded. \
      \(whole) were timed in \
      \(options.runsPhrase(benchmarks)).\(limitNote)
      """,
      """
      \(strong: "Passes.") \(isOfCalls ? "Time" : "Whole frames, phases") and allocations are measured in \
      separate passes, so that one does not slow down the \
      other\(isOfCalls ? "" : "; so the phases need not add up to the frame"). The cost of the clock is \
      subtracted, never below zero.\(calls)
      """,
      """
      \(strong: "Figures.") \(unit.sample.capitalized) \(emphasis: "i") does the same work in every \
      run, so its cost is the minimum of its runs: the mean of those within one step of the clock of the \
      fastest, which is finer than a step. Percentiles are taken over the \(samples): Hyndman and Fan's \
      type 7, numpy's default.\(tailNote)
      """,
      """
      \(strong: "Uncertainty.") ± is half of a 95% interval: how far another measurement of the same program on \
      this machine may differ, from the spread between \(options.unitsOfSpread) and half a step of the clock \
      (\(TimeUnit.text(environment.clock.resolutionNanoseconds))). Times are about the same (=) where their \
      intervals overlap; \(layoutNoise). Ratios are rounded to the digits that the intervals allow.
      """,
      """
      \(strong: "Allocations") are counted exactly: calls to the allocator, and bytes requested, on the thread \
      that runs the \(unit.noun).
      """,
    ]
    let changes = environment.isDirty == true ? " plus uncommitted changes" : ""
    let commit: RichText = environment.commit.map { ", at commit \(code: $0.prefix(7))\(changes)" } ?? ""
    return [
      .list(points + (isOfCalls ? [] : [Self.hitches]) + layouts + instructionNote),
      .paragraph("It took \(Format.significant(durationSeconds)) s. To measure it again\(commit):"),
      .codeBlock(ShellWord.quoted(["springbench"] + arguments), language: "sh"),
    ]
  }

  private var calls: String {
    let counts = benchmarks.compactMap(\.callsPerFrame)
    guard let most = counts.max(), most > 1 else { return "" }
    return " Calls too short for the clock are repeated within a sample, up to \(Format.integer(most)) times, and its"
      + " time is divided by their number; what calling an empty function takes is subtracted."
  }

  private static let hitches: RichText = """
    \(strong: "Hitch ratio"): milliseconds that frames came late per second of display time; below 5 good, 5 \
    to 10 warning, above 10 critical (Apple's scale for scrolling).
    """

  private var layoutNoise: String {
    options.layoutCount == nil
      ? "this run had one link order, and another order may change a time by up to"
        + " \(Format.percent(Timing.unmeasuredLayout)) ÷ √nanoseconds"
      : "the interval covers the linker's placement of code"
  }

  private var layouts: [RichText] {
    guard let count = options.layoutCount else { return [] }
    let spreads = benchmarks.compactMap { record in record.frame.layoutSpread.map { (id: record.id, spread: $0) } }
      .sorted { $0.spread < $1.spread }
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

  private var instructionNote: [RichText] {
    guard benchmarks.contains(where: { $0.instructions != nil }) else { return [] }
    return [
      """
      \(strong: "Instructions") are counted in a separate run under valgrind, frame by frame; warm-up is \
      not counted, and the cost of counting is subtracted. They are the same in every run of a build, \
      but they are not time: instructions differ in cost, and the effects of caches and branches do not show.
      """
    ]
  }

  private var limitNote: String {
    guard let seconds = options.passSecondsLimit else { return "" }
    return " A pass has at most \(Format.plural(options.runCount, "run")), and no more after"
      + " \(Format.fixed(seconds, decimals: 1)) s once it has \(RunOptions.leastRunCount),"
      + " or \(RunOptions.leastLongRunCount) of more than \(Format.fixed(RunOptions.longRunSeconds, decimals: 1)) s."
  }

  private var tailNote: String {
    let counts = benchmarks.map { options.of($0.id).frameCount }
    guard let least = counts.min(), least < 1_000 else { return "" }
    let tail = max(1, least / 100)
    let slowest = tail == 1 ? "slowest" : "\(tail) slowest"
    return " With \(Format.plural(least, unit.sample)) the p99 rests on the \(slowest)."
  }
}
