import FrameBench
import Judging
import Markup
import Measurements
import TextFormat

/// The words of verdicts, so that a change has the same name in terminals, on pages, in annotations and in histories.
package enum Words {
  /// The noun for a figure that became worse.
  package static let regression = "regression"

  package static let ruleChanged = "rule changed"

  package static let sameInstructions = "as many instructions as before"

  package static func pace(isWorse: Bool) -> String { isWorse ? "slower" : "faster" }

  /// The words for a function that disagrees with its reference: `sum/wrong does not return what sum/loop returns`.
  package static func contradiction(of one: String, _ reference: String) -> String {
    "\(one) does not return what \(reference) returns"
  }

  package static func percent(_ fraction: Double) -> String {
    let percent = abs(fraction * 100)
    // The limits take rounding into account, so that 9.996 and 10.004 both read 10.0.
    let decimals = percent < 9.995 ? 2 : percent < 99.95 ? 1 : 0
    return Format.fixed(fraction * 100, decimals: decimals) + "%"
  }

  /// Returns the confidence in percent, rounded down so that it never reads 100%.
  package static func certainty(_ confidence: Double) -> String {
    confidence > 0.9999 ? "> 99.99%" : Format.significant((confidence * 1e4).rounded(.down) / 100, digits: 4) + "%"
  }

  package static func signed(_ fraction: Double) -> String { (fraction > 0 ? "+" : "") + percent(fraction).dropLast() }
}

extension BenchmarkFailure {
  /// The reason, short enough for a page. A longer reason would push the verdict out, because GitHub cuts a comment at
  /// 65,536 characters.
  package var briefReason: String { Self.brief(reason, longest: 400) }
  /// The beginning of stderr, which tells why a worker crashed.
  package var briefStandardError: String { Self.brief(standardError, longest: 4_000) }
  package var line: RichText { .strong("failed: \(id): \(briefReason)", .bad) }

  private static func brief(_ text: String, longest: Int) -> String {
    guard text.utf8.count > longest else { return text }
    let kept = String(decoding: text.utf8.prefix(longest), as: UTF8.self)
    return "\(kept.dropLast())… (\(ByteUnit.text(Double(text.utf8.count))), whole in the document)"
  }
}

extension CodeRatio {
  /// The relative change with its interval: `+2.1% (+1.8 to +2.4%)`.
  package var text: String { "\(Words.signed(change))% (\(interval))" }
  package var interval: String { "\(Words.signed(low)) to \(Words.signed(high))%" }
}

extension ChangeVerdict {
  /// The verdict in words, for a column of a table or before a colon.
  package var words: String {
    switch self {
    case .behaviorChanged: "behavior changed"
    case .notJudged: "not judged"
    case .improved, .unchanged, .regressed, .inconclusive, .missing: rawValue
    }
  }

  package var opening: String {
    switch self {
    case .behaviorChanged: "Behavior changed in "
    case .missing: "Missing: "
    case .regressed: "\(Words.regression.capitalized): "
    case .improved: "Improvement: "
    case .unchanged, .inconclusive, .notJudged: "\(words): "
    }
  }
}

extension ComparisonRow {
  package var words: String { verdict == .missing && !isLost ? "new" : verdict.words }

  /// The words between a figure and the name of the baseline: `solve time regressed against main`.
  package var relation: String {
    switch verdict {
    case .unchanged: "is as in"
    case .improved: "is better than in"
    case .regressed: "regressed against"
    case .inconclusive: "may differ from"
    case .notJudged: metric.isTimed ? "was measured at another time than" : "is not judged against"
    case .behaviorChanged: "differs from"
    case .missing: isLost ? "is gone since" : "is not in"
    }
  }

  /// The words for the figure: `frame time`, `output`, `solve allocationCount`.
  package var figureText: String {
    switch metric {
    case .frameTime:
      "\(phase ?? "frame") time" + (place.map { frames == nil && statistic != .max ? " \($0)" : " of \($0)" } ?? "")
    case .rawFrameTime: "frame time with stalls"
    case .checksum: "output"
    default: [phase, metric.name].compactMap(\.self).joined(separator: " ")
    }
  }

  /// The statistic or the frames to which a time refers. Nil for the mean of all frames.
  package var place: String? {
    frames?.words ?? (isMean ? nil : statistic == .max ? "the worst frame" : statistic?.rawValue)
  }

  package var baselineText: String { text(baseline, besides: candidate) }
  package var candidateText: String { text(candidate, besides: baseline) }

  private func text(_ value: FlatRow.Value?, besides other: FlatRow.Value?) -> String {
    switch value {
    case nil: Format.absent
    case .text(let text): text
    case .number(let number): metric.unit.text(number, besides: other?.number ?? number)
    }
  }

  /// The relative change with its interval: `+2.1% (+1.8 to +2.4%)`.
  package var changeText: String {
    if isUnmeasured, let note { return note }
    guard let change else { return Format.absent }
    return CodeRatio(self)?.text ?? "\(Words.signed(change))%"
  }
}

// MARK: - Comparisons

extension ComparisonDocument {
  /// The tone of the verdict: bad if something failed or became worse, otherwise good. Nil if some times are
  /// inconclusive or not judged, and nothing is worse.
  package var tone: Tone? {
    let isBad = !failures.isEmpty || changes.contains { $0.tone == .bad }
    return isBad
      ? .bad : rows.contains { $0.verdict == .inconclusive && $0.isMean } || !unjudgedTimes.isEmpty ? nil : .good
  }

  private var unjudgedTimes: [ComparisonRow] { rows.filter { $0.verdict == .notJudged && $0.metric.isTimed } }

  /// The verdict: the most serious cause, and how many others there are.
  package var headline: String {
    if let identicalPrograms { return identicalPrograms }
    let changes = changes.filter { !$0.isNew }
    let named = failures.isEmpty || changes.first?.tone == .bad ? changes.first : nil
    let unmeasured = "\(Format.plural(failures.count, "benchmark")) could not be measured"
    let nothing = "No \(Words.regression) in \(Format.plural(Set(rows.map(\.id)).count, "benchmark"))"
    let verdict = named.map { $0.verdict.opening + $0.sentence }
    let opening =
      failures.isEmpty ? verdict ?? nothing : [unmeasured, verdict].compactMap(\.self).joined(separator: ". ")
    let others = changes.count { $0 != named && $0.tone != .good }
    let better = changes.count { $0 != named && $0.tone == .good }
    let (rules, unjudged) = (ruleChanges?.count ?? 0, unjudgedTimes.count)
    let rest = [
      others > 0 ? Format.plural(others, named == nil ? "change" : "more change") : nil,
      better > 0 ? Format.plural(better, named?.tone == .good ? "more improvement" : "improvement") : nil,
      rules > 0 ? Format.plural(rules, "changed rule") : nil,
      named == nil && unjudged > 0 ? "\(Format.plural(unjudged, "time")) not judged" : nil,
    ].compactMap(\.self)
    return opening + (rest.isEmpty ? "" : ", and \(Format.list(rest))") + "."
  }

  /// A sentence on what was compared if the programs of both builds are the same. Nil if they differ.
  package var identicalPrograms: String? {
    guard method.source == .identicalPrograms else { return nil }
    return "Identical program: no code and no data in it differs, so nothing was measured. Files that it reads as it"
      + " runs were not compared."
  }

  /// Sentences on figures that were not measured or not judged, on uncertain times, and on unusual tolerances.
  package var reservations: [String] { [sameCode, uncertainty, unjudged, disagreement, tolerances].compactMap(\.self) }

  /// A sentence on tolerances that differ from the usual one. Nil if there are none.
  private var tolerances: String? {
    guard method.source != .identicalPrograms else { return nil }
    let isUsual = method.tolerance == ComparisonRule.usualTolerance
    let ofTimes = (method.scenarioTolerances ?? [:]).map { ($0, "\(Words.percent($1)) of times") }
    let ofAllocations = (method.allocationTolerances ?? [:]).map { ($0, "\($1.words) of allocations") }
    let own = (ofTimes + ofAllocations).sorted { $0 < $1 }.map { "\($1) in \($0)" }
    let all = (isUsual ? [] : ["\(Words.percent(method.tolerance)) of times"]) + own
    return all.isEmpty ? nil : "Tolerances other than the usual one: \(Format.list(all))."
  }

  /// A sentence on the benchmarks that run the same code in both builds. Nil if there are none, or if the whole
  /// programs are the same.
  package var sameCode: String? {
    let same = rows.count(where: \.isUnmeasured)
    guard same > 0, method.source != .identicalPrograms else { return nil }
    let count = allIDs.count
    let some = "\(Format.integer(same)) of \(Format.plural(count, "benchmark")) \(same == 1 ? "runs" : "run")"
    let all = count == 1 ? "The benchmark runs" : "All \(Format.integer(count)) benchmarks run"
    let subject = count > same ? some : all
    return "\(subject) the same code in both builds, so \(same == 1 ? "it was" : "they were") not measured."
  }

  /// The number of benchmarks by verdict: `2 regressed, 1 improved, 36 unchanged, 4 not measured`. Each benchmark
  /// counts once, by its most serious verdict. Nil if there is nothing to count.
  package var counts: String? {
    guard method.source != .identicalPrograms, !rows.isEmpty || !failures.isEmpty else { return nil }
    let failed = Set(failures.map(\.id))
    let ofRows = rows.grouped(by: \.id).filter { !failed.contains($0.key) }.map { Self.standing($0.rows) }
    let order = ["failed"] + Self.standings.map(\.words) + ["unchanged", "not measured"]
    let standings = Dictionary(grouping: ofRows + failed.map { _ in "failed" }) { $0 }
    let counts = order.compactMap { word in standings[word].map { "\(Format.integer($0.count)) \(word)" } }
    return "Of \(Format.plural(allIDs.count, "benchmark")): \(counts.joined(separator: ", "))."
  }

  /// The possible verdicts on a benchmark, the most serious first, each with the condition that one of the benchmark's
  /// rows must meet.
  private static let standings: [(words: String, isOne: @Sendable (ComparisonRow) -> Bool)] = [
    (ChangeVerdict.behaviorChanged.words, { $0.verdict == .behaviorChanged }),
    ("missing", { $0.isLost && $0.metric == .checksum }), ("regressed", { $0.verdict == .regressed }),
    ("with lost figures", { $0.isLost }), ("improved", { $0.verdict == .improved }), ("new", { $0.isNewBenchmark }),
    ("inconclusive", { $0.verdict == .inconclusive && $0.isMean }),
    (ChangeVerdict.notJudged.words, { $0.verdict == .notJudged && ($0.isJudged || $0.metric.isTimed) }),
  ]

  private static func standing(_ rows: [ComparisonRow]) -> String {
    standings.first { rows.contains(where: $0.isOne) }?.words
      ?? (rows.allSatisfy(\.isUnmeasured) ? "not measured" : "unchanged")
  }

  package var uncertainty: String? {
    let times = rows.filter { $0.verdict == .inconclusive && $0.isMean }
    guard !times.isEmpty else { return nil }
    let instructions = InstructionVerdicts(self)
    let same = times.count { instructions.areSame($0) == true }
    guard times.count > 1 else {
      let explained = same > 0 ? "; it takes \(Words.sameInstructions)" : ""
      let name = "\(times[0].figureText) of \(times[0].id)"
      return "1 time is inconclusive: it is not certain whether \(name) changed\(explained)."
    }
    let explained =
      same > 0 ? "; \(same == times.count ? "all" : Format.integer(same)) of them take \(Words.sameInstructions)" : ""
    return "\(Format.integer(times.count)) times are inconclusive: it is not certain whether they changed\(explained)."
  }

  private var unjudged: String? {
    let times = unjudgedTimes
    guard let most = times.max(by: { abs($0.change ?? 0) < abs($1.change ?? 0) }) else { return nil }
    let difference = most.change.flatMap { change in
      change == 0 ? nil : "; the largest difference is \(Words.signed(change))% in \(most.id) \(most.figureText)"
    }
    return "\(Format.plural(times.count, "time")) \(times.count == 1 ? "is" : "are") not judged\(difference ?? "")."
  }

  /// A sentence on counts and other exact figures that were not judged because two runs of one build differ in them.
  /// Nil if there are none.
  private var disagreement: String? {
    let count = rows.count { $0.verdict == .notJudged && $0.isJudged && !$0.metric.isTimed }
    guard count > 0 else { return nil }
    let subject = count == 1 ? "1 exact figure is" : "\(Format.integer(count)) exact figures are"
    return "\(subject) not judged, since two runs of one build differ in \(count == 1 ? "it" : "them")."
  }

  /// Returns words on how many frames of a benchmark miss the display's budget in each build, and by how much. Nil if
  /// no frame misses it. The frame times are those of the charts, scaled so that the baseline has its measured mean.
  package func missedFrames(of id: BenchmarkID) -> String? {
    let mean = rows.first { $0.id == id && $0.isMeanFrame }?.baseline?.number
    guard let mean, let scroll = scrolls?.first(where: { $0.id == id }) else { return nil }
    let budget = options.frameBudget
    let known = zip(scroll.baseline, scroll.candidate).compactMap { old, new in
      old.flatMap { old in new.map { (old, $0) } }
    }
    let scale = mean * Double(known.count) / max(known.reduce(0) { $0 + $1.0 }, 1)
    let builds = [known.map { $0.0 * scale }, known.map { $0.1 * scale }]
    let missed = builds.map(budget.missedCount)
    guard missed != [0, 0] else { return nil }
    let hitches = builds.map { Format.significant(budget.hitchTimeRatio(in: $0) ?? 0) }
    return "\(missed[0] == missed[1] ? "\(missed[0])" : "\(missed[0]) → \(missed[1])") of"
      + " \(Format.plural(known.count, "frame")) over the budget of \(TimeUnit.text(budget.budgetNanoseconds)),"
      + " hitches \(hitches[0] == hitches[1] ? hitches[0] : "\(hitches[0]) → \(hitches[1])") ms/s"
  }

  /// The warnings as reasons for uncertainty. A warning about several benchmarks appears only once.
  package var doubts: [RichText] {
    warnings.grouped(by: \.message).map { message, warnings in
      let ids = warnings.compactMap(\.benchmark)
      return ids.isEmpty ? "\(message)" : "\(ids.map { "\(code: $0)" }.list()): \(message)"
    }
  }
}

extension RuleChange {
  /// The change of the rule in a sentence without a full stop.
  package var sentence: String {
    "\(scenario): \(rule) \(baseline) in the baseline, \(candidate) in the candidate; "
      + (isHeld ? "the baseline's holds" : "each build has its own")
  }

  package var line: String { "\(Words.ruleChanged): \(sentence)" }
}

extension ComparisonFinding {
  package var words: String { isNew ? "new" : verdict.words }
  package var tone: Tone? { isNew ? nil : verdict == .improved ? .good : .bad }

  private var lead: ComparisonRow { members[0].lead }

  /// The change in a sentence without a full stop, to follow "Regression: ":
  /// `0 → 1,200 allocations in solve of 9 benchmarks`.
  package var sentence: String {
    let subject = subject
    switch cause {
    case .behavior: return [subject, note(lead)].compactMap(\.self).joined(separator: ": ")
    case .presence:
      let state = isNew ? "not in the baseline" : "gone"
      guard !parts.isEmpty else { return "\(subject) \(ids.count == 1 ? "is" : "are") \(state)" }
      return "\(Format.list(parts)) \(parts.count == 1 ? "is" : "are") \(state) in \(subject)"
    case .time:
      let word = Words.pace(isWorse: (lead.change ?? 0) > 0)
      if lead.metric == .rawFrameTime {
        let stalls = (lead.change ?? 0) > 0 ? "frames stall at random" : "fewer frames stall at random"
        return "\(subject) \(ids.count == 1 ? "is" : "are") \(distance) \(word), since \(stalls)"
      }
      if let frames = lead.frames {
        let isOne = frames.count == 1 || frames.strides[0].step > 1
        return "\(frames.words) \(isOne ? "is" : "are") \(distance) \(word) in \(subject)"
      }
      if !lead.isMean {
        return
          "the \(lead.statistic == .max ? "worst" : lead.statistic?.rawValue ?? "") frame is \(distance) \(word) in \(subject)"
      }
      guard let phase = lead.phase else { return "\(subject) \(ids.count == 1 ? "is" : "are") \(distance) \(word)" }
      return "\(phase) is \(distance) \(word) in \(subject)"
    case .allocations, .heap, .setUp, .otherThreads, .counter, .instructions:
      let figure = "\(lead.metric.title) in \(phase.map { "\($0) of " } ?? "")\(subject)"
      let text = noteOnFrames.map { "\(figure): \($0)" } ?? "\(values) \(figure)"
      return text + (timeText.map { ", time \($0)" } ?? "")
    }
  }

  /// The figure that changed, for a column of a table: `allocations in solve`.
  package var what: RichText {
    switch cause {
    case .behavior: "output"
    case .presence: parts.isEmpty ? "the benchmark" : "\(Format.list(parts))"
    case .time: lead.phase.map { "time of \(code: $0)" } ?? (lead.isMean ? "time" : "\(lead.figureText)")
    case .allocations, .heap, .setUp, .otherThreads, .counter, .instructions:
      phase.map { "\(lead.metric.title) in \(code: $0)" } ?? "\(lead.metric.title)"
    }
  }

  package var size: String {
    switch cause {
    case .behavior, .presence: return ""
    case .time:
      guard members.count > 1 else { return "\(values), \(lead.changeText)" }
      return Self.range(members.compactMap(\.lead.change), unit: "%", Words.signed)
    case .allocations, .heap, .setUp, .otherThreads, .counter, .instructions:
      return values + (timeText.map { "; time \($0)" } ?? "")
    }
  }

  /// The values of both builds in the benchmark that changed most: `1.20 ms → 1.50 ms`.
  package var ends: RichText {
    guard cause != .behavior, lead.baseline != nil, lead.candidate != nil else { return "" }
    return "\(lead.baselineText) → \(lead.candidateText)\(members.count > 1 ? " in \(code: lead.id)" as RichText : "")"
  }

  /// The size of the change: `+25.0% (+24.0 to +26.0%)`. For counts of several benchmarks, it is the range of their
  /// changes. If times changed as well, their change follows.
  package var extent: String {
    switch cause {
    case .behavior, .presence: return ""
    case .time: return members.count > 1 ? size : lead.changeText
    case .allocations, .heap, .setUp, .otherThreads, .counter, .instructions:
      let isSame = values == "\(lead.baselineText) → \(lead.candidateText)"
      return [isSame ? nil : values, timeText.map { "time \($0)" }].compactMap(\.self).joined(separator: "; ")
    }
  }

  /// Notes on the benchmark that changed most: in which phases or frames, how many more frames missed their deadline,
  /// and whether both builds execute equally many instructions.
  package func notes(in document: ComparisonDocument) -> [String] {
    let isTime = cause == .time || members.contains { $0.time != nil }
    let missed = isTime ? document.missedFrames(of: lead.id) : nil
    return [note(lead), places, missed, isTime ? instructions(in: document) : nil].compactMap(\.self)
  }

  /// A note names changed frames only if they changed at least this many times as much as the mean of all frames.
  private static let leastExcess = 1.5

  /// The other changed times of the benchmark that changed most, in words. Statistics of all frames come first, then at
  /// most two sets of frames. The main time is left out, because `sentence` mentions it, and so are times of phases.
  private var places: String? {
    let times = members[0].rows.filter { $0.metric.isTimed && $0.phase == nil && $0 != lead && $0 != members[0].time }
    // Frame sets are in the order in which the comparison found them, the most striking first. A frame set is left out
    // if it mostly overlaps an earlier one, or if it changed hardly more than the mean of all frames.
    var places: [FrameSet] = [lead.frames].compactMap(\.self)
    let whole = lead.frames == nil && lead.isMean ? abs(lead.change ?? 0) : 0
    let located = times.filter { row in
      guard let frames = row.frames, abs(row.change ?? 0) >= Self.leastExcess * whole,
        !places.contains(where: frames.sharesMost)
      else { return false }
      places.append(frames)
      return true
    }
    let named = times.filter { $0.frames == nil } + located.prefix(2)
    let names = named.map { row -> String in
      let change = "\(Words.signed(row.change ?? 0))%"
      if let frames = row.frames { return "\(frames.words) \(change)" }
      if row.metric == .rawFrameTime { return "stalls at random \(change)" }
      return "\(row.isMean ? "mean" : row.statistic == .max ? "worst frame" : row.statistic?.rawValue ?? "") \(change)"
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// The benchmark's phases and figures that exist in only one of the builds. At most three are named. Empty if the
  /// whole benchmark exists in only one build.
  private var parts: [String] {
    guard lead.metric != .checksum else { return [] }
    let rows = members[0].rows
    let own = rows.filter { row in row.phase == nil || !rows.contains { $0.metric == row.metric && $0.phase == nil } }
    return own.map { row in row.phase.map { "phase \($0)" } ?? row.metric.title }.unique.shortened(to: 3)
  }

  private var subject: String { ids.count == 1 ? "\(lead.id)" : Format.plural(ids.count, "benchmark") }

  // MARK: Numbers

  /// The values of both builds: `0 → 1 to 1,200`. If the baseline's values differ between the benchmarks, the range of
  /// the differences between the builds: `+1 to +12`.
  private var values: String {
    let pairs = members.map(\.lead).compactMap { row in
      row.baseline?.number.flatMap { old in row.candidate?.number.map { (old: old, new: $0) } }
    }
    guard let first = pairs.first else { return Format.absent }
    let unit = lead.metric.unit
    guard pairs.allSatisfy({ $0.old == first.old }) else {
      let range = Self.range(pairs.map { $0.new - $0.old }) { ($0 > 0 ? "+" : "") + unit.text($0) }
      guard pairs.allSatisfy({ $0.old > 0 }) else { return range }
      return "\(range) (\(Self.range(pairs.map { $0.new / $0.old - 1 }, unit: "%", Words.signed)))"
    }
    let new = pairs.map(\.new)
    return "\(unit.text(first.old, besides: new[0])) → \(Self.range(new) { unit.text($0, besides: first.old) })"
  }

  /// - Parameter unit: The unit, which is written once, after the upper end.
  private static func range(_ values: [Double], unit: String = "", _ text: (Double) -> String) -> String {
    guard let low = values.min(), let high = values.max() else { return Format.absent }
    return [text(low), text(high)].unique.joined(separator: " to ") + unit
  }

  private var timeText: String? {
    let times = members.compactMap(\.time)
    guard !times.isEmpty else { return nil }
    let some = times.count < members.count ? " in \(times.count) of them" : ""
    return Self.range(times.compactMap(\.change), unit: "%", Words.signed) + some
  }

  /// The range of the relative changes, without their sign: `8.00 to 10.0%`.
  private var distance: String {
    let changes = members.compactMap { $0.lead.change.map(abs) }
    return changes.isEmpty ? "" : Self.range(changes, unit: "%") { String(Words.percent($0).dropLast()) }
  }

  // MARK: Notes

  /// Returns the note of a row. It names the benchmark if the notes of the change's benchmarks differ.
  private func note(_ row: ComparisonRow) -> String? {
    row.note.map { note in members.allSatisfy { $0.lead.note == note } ? note : "in \(row.id) \(note)" }
  }

  /// The note of a regression that only single frames show. Nil if the total of all frames became worse, too.
  private var noteOnFrames: String? {
    guard verdict == .regressed, let old = lead.baseline?.number, let new = lead.candidate?.number else { return nil }
    return lead.metric.isWorse(new, than: old) ? nil : note(lead)
  }

  /// A note on times that changed although both builds execute equally many instructions. Nil if there are none.
  private func instructions(in document: ComparisonDocument) -> String? {
    let times = members.compactMap { $0.time ?? ($0.lead.metric.isTimed ? $0.lead : nil) }
    let verdicts = InstructionVerdicts(document)
    let count = times.count { verdicts.areSame($0) == true }
    guard count > 0 else { return nil }
    let some = count == members.count ? "" : "in \(count) of them "
    return some + Words.sameInstructions + ": look at caches, branches, or code that moved"
  }
}

extension [BenchmarkID] {
  /// The first three series (benchmarks that differ only in size), with the sizes of each combined:
  /// `springs/naive/{100,1000,10000} and 6 more`.
  package var shortList: RichText {
    let series = grouped { $0.with(size: 1) }.map(\.rows)
    let names = series.prefix(3).map { ids -> RichText in
      let list = ids.map(\.size).sorted().map(String.init).joined(separator: ",")
      let parts = [ids[0].scenario, ids[0].strategy, ids.count > 1 ? "{\(list)}" : list]
      return .code((parts + ids[0].parameters.map(\.description)).joined(separator: "/"))
    }
    let left = series.dropFirst(3).joined().count
    return (left > 0 ? names + ["\(left) more"] : names).list()
  }
}
