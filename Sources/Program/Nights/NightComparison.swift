import ArgumentParser
import Builds
import Execution
import Foundation
import FrameBench
import Judging
import Measurements
import Pages
import Platform
import TextFormat

/// The options of `nightly` for comparing the night's commit with an earlier one.
struct NightComparisonOptions: ParsableArguments {
  @Option("Compare with this revision (default: the commit of the last night that was judged).", "rev") var since:
    String?
  @Option(
    "Ignore changes of a time within ± this: 1%, 0.3%, 0% (default: the scenario's own, or 1%).", "percent",
    OptionValue.percentage) var tolerance: Double?
  @Option(
    "About how long to compare each benchmark, confirmation included (default: 5).", "s",
    OptionValue.seconds(1...3_600, like: 5)) var seconds: Double?
  @Option("Keep these nights apart, as those of the branch of this name.", "name") var branch: String?
  @Option(
    "Search for the commits behind at most n changes for the worse (default: all that there is time for; 0: none).",
    "n", OptionValue.wholeNumber(0...100, like: 3)) var bisect: Int?
  @Option(
    "Minutes after which these searches begin with no further commit (default: 15).", "min",
    OptionValue.wholeNumber(1...1_440, like: 15)) var bisectMinutes: Int?
  @Option(
    "Compare with an older commit, too, every n nights of changed code (default: 10).", "n",
    OptionValue.wholeNumber(2...1_000, like: 10)) var anchor: Int?

  /// Returns the name of the suite in the history. It includes the branch that `--branch` names.
  func suite(_ name: String) -> String { branch.map { "\(name)@\(oneLine($0))" } ?? name }

  /// Whether a night belongs to this branch.
  func isOwn(_ night: Night) -> Bool {
    HistoryFolder.parts(night.suite).branch == HistoryFolder.parts(suite("")).branch
  }

  /// Checks the revision that `--since` names, so that a typo is found before anything is measured.
  func check(_ building: BuildOptions, _ context: CommandContext) async throws {
    guard let since else { return }
    try refuse(
      building.program.isEmpty ? [] : ["--since"], because: "programs that are given by their paths are not compared",
      remedy: "leave it and --program out")
    _ = try await Git(folder: building.builder(console: context.console).location.repository).state(of: since)
  }
}

/// Compares a night's commit with an earlier one, and searches for the commits that changed a figure.
struct NightComparison: Sendable {
  /// How many earlier nights are searched for a commit to compare with, and for the last anchor (see `anchor`).
  static let consideredNights = 100
  /// After this many commits that do not build, no older ones are tried, because this toolchain is unlikely to build
  /// them.
  private static let mostFailedBuilds = 3
  /// How many commits are examined to find the nearest ancestor. More are examined for benchmarks that none of these
  /// judged.
  private static let examinedCommits = 20

  let command: NightlyCommand
  let building: BuildOptions
  let context: CommandContext
  private(set) var night: Night
  /// The comparison with all its rows. Nil if nothing was compared.
  private(set) var document: ComparisonDocument?
  /// The comparisons that `document` joins: one for each commit with which benchmarks were compared.
  private var parts: [ComparisonDocument] = []
  /// The changes for which the causing commits are not found yet. After the deadline, no search begins with another
  /// commit.
  private var suspects: [(figure: ComparedFigure, id: BenchmarkID)] = []
  private var deadline: ContinuousClock.Instant?
  /// Whether the commits that caused some of the `suspects` are still to be found, so that the step `searching` must run
  /// again.
  var isSearching: Bool { !suspects.isEmpty }

  init(of night: Night, _ command: NightlyCommand, _ building: BuildOptions, _ context: CommandContext) {
    (self.night, self.command, self.building, self.context) = (night, command, building, context)
  }

  private var options: NightComparisonOptions { command.comparing }

  private mutating func remark(_ sentence: String) { night.remarks = (night.remarks ?? []) + [oneLine(sentence)] }

  /// Performs one step. An error becomes a remark of the night.
  /// - Parameter nights: Earlier nights of the suite, oldest first.
  /// - Throws: Only `CancellationError`.
  mutating func run(_ step: Step, after nights: [Night]) async throws {
    do {
      switch step {
      case .comparing: try await compare(after: nights)
      case .searching: try await findCulprit()
      case .anchoring: try await anchor(after: nights)
      }
    } catch let error as CancellationError { throw error } catch { stop(step, "\(error)") }
  }

  /// The steps, in their order. The result of a step is kept even if a later step fails.
  enum Step: CaseIterable { case comparing, searching, anchoring }

  mutating func stop(_ step: Step, _ reason: String) {
    switch step {
    case .comparing:
      remark("Not compared: \(reason).")
      // The next night then compares with an earlier night, so its comparison includes this night's commits.
      night.isJudged = false
    case .searching:
      remark("Not searched further for commits: \(reason).")
      for (figure, id) in suspects.filter({ $0.figure.isNameable }).prefix(3) {
        guard let base = part(of: id)?.baseline.commit, let head = night.commit else { continue }
        let words = ["springbench", "bisect", "\(id)", "--good", base, "--bad", head, "--metric", "\(figure)"]
        remark("To go on: \(ShellWord.quoted(words))")
      }
      suspects = []
    case .anchoring: remark("Not compared with an older commit, which would have anchored the curves: \(reason).")
    }
  }

  // MARK: - What to compare with

  private struct Base {
    var hash: String
    /// The name for readers, as in `the night of 2026-11-20`.
    var name: String
    /// The benchmarks to compare with this commit.
    var ids: Set<BenchmarkID>
  }

  /// Chooses the commits to compare with. With `--since`, this is only the named revision. Otherwise each benchmark is
  /// compared with the nearest ancestor of `head` that can be built and in whose night the benchmark got a verdict.
  /// - Returns: The commits, the nearest first, and a sentence that explains the choice to a reader. One of the commits
  ///   is `head` if a night judged `head` itself.
  private func choice(for head: String, _ nights: [Night], _ builder: RevisionBuilder, _ git: Git) async throws -> (
    [Base], String?
  ) {
    let all = night.comparedIDs
    if let since = options.since {
      let hash = try await git.state(of: since).checkout
      return (
        [Base(hash: hash, name: since, ids: all)], try await unjudged(until: hash, named: since, head, nights, git)
      )
    }
    var judged = nights.bases(for: all)
    if judged.isEmpty {
      // If a commit renamed all benchmarks, those of the last night are missing since then.
      judged = nights.bases(for: nights.reduce(into: []) { $0.formUnion($1.judgedIDs) }).map { ($0.night, all) }
    }
    func unjudgedChoice(because problem: String) async throws -> ([Base], String?)? {
      guard let base = try await unjudgedBase(nights, head, all, builder, git) else { return nil }
      return ([base], "\(problem), so no night judges what changed before \(base.name).")
    }
    guard !judged.isEmpty else {
      return try await unjudgedChoice(because: "No earlier night was judged") ?? (
        [], "No earlier night has a commit to compare with."
      )
    }
    let known = judged.reduce(into: Set<BenchmarkID>()) { $0.formUnion($1.ids) }
    var (problem, found): (String?, Set<BenchmarkID>) = (nil, [])
    var (ancestors, failureCount) = ([(base: Base, distance: Int)](), 0)
    for (index, (night, ids)) in judged.enumerated() {
      // Git is asked three times for each commit, which takes long in a history of years.
      if index >= Self.examinedCommits, found == known { break }
      let base = Base(hash: night.commit ?? "", name: "the night of \(night.day)", ids: ids)
      if try await git.knowsAncestor(base.hash, of: head) {
        ancestors.append((base, try await git.commitCount(from: base.hash, to: head)))
        found.formUnion(ids)
        continue
      }
      guard problem == nil, ancestors.isEmpty else { continue }
      let isKnown = try await git.knowsCommit(base.hash)
      let name = "Commit \(base.hash.prefix(7)) of \(base.name)"
      let reason =
        try await git.isShallow()
        ? Git.deepening : isKnown ? "it is of another branch, or the branch was rewritten" : "was the branch rewritten?"
      problem =
        isKnown ? "\(name) does not lead to this one: \(reason)" : "\(name) is not in this repository (\(reason))"
    }
    var (bases, open) = ([Base](), all)
    for var base in ancestors.sorted(by: { $0.distance < $1.distance }).map(\.base)
    where failureCount < Self.mostFailedBuilds {
      base.ids.formIntersection(open)
      guard !base.ids.isEmpty else { continue }
      if base.hash != head, let failure = try await failure(of: base, builder) {
        problem = problem ?? failure
        failureCount += 1
        continue
      }
      bases.append(base)
      open.subtract(base.ids)
    }
    if bases.isEmpty {
      let problem = problem ?? "No commit of an earlier night is of use"
      // A shallow clone lacks commits. Once it is deepened, no commit is left out.
      let isShallow = try await git.isShallow()
      if failureCount > 0 || !isShallow, let choice = try await unjudgedChoice(because: problem) { return choice }
      // The error makes this night count as not judged, so a later night covers its commits, or says that none does.
      throw RunError(isShallow ? problem : "\(problem); --since REV compares with another commit")
    }
    // Some benchmarks were never judged. Others were judged only in nights whose commits are of no use. Both are compared
    // with the nearest commit.
    let (nearest, lost) = (bases[0], open.intersection(known))
    bases[0].ids.formUnion(open)
    var sentences: [String] = []
    if bases.allSatisfy({ $0.hash == head }) {
      let end = night.environment.isDirty == true ? "" : ": the code is the same"
      sentences = ["No new commit since \(bases[0].name)\(end)."]
    }
    if !lost.isEmpty {
      let names = Format.list(lost.map(\.description).sorted())
      let reason = problem ?? "The last commit that judged them does not lead to this one"
      let end = nearest.hash == head ? "not compared" : "compared with \(nearest.name) instead"
      sentences.append("\(reason); \(end): \(names).")
    } else if let problem, let other = bases.first(where: { $0.hash != head }) {
      sentences = ["\(problem); compared with \(other.name) instead."]
    }
    return (bases, sentences.joined(separator: " ").unlessEmpty)
  }

  /// Returns the newest commit of a night that was not judged. It is compared with if no night that was judged is of
  /// use, so that what comes after it is judged. Nil if none can be built.
  private func unjudgedBase(
    _ nights: [Night], _ head: String, _ ids: Set<BenchmarkID>, _ builder: RevisionBuilder, _ git: Git
  ) async throws -> Base? {
    for night in nights.reversed().filter({ $0.isJudged == false }).prefix(Self.mostFailedBuilds) {
      guard let hash = night.commit, try await git.knowsAncestor(hash, of: head) else { continue }
      let base = Base(hash: hash, name: "the night of \(night.day)", ids: ids)
      if hash == head { return base }
      if try await failure(of: base, builder) == nil { return base }
    }
    return nil
  }

  /// Returns a sentence on the commits between the last night and the commit that `--since` names, because no night
  /// judges them. Nil if there are none.
  private func unjudged(until hash: String, named since: String, _ head: String, _ nights: [Night], _ git: Git)
    async throws -> String?
  {
    for (night, _) in nights.bases(for: night.comparedIDs).prefix(Self.examinedCommits) {
      guard let commit = night.commit, try await git.knowsAncestor(commit, of: head) else { continue }
      guard commit != hash, try await git.isAncestor(commit, of: hash) else { return nil }
      let count = try await git.commitCount(from: commit, to: hash)
      return "No night judges what changed between the night of \(night.day) (\(commit.prefix(7))) and \(since)"
        + " (\(Format.plural(count, "commit")))."
    }
    return nil
  }

  /// Builds a commit and asks its programs for their benchmarks, because an earlier program may no longer start, for
  /// example after an upgrade of the system. Returns the reason if nothing can be compared with it, otherwise nil.
  private func failure(of base: Base, _ builder: RevisionBuilder) async throws -> String? {
    let name = "Commit \(base.hash.prefix(7)) of \(base.name)"
    do {
      let builds = try await builder.executables(for: .revision(base.hash))
      defer { withExtendedLifetime(builds) {} }
      guard !builds.isEmpty else { return "\(name) has no benchmarks in this package" }
      _ = try await Catalogue(of: builds.map(\.url.path))
      return nil
    } catch  where BisectSearch.isFault(error, of: base.hash) {
      return "\(name) cannot be \(error is RunError ? "run" : "built") (\(error))"
    }
  }

  // MARK: - Comparing

  private var comparison: RevisionComparison {
    var comparison = command.comparison(context)
    comparison.tolerance = options.tolerance
    if let seconds = options.seconds { comparison.seconds = seconds }
    return comparison
  }

  private mutating func compare(after nights: [Night]) async throws {
    guard building.program.isEmpty else {
      // The next night then compares with an earlier night, because the commit of the checkout was not judged.
      night.hasGivenPrograms = true
      return remark("Not compared: programs that are given by their paths belong to no commit.")
    }
    guard let head = night.commit else {
      let reason = "there is no commit here"
      if nights.contains(where: { $0.commit != nil }) { throw RunError(reason) }
      return remark("Not compared: \(reason).")
    }
    let builder = try await building.builder(console: context.console)
    let git = Git(folder: builder.location.repository)
    let (bases, sentence) = try await choice(for: head, nights, builder, git)
    if let sentence { remark(sentence) }
    if night.environment.isDirty == true {
      remark("Changes that are not committed are in the figures and not in the comparison.")
    }
    let compared = bases.filter { $0.hash != head || options.since != nil }
    guard let main = compared.first else { return }
    var parts: [ComparisonDocument] = []
    for base in compared {
      var comparison = comparison
      // Benchmarks that tonight lacks are missing since the nearest commit.
      if base.hash == bases[0].hash {
        comparison.except = bases.dropFirst().reduce(into: []) { $0.formUnion($1.ids) }
      } else {
        comparison.only = base.ids
      }
      comparison.profileFolder = try ProfileFolders.place([], below: command.results, command: "nightly", context)
      var part = try await comparison.compare(base.hash, with: .revision(head), building: building)
      (part.baseline.name, part.candidate.name) = (base.name, "the night of \(night.day)")
      parts.append(part)
    }
    var document = parts.count == 1 ? parts[0] : ComparisonDocument(joining: parts)
    document.baseline = parts[0].baseline
    let count = try await git.commitCount(from: main.hash, to: head, alongFirstParents: true)
    self.document = document
    self.parts = parts
    let others = bases.filter { $0.hash != main.hash }.flatMap { base in base.ids.map { ($0, base.hash) } }
    night.add(document, bases: Dictionary(uniqueKeysWithValues: others))
    night.commitCount = count
    for base in compared where base.hash != main.hash {
      let ids = base.ids.map(\.description).sorted()
      remark(
        "\(Format.plural(ids.count, "benchmark")) \(ids.count == 1 ? "was" : "were") compared with \(base.name)"
          + " (\(base.hash.prefix(7))), the last that judged \(ids.count == 1 ? "it" : "them"): \(Format.list(ids)).")
    }
    let failing = [newFailure(after: nights)].compactMap(\.self).map { (figure: ComparedFigure.failure, id: $0) }
    let changed = Self.worse(document.changes).map(\.members[0].lead).map { (figure: ComparedFigure($0), id: $0.id) }
    suspects = Array((failing + changed).prefix(options.bisect ?? .max))
  }

  /// The changes for the worse, in the order in which their commits are searched for: first the worst of each kind, then
  /// the others, because two changes of one kind may have different commits.
  static func worse(_ changes: [ComparisonFinding]) -> [ComparisonFinding] {
    let worse = changes.filter { $0.tone == .bad }
    return (worse.unique(by: \.cause) + worse).unique
  }

  // MARK: - The commits behind changes

  /// Searches for the commits behind a single change, so that an interruption loses only the search that is under way.
  private mutating func findCulprit() async throws {
    guard let (figure, id) = suspects.first, let head = night.commit else { return }
    let deadline = deadline ?? ContinuousClock.now + .seconds(60 * (options.bisectMinutes ?? 15))
    self.deadline = deadline
    if night.culprits != nil, deadline < .now {
      remark("No time was left to search for the commits behind \(Format.plural(suspects.count, "other change")).")
      suspects = []
      return
    }
    suspects.removeFirst()
    guard let part = part(of: id), let base = part.baseline.commit else { return }
    do {
      let git = Git(folder: try await building.builder(console: context.console).location.repository)
      let range = try await CommitRange.between(base, head, git, flag: part.baseline.name)
      if let culprit = try await culprit(figure, id, in: part, range, deadline) {
        night.culprits = (night.culprits ?? []) + [culprit]
      }
    } catch let error as CancellationError { throw error } catch {
      remark("No commit is named for \(id) \(figure): \(error).")
    }
  }

  /// The comparison of a benchmark with its own earlier commit.
  private func part(of id: BenchmarkID) -> ComparisonDocument? { parts.first { $0.allIDs.contains(id) } }

  /// The first benchmark that fails in tonight's commit and did not fail in the last night that had it. A failure is not
  /// searched for again in the nights after that.
  private func newFailure(after nights: [Night]) -> BenchmarkID? {
    parts.lazy.flatMap { part in
      part.failures.filter { $0.build == .candidate }.map(\.id).filter { id in
        let last = nights.last { $0.allIDs.contains(id) }
        let failed = (last?.failures ?? []) + (last?.comparison?.failures.filter { $0.build == .candidate } ?? [])
        return options.since != nil
          || !failed.contains { $0.id == id } && nights.bases(for: [id]).first?.night.commit == part.baseline.commit
      }
    }.first
  }

  private mutating func culprit(
    _ figure: ComparedFigure, _ id: BenchmarkID, in document: ComparisonDocument, _ range: CommitRange,
    _ deadline: ContinuousClock.Instant
  ) async throws -> Night.Culprit? {
    var culprit = Night.Culprit(
      id: id, figure: "\(figure)", commits: range.commits.map { Night.Commit(hash: $0.hash, subject: $0.subject) },
      confidence: 1)
    guard range.commits.count > 1 else { return culprit }
    var comparison = comparison
    comparison.selection = try .only(id)
    var own = document
    own.rows.removeAll { $0.id != id }
    own.failures.removeAll { $0.id != id }
    let search = BisectSearch(id: id, range: range, building: building, comparison: comparison, deadline: deadline)
    let result = try await search.result(figure, whole: own)
    // A commit that does not show the change when it is compared with the one before it is not blamed.
    guard let finding = result.finding, result.verificationDoubt ?? 0 < 0.5 else {
      remark("No commit is named for \(id) \(figure): measured again, the change was not confirmed.")
      return nil
    }
    culprit.commits = finding.candidates.map { culprit.commits[$0] }
    culprit.confidence = result.confidenceSoFar
    return culprit
  }

  // MARK: - Anchoring

  /// Also compares with an older commit, the anchor. The history multiplies the ratios of successive nights, and the
  /// error of the product grows from night to night. A night gets an anchor if enough nights with changed code have
  /// passed since the last anchor, or if the interval of a product has grown wide.
  private mutating func anchor(after nights: [Night]) async throws {
    guard let document, let place = CodeHistory(nights).nextAnchor(after: options.anchor ?? 10),
      let commit = nights[place].commit, let head = night.commit, commit != document.baseline.commit
    else { return }
    // The attempt is recorded even if it fails, so that the next attempt is as many nights away as usual.
    night.anchor = commit
    let older = try await comparison.compare(commit, with: .revision(head), building: building)
    night.add(anchor: commit, older.ratios)
  }
}
