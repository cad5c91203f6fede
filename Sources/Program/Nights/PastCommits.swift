import ArgumentParser
import Builds
import Execution
import Foundation
import HistoryPages
import Judging
import Markup
import Measurements
import Pages
import Platform
import TextFormat

/// The options of `nightly` that choose past commits to measure instead of the working tree.
struct PastCommitOptions: ParsableArguments {
  @Option(
    "Measure these commits into the history, each at its own date, both ends included; without b: up to HEAD.", "a..b")
  var revisions: String?

  @Option(
    """
    Measure the commits between the night at this point and the one before it: a day or a commit, as change points \
    name them.
    """, "point") var around: String?
  @Option(
    "Only n of these commits, evenly spread, both ends included.", "n", OptionValue.wholeNumber(2...100_000, like: 20))
  var steps: Int?
  @Option(
    "Only every nth of these commits, counted from the newest.", "n", OptionValue.wholeNumber(2...100_000, like: 10))
  var every: Int?
  @Flag(help: "Only merges, along first parents.") var merges = false

  /// Returns whether past commits are to be measured.
  /// - Throws: If options contradict each other.
  func check(_ building: BuildOptions) throws(UsageError) -> Bool {
    guard revisions != nil || around != nil else {
      try refuse(given, because: "no past commits were chosen", remedy: "add --revisions v1..main")
      return false
    }
    for pair in [["--revisions", "--around"], ["--steps", "--every"]] where pair.allSatisfy(given.contains) {
      throw UsageError(pair.joined(separator: ", "), "both were given", remedy: "choose one")
    }
    try refuse(
      building.program.isEmpty ? [] : ["--program"], because: "past commits are built from their sources",
      remedy: "leave it and SPRINGBENCH_PROGRAM out")
    return true
  }

  /// Returns all commits that the options name, oldest first. With `--around`, they include the commits of both nights.
  fileprivate func range(_ git: Git, _ nights: [Night]) async throws -> [CommitRange.Commit] {
    if let revisions {
      let ends = revisions.components(separatedBy: "..")
      guard ends.count == 2, !ends[0].isEmpty, !ends[1].hasPrefix(".") else {
        throw UsageError("--revisions", "\"\(revisions)\" is not a range of commits", remedy: "give one as in v1..main")
      }
      let range = try await CommitRange.between(ends[0], ends[1].isEmpty ? "HEAD" : ends[1], git, flag: "--revisions")
      return [range.good] + range.commits
    }
    let (good, bad) = try gap(nights)
    let range = try await CommitRange.between(good, bad, git, flag: "--around")
    return [range.good] + range.commits
  }

  /// Returns two commits. `bad` is the commit of the last night whose day or commit `--around` names. `good` is the
  /// commit of the night before the first such night, leaving out nights without a commit.
  private func gap(_ nights: [Night]) throws(UsageError) -> (good: String, bad: String) {
    let point = around ?? ""
    let isCommit = (7...40).contains(point.count) && point.allSatisfy(\.isHexDigit)
    let found = nights.indices.filter {
      isCommit ? nights[$0].commit?.hasPrefix(point.lowercased()) ?? false : nights[$0].day == point
    }
    guard let first = found.first, let last = found.last else {
      throw UsageError(
        "--around", "the history has no night of \"\(point)\"",
        remedy: "give a day or at least seven digits of a commit; springbench history names those of change points")
    }
    guard let bad = nights[last].commit, let good = nights[..<first].compactMap(\.commit).last else {
      throw UsageError("--around", "there is no night with a commit before \"\(point)\"", remedy: "give a later point")
    }
    return (good, bad)
  }

  /// Returns the commits of the range that are to be measured, oldest first.
  fileprivate func chosen(of range: [CommitRange.Commit]) -> [CommitRange.Commit] {
    let open = around == nil ? range : Array(range.dropFirst().dropLast())
    let commits = open.filter { $0.isMerge || !merges }
    if let steps, steps < commits.count {
      return (0..<steps).map { commits[($0 * (commits.count - 1) + (steps - 1) / 2) / (steps - 1)] }
    }
    return commits.indices.filter { (commits.count - 1 - $0) % (every ?? 1) == 0 }.map { commits[$0] }
  }
}

extension NightlyCommand {
  private enum Outcome: Sendable {
    case measured(RunDocument)
    /// The history has this commit already.
    case known(suite: String)
    case skipped(String)
  }

  /// Measures the chosen commits that the history lacks. The newest commits come first, because these are the most
  /// useful. Each commit is written to the history as soon as it is measured.
  /// - Returns: The history, the suite (nil if all commits were skipped), and for each chosen commit in the history,
  ///   the start of its night in Unix seconds, by hash.
  private func measurePast(_ building: BuildOptions, _ folder: HistoryFolder, _ context: CommandContext) async throws
    -> (content: HistoryFolder.Content, suite: String?, times: [String: Int])
  {
    let builder = try await building.builder(console: context.console)
    let git = Git(folder: builder.location.repository)
    var content = try folder.load()
    for problem in content.problems { context.console.warn(problem) }
    let range = try await past.range(git, content.entries.map(\.night).filter { comparing.isOwn($0) })
    let chosen = past.chosen(of: range)
    // Shards divide the commits instead of the benchmarks, so that each commit is one night of one machine.
    let shard = selection.shard
    let own = chosen.reversed().enumerated().filter { place, _ in shard.map { place % $0.count == $0.index - 1 } ?? true
    }.map(\.element)
    var whole = self
    whole.selection.shard = nil
    var suite: String?
    var counts = (measured: 0, known: 0, skipped: 0)
    for (number, commit) in own.enumerated() {
      let known = Self.known(content)
      let name = "\(commit.shortHash) \(commit.date) \(commit.subject)"
      let outcome = try await Interruption.cancelling(
        saying: "interrupted; the history has \(counts.measured) more commits, and the same command continues"
      ) { [whole, suite, suites = content.suites] in
        if let suite, known[suite]?[commit.hash] != nil { return Outcome.known(suite: suite) }
        context.console.tell("\(number + 1) of \(own.count): \(name)")
        return try await whole.measure(commit, building, builder, known, suites, isFirst: suite == nil, context)
      }
      switch outcome {
      case .known(let name): (suite, counts.known) = (name, counts.known + 1)
      case .skipped(let reason):
        counts.skipped += 1
        context.console.warn("skipped \(name): \(reason)")
      case .measured(let document):
        (suite, counts.measured) = (document.suite, counts.measured + 1)
        let times = Self.times(of: range, known: known[document.suite] ?? [:], now: Int(Date().timeIntervalSince1970))
        content = try await Self.append(document, at: times[commit.hash] ?? commit.time, in: folder)
      }
    }
    // Other machines may have measured their shards of the commits at the same time.
    content = try folder.load()
    let known = suite.flatMap { Self.known(content)[$0] } ?? [:]
    context.console.tell(
      "\(Format.plural(own.count, "commit")): \(counts.measured) measured, \(counts.known) in the history already,"
        + " \(counts.skipped) skipped")
    return (content, suite, known.filter { hash, _ in chosen.contains { $0.hash == hash } })
  }

  private func measure(
    _ commit: CommitRange.Commit, _ building: BuildOptions, _ builder: RevisionBuilder,
    _ known: [String: [String: Int]], _ suites: [String], isFirst: Bool, _ context: CommandContext
  ) async throws -> Outcome {
    do {
      let builds = try await builder.executables(for: .revision(commit.hash))
      guard !builds.isEmpty else { return .skipped("it has no benchmarks") }
      var catalogue = try await Catalogue(of: builds.map(\.url.path))
      catalogue.builds = builds
      var suite = comparing.suite(catalogue.name)
      if building.product == nil { suite = HistoryFolder.name(of: suite, among: suites) }
      guard known[suite]?[commit.hash] == nil else { return .known(suite: suite) }
      let plan = try await RunPlan(
        self, building, catalogue, context, layouts: MeasuringOptions.nightlyLayoutCount, of: .revision(commit.hash))
      var document = try await plan.measure(context)
      document.suite = suite
      context.console.report(document.failures)
      return document.benchmarks.isEmpty ? .skipped("nothing could be measured") : .measured(document)
      // A past commit that cannot be built or measured is skipped. A usage error in any but the first commit is no
      // mistake of the user: an older commit may lack the selected benchmarks.
    } catch  where BisectSearch.isFault(error, of: commit.hash) || error is UsageError && !isFirst {
      return .skipped("\(error)")
    }
  }

  /// Returns the start times of the nights that measured a commit without uncommitted changes, in Unix seconds, by
  /// suite and commit.
  private static func known(_ content: HistoryFolder.Content) -> [String: [String: Int]] {
    content.entries.map(\.night).reduce(into: [:]) { known, night in
      guard let commit = night.commit, night.environment.isDirty != true else { return }
      known[night.suite, default: [:]][commit] = UTCTime(iso8601: night.startedAt)?.unixSeconds ?? 0
    }
  }

  /// Returns the dates that commits get as nights of the history, in Unix seconds, by hash. These are the commits' own
  /// dates. If clocks disagreed, they are moved so that the nights are in the order of the commits.
  static func times(of range: [CommitRange.Commit], known: [String: Int], now: Int) -> [String: Int] {
    var times = range.map { known[$0.hash] ?? min($0.time, now) }
    let free = range.indices.filter { known[range[$0].hash] == nil }
    for index in free.dropFirst(free.first == 0 ? 1 : 0) { times[index] = max(times[index], times[index - 1] + 1) }
    for index in free.reversed() {
      times[index] = min(times[index], index + 1 < times.count ? times[index + 1] - 1 : now)
    }
    return Dictionary(zip(range.map(\.hash), times)) { first, _ in first }
  }

  private static func append(_ document: RunDocument, at time: Int, in folder: HistoryFolder) async throws
    -> HistoryFolder.Content
  {
    var night = Night(document)
    night.measuredAt = night.startedAt
    night.startedAt = Date(timeIntervalSince1970: Double(time)).iso8601
    let writing = try await HistoryFolder.lock(folder.root)
    defer { withExtendedLifetime(writing) {} }
    try folder.prepare()
    let content = try folder.load()
    var analysis = HistoryAnalysis(content.nights(of: document.suite) + [night])
    if let place = analysis.nights.firstIndex(where: { $0.commit == night.commit }) {
      analysis.announce(by: place)
      (night.announced, night.withdrawn) = (analysis.nights[place].announced, analysis.nights[place].withdrawn)
    }
    let extended = content.adding(try folder.append(night))
    try folder.refreshIndex(extended)
    return extended
  }

  /// Measures past commits, then writes the pages and the change points among these commits.
  func runPast(_ building: BuildOptions, root: String, _ site: SiteFolder, _ context: CommandContext) async throws
    -> ExitStatus
  {
    try selection.check()
    let folder = HistoryFolder(root: root, machine: try MachineName.resolve(flag: results.machine, context))
    let member = try MachineName.member(flag: results.machine, context)
    let measuring = try await folder.lockForMeasuring(member, context.console)
    defer { withExtendedLifetime(measuring) {} }
    let (content, suite, times) = try await measurePast(building, folder, context)
    let writing = try await HistoryFolder.lock(root)
    defer { withExtendedLifetime(writing) {} }
    guard let suite, let first = times.values.min(), let last = times.values.max() else {
      throw RunError("none of the commits could be measured; the history is as it was")
    }
    let analysis = HistoryAnalysis(content.nights(of: suite))
    let seconds = analysis.nights.map { UTCTime(iso8601: $0.startedAt)?.unixSeconds ?? 0 }
    // A change point between the newest commit and the night after it is included, too.
    let findings = analysis.trends.flatMap(\.findings).filter { finding in
      let (nights, position) = (finding.trend.nights, finding.shift.position)
      return seconds[nights[position]] >= first && seconds[nights[position - 1]] <= last
    }
    if json {
      try context.console.write(NightEvent.json(findings, analysis))
    } else {
      let git = Git(folder: try await building.builder(console: context.console).location.repository)
      var subjects: [String: String] = [:]
      for case let (good, bad)? in findings.map(analysis.commitRange) where subjects[bad] == nil {
        subjects[bad] = try await git.changeText(good, bad)
      }
      let blocks = analysis.tables(of: findings, name: { .code($0.trend.id.description) }) { subjects[$0] }
      try context.console.write(
        findings.isEmpty
          ? "No change points among these commits.\n"
          : Terminal(width: context.console.outputWidth, usesColor: context.usesColor).render(blocks))
    }
    for problem in try site.write(root: root) { context.console.warn(problem) }
    if !json { try context.console.write(oneLine("\(site.path)/index.html") + "\n") }
    return .success
  }
}

extension Git {
  /// Describes the commit of a change point. If there are several commits, gives their number and the command that
  /// measures them. Nil if the repository lacks the commits.
  fileprivate func changeText(_ good: String, _ bad: String) async throws -> String? {
    for commit in [good, bad] { guard try await knowsCommit(commit) else { return nil } }
    let duty = "read the commits from \(good) to \(bad)"
    let count = try await commitCount(from: good, to: bad, alongFirstParents: true)
    guard count > 0 else { return nil }
    let subject = try await output(["show", "--no-patch", "--no-show-signature", "--format=%s", bad], to: duty)
    if count == 1 { return "commit \(bad.prefix(10)) \(oneLine(subject))" }
    return "\(count) commits up to \(bad.prefix(10)) (--around \(bad.prefix(10)) measures them)"
  }
}
