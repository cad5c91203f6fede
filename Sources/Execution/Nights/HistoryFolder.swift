import Foundation
import HistoryPages
import Judging
import Measurements
import Platform
import SystemPackage
import TextFormat

/// The history of one machine, `results/history/<machine>/`. It contains one document per night, which is never
/// changed. docs/history-method.md describes the documents.
package struct HistoryFolder {
  package var root: String
  package var machine: String

  package init(root: String, machine: String) { (self.root, self.machine) = (root, machine) }

  package var path: String { "\(root)/\(machine)" }
  package var indexPath: String { "\(path)/\(HistoryIndex.fileName)" }

  package struct Entry: Sendable {
    package var row: HistoryIndex.Row
    package var night: Night

    package init(_ night: Night, file: String, byteCount: Int) {
      row = HistoryIndex.Row(
        file: file, byteCount: byteCount, suite: night.suite, startedAt: night.startedAt, commit: night.commit,
        member: night.environment.member, benchmarkCount: night.benchmarks.count, failureCount: night.failures.count)
      self.night = night
    }
  }

  package struct Content: Sendable {
    /// The nights that were read, oldest first.
    package var entries: [Entry] = []
    /// One line for each file that cannot be read as a night, with the reason. These files are not removed. One more
    /// line names the nights that are in the index, but whose files are gone.
    package var problems: [String] = []
    /// The index rows of the nights that were not chosen to be read.
    package var unread: [HistoryIndex.Row] = []

    /// Returns the nights of one suite. If suites were mixed, the benchmarks of the other suites would count as
    /// missing.
    package func nights(of suite: String) -> [Night] { entries.map(\.night).filter { $0.suite == suite } }

    package func adding(_ entry: Entry) -> Content {
      Content(entries: (entries + [entry]).sorted { $0.row < $1.row }, problems: problems, unread: unread)
    }

    /// The names of the suites. The suite with the newest night is the first.
    package var suites: [String] { entries.reversed().map(\.night.suite).unique }
  }

  package static func machines(in root: String) throws(RunError) -> [String] {
    var machines: [String] = []
    for name in try names(in: root).sorted() where !name.hasPrefix(".") {
      if try names(in: "\(root)/\(name)").contains(where: isNightName) { machines.append(name) }
    }
    return machines
  }

  /// Returns the names in a folder; none if the folder does not exist, or is a file.
  private static func names(in folder: String) throws(RunError) -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      if [.noSuchFileOrDirectory, .notDirectory].contains(Errno(of: error)) { return [] }
      throw RunError("the history \"\(folder)\" cannot be read: \(systemReason(error)); fix that and run again")
    }
  }

  /// Whether a name looks like `20261121T031500Z-6a73046.json`.
  package static func isNightName(_ name: String) -> Bool {
    name.hasSuffix(".json") && OutputFolder.isRunName(String(name.dropLast(5)))
  }

  /// Returns the recent nights of each suite. Only these are compared with the newest night and shown on the pages, so
  /// that the cost does not grow over the years. The start of the range moves in steps of many nights, because a series
  /// that starts one night later may have other change points. Suites that were not measured for two years are left out.
  /// - Parameter suite: A suite that is never left out.
  package static func recent(_ rows: [HistoryIndex.Row], with suite: String? = nil) -> [HistoryIndex.Row] {
    let step = ChangePointDetection().windowLength
    // A machine's clock may once have been wrong by years.
    let now = Date.now.formatted(.iso8601)
    let newest = rows.map(\.startedAt).filter { $0 <= now }.max() ?? ""
    let oldest = "\((Int(newest.prefix(4)) ?? 0) - 2)\(newest.dropFirst(4))"
    return rows.grouped(by: \.suite).flatMap { name, rows -> [HistoryIndex.Row] in
      guard name == suite || rows.contains(where: { $0.startedAt >= oldest }) else { return [] }
      let nights = nights(rows)
      return nights.dropFirst(max(0, nights.count - Site.shownNights) / step * step).flatMap(\.self)
    }
  }

  /// Returns the rows by night. Documents of one commit and day are one night if they come from several machines of a
  /// class.
  private static func nights(_ rows: [HistoryIndex.Row]) -> [[HistoryIndex.Row]] {
    rows.grouped { $0.member == nil ? $0.file : "\($0.startedAt.prefix(10)) \($0.commit ?? $0.file)" }.map(\.rows)
  }

  /// Reads nights, on all cores. The result is empty if the folder is missing.
  /// - Parameter choice: Returns the rows of the nights to read, given the rows of the index, oldest first. Nights that
  ///   the index lacks are read in any case.
  package func load(_ choice: ([HistoryIndex.Row]) -> [HistoryIndex.Row] = { $0 }) throws(RunError) -> Content {
    let all = try Self.names(in: path).filter(Self.isNightName).sorted()
    let indexed = HistoryIndex.read(indexPath)?.nights ?? []
    let present = Set(all)
    let rows = indexed.filter { present.contains($0.file) }.sorted()
    let unread = Set(rows.map(\.file)).subtracting(choice(rows).map(\.file))
    let names = all.filter { !unread.contains($0) }
    var content = Content(unread: indexed.filter { unread.contains($0.file) })
    for outcome in names.concurrentMap(read) {
      switch outcome {
      case .success(let entry): content.entries.append(entry)
      case .failure(let problem): content.problems.append(problem.description)
      }
    }
    content.entries.sort { $0.row < $1.row }
    let gone = Set(indexed.map(\.file)).subtracting(all).sorted()
    if !gone.isEmpty {
      content.problems.append(
        "\(path) has lost \(gone.count == 1 ? "a night" : "\(gone.count) nights") that its index names"
          + " (\(Format.list(gone, atMost: 3)));" + " restore it, or leave it: the next night rewrites the index")
    }
    return content
  }

  package func load(newest count: Int, of suite: String) throws(RunError) -> Content {
    try load { rows in Self.nights(rows.filter { $0.suite == suite }).suffix(count).flatMap(\.self) }
  }

  /// Returns the name, such as `lists, feed@release`, under which the history keeps nights of these suites and their
  /// branch. If no night has exactly this name, returns the name of the branch's newest night with one of the suites,
  /// because programs of benchmarks come and go.
  package func name(of suites: String) throws(RunError) -> String {
    let content = try load { _ in [] }
    let rows = (content.unread + content.entries.map(\.row)).sorted()
    return Self.name(of: suites, among: rows.reversed().map(\.suite).unique)
  }

  /// Returns the suites in a name such as `lists, feed@release`, and its branch with the `@`. The branch is empty if the
  /// name has none.
  package static func parts(_ name: String) -> (suites: Set<String>, branch: Substring) {
    let end = name.firstIndex(of: "@") ?? name.endIndex
    return (Set(name[..<end].components(separatedBy: ", ")), name[end...])
  }

  /// - Parameter known: The names in the history, the newest first.
  package static func name(of suites: String, among known: [String]) -> String {
    let own = parts(suites)
    let related = known.filter { name in
      let other = parts(name)
      return other.branch == own.branch && !other.suites.isDisjoint(with: own.suites)
    }
    guard let newest = related.first, !known.contains(suites) else { return suites }
    // Nights of single programs (`--product`) are kept under names of their own. If there are such nights, a night of
    // all programs starts a name of its own, too.
    let areApart = related.contains { parts($0).suites.isDisjoint(with: parts(newest).suites) }
    return areApart ? suites : newest
  }

  private func read(_ name: String) -> Swift.Result<Entry, RunError> {
    Swift.Result {
      let data = try InputFile("\(path)/\(name)").read()
      return Entry(try Night(reading: data), file: name, byteCount: data.count)
    }.mapError { RunError("\(path)/\(name)\($0 is RunDocumentError ? ":" : "") \($0)") }
  }

  /// Passes the nights to `body` one by one, in the order of the times in their names, and keeps none in memory.
  /// - Returns: One line for each file that cannot be read as a night, with the reason.
  package func forEachNight(_ body: (Night) throws -> Void) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: path).filter(Self.isNightName)
    var problems: [String] = []
    for name in names.sorted(by: { OutputFolder.order($0) < OutputFolder.order($1) }) {
      switch read(name) {
      case .success(let entry): try body(entry.night)
      case .failure(let problem): problems.append(problem.description)
      }
    }
    return problems
  }

  /// Creates the folder if needed, and removes unfinished files of killed processes. The caller must hold the history's
  /// lock.
  package func prepare() throws(RunError) {
    try attempt(try Paths.makeFolder(path)) { RunError("the history \"\(path)\" cannot be made: \($0)") }
    HiddenEntry.sweep(path)
  }

  /// Writes the document of a night. If that fails, the history is unchanged.
  /// - Returns: The entry. The name of its file ends in a number if the usual name was taken.
  package func append(_ night: Night) throws(RunError) -> Entry {
    let data = try attempt(try night.data()) { RunError("the night cannot be written as JSON: \($0)") }
    let stem = Self.stem(night)
    for number in 1...1_000 {
      let name = number == 1 ? "\(stem).json" : "\(stem)-\(number).json"
      do {
        try WholeFile("\(path)/\(name)").create(data)
        return Entry(night, file: name, byteCount: data.count)
      } catch .taken { continue } catch {
        throw RunError("the history \"\(path)\" could not be written: \(error); it is as it was before")
      }
    }
    throw RunError("the history \"\(path)\" has a thousand nights named \(stem); it is as it was before")
  }

  /// Copies the flame graph of the most regressed benchmark next to the night's document, for the night's page.
  /// - Returns: The reason in one line if the graph could not be copied. Otherwise nil.
  package func keepFlameGraph(of entry: Entry) -> String? {
    guard let path = entry.night.comparison?.profiles?.lazy.compactMap(\.flameGraph).first else { return nil }
    do {
      try WholeFile(flameGraphPath(of: entry)).replace(try InputFile(path, sizeLimit: Self.largestFlameGraph).read())
      return nil
    } catch { return "the flame graph \(path) is not on the pages: \(error)" }
  }

  package func flameGraph(of entry: Entry) -> String? {
    let file = InputFile(flameGraphPath(of: entry), sizeLimit: Self.largestFlameGraph)
    return (try? file.read()).map { String(decoding: $0, as: UTF8.self) }
  }

  private static let largestFlameGraph = 4 << 20

  private func flameGraphPath(of entry: Entry) -> String { "\(path)/\(entry.row.file.dropLast(5)).svg" }

  package static func stem(_ night: Night) -> String {
    let time = night.startedAt.filter { $0.isLetter || $0.isNumber }
    let commit = night.environment.commit?.prefix(7).lowercased() ?? ""
    return "\(time)-\(commit.isEmpty || !commit.allSatisfy(\.isHexDigit) ? "nogit" : commit)"
  }

  /// Rewrites the index unless it lists exactly these nights.
  package func refreshIndex(_ content: Content) throws(RunError) {
    let index = HistoryIndex(content)
    guard HistoryIndex.read(indexPath) != index else { return }
    try attempt(try WholeFile(indexPath).replace(try index.data())) {
      RunError(
        "the index \"\(indexPath)\" could not be written: \($0); the nights are there, and the next one" + " writes it")
    }
  }

  /// Imports nights and run documents of other machines. If a file cannot be read, nothing is imported.
  package static func importing(_ files: [String], root: String, _ context: CommandContext) async throws {
    var nights: [Night] = []
    for file in files { nights.append(try imported(file)) }
    let lock = try await lock(root)
    defer { withExtendedLifetime(lock) {} }
    var added = 0
    for (machine, own) in Dictionary(grouping: nights, by: \.environment.machine).sorted(by: { $0.key < $1.key }) {
      let folder = HistoryFolder(root: root, machine: machine)
      try folder.prepare()
      let stems = Set(own.map(stem))
      var content = try folder.load { rows in
        rows.filter { stems.contains($0.file.split { "-.".contains($0) }.prefix(2).joined(separator: "-")) }
      }
      for problem in content.problems { context.console.warn(problem) }
      for night in own.sorted(by: { $0.startedAt < $1.startedAt }) {
        // Two nights count as the same even if they reported different change points.
        guard !content.entries.contains(where: { isSame($0.night, night) }) else { continue }
        content = content.adding(try folder.append(night))
        added += 1
      }
      try folder.refreshIndex(content)
    }
    let skipped = nights.count - added
    let known = skipped == 0 ? "" : ", \(skipped) \(skipped == 1 ? "was" : "were") there already"
    context.console.tell("\(Format.plural(added, "night")) imported\(known)")
  }

  private static func isSame(_ one: Night, _ other: Night) -> Bool {
    guard one.startedAt == other.startedAt else { return false }
    var (one, other) = (one, other)
    (one.announced, other.announced, one.withdrawn, other.withdrawn) = ([], [], nil, nil)
    return one == other
  }

  private static func imported(_ file: String) throws(UsageError) -> Night {
    func refusal(_ problem: String) -> UsageError { UsageError("--import", problem, remedy: "nothing was imported") }
    let data = try attempt(try InputFile(file).read()) { refusal("\"\(file)\" \($0)") }
    let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
    let isRun = object?["durationSeconds"] != nil && object?["metrics"] == nil
    let night: Night
    do {
      // A run is converted and read back as a night, so that only readable nights are imported.
      var read = isRun ? Night(try RunDocument(contentsOf: data)) : try Night(reading: data)
      if isRun { read.measuredAt = read.startedAt }
      night = try Night(reading: read.data())
    } catch { throw refusal("\"\(file)\": \(error)") }
    let machine = night.environment.machine
    guard MachineName.slug(machine) == machine else {
      throw refusal("\"\(file)\" has the machine name \"\(machine.prefix(40))\", which cannot name a folder")
    }
    return night
  }
}

/// The file `index.json`: a list of the nights, derived from their documents. Other programs can read it. It also shows
/// if the file of a night has been lost.
package struct HistoryIndex: Codable, Equatable {
  package static let fileName = "index.json"

  package var schemaVersion = 1
  /// The rows of all nights, oldest first.
  package var nights: [Row]

  package struct Row: Codable, Comparable {
    package var file: String
    package var byteCount: Int
    package var suite: String
    package var startedAt: String
    package var commit: String?
    /// The name of the machine, if several machines of a class share the history.
    package var member: String?
    package var benchmarkCount: Int
    package var failureCount: Int

    /// Sorts by time. Nights of the same second are in the order in which they were appended: `….json`, `…-2.json`,
    /// `…-10.json`.
    package static func < (one: Row, other: Row) -> Bool {
      (one.startedAt, one.file.utf8.count, one.file) < (other.startedAt, other.file.utf8.count, other.file)
    }
  }

  package init(_ content: HistoryFolder.Content) { nights = (content.unread + content.entries.map(\.row)).sorted() }

  package static func read(_ path: String) -> HistoryIndex? {
    try? JSONDecoder().decode(Self.self, from: InputFile(path).read())
  }

  /// Returns the file's content, with one night per line so that a diff of two versions is readable.
  package func data() throws -> Data {
    let rows = JSONText.lines(of: try nights.map(JSONText.line))
    return Data("{\"nights\":[\n\(rows)\n],\"schemaVersion\":\(schemaVersion)}\n".utf8)
  }
}

/// The locks of a history. The kernel releases them when the process ends, even if it is killed.
extension HistoryFolder {
  /// Takes the lock that is held briefly while the history or the site is written.
  package static func lock(_ root: String) async throws -> FileLock { try await take("\(root)/.lock", in: root) {} }

  /// Takes the lock that is held for a whole nightly run, because two runs at the same time would slow each other down.
  /// - Parameter member: The machine if `machine` is a class. Machines of a class measure at the same time.
  package func lockForMeasuring(_ member: String?, _ console: Console) async throws -> FileLock {
    // No name of a machine contains this separator.
    let name = machine + (member.map { "+\($0)" } ?? "")
    return try await Self.take("\(root)/.measuring-\(name)", in: root) {
      console.tell("waiting for another nightly on \(name) to finish")
    }
  }

  private static func take(_ path: String, in root: String, whileWaiting: () -> Void) async throws -> FileLock {
    do {
      try RevisionError.naming(root) { try Paths.makeFolder(root) }
      return try await FileLock.take(path, .exclusive, whileWaiting: whileWaiting)
    } catch let error as RevisionError {
      guard error.kind != .fullDisk else {
        throw RunError("the history \"\(root)\" is on a full disk; make room and run again")
      }
      throw UsageError(
        "--history", "the history cannot be written to (\(error))", remedy: "name a folder that you may write to")
    }
  }
}

/// The file `undelivered.json` of a machine's history. It lists nights whose verdict may not have been seen, because
/// the command was stopped or could not write it. The file is written before a night is appended, and removed once
/// everything is written.
package struct Undelivered: Codable, Equatable {
  package static let fileName = "undelivered.json"

  package var schemaVersion = 1
  package var nights: [Key] = []

  package struct Key: Codable, Hashable {
    package var suite: String
    package var startedAt: String

    package init(_ night: Night) { (suite, startedAt) = (night.suite, night.startedAt) }
  }

  /// Reads those nights of the file that are in the history. If springbench was stopped before it appended a night, the
  /// next night measures its commit again.
  package init(in folder: HistoryFolder, _ content: HistoryFolder.Content) {
    guard let read = try? JSONDecoder().decode(Self.self, from: InputFile(Self.path(folder)).read()) else { return }
    let known = Set(content.entries.map { Key($0.night) })
    nights = read.nights.filter(known.contains)
  }

  package func write(in folder: HistoryFolder) throws(RunError) {
    try attempt(try WholeFile(Self.path(folder)).replace(try JSONText.file(self))) {
      RunError("the history \"\(folder.path)\" could not be written: \($0); it is as it was before")
    }
  }

  /// Removes the nights of a suite from the file.
  package func remove(_ suite: String, in folder: HistoryFolder) throws(RunError) {
    var rest = self
    rest.nights.removeAll { $0.suite == suite }
    if rest.nights.isEmpty { unlink(Self.path(folder)) } else { try rest.write(in: folder) }
  }

  private static func path(_ folder: HistoryFolder) -> String { Paths.joined(folder.path, fileName) }
}
