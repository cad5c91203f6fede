import Foundation
import FrameBench
import Judging
import Testing

@testable import Builds
@testable import Execution
@testable import Platform
@testable import Program

/// Tests that a history survives killed processes, full disks, and existing files with the names that it needs.
@Suite struct HistorySafetyTests {
  /// The number of nightly runs to kill.
  private static let killCount = 12

  /// The moments of the kills are spread evenly over a whole run and a little longer, with a random offset.
  @Test func nightliesKilledAtAnyMomentLoseNoEarlierNight() async throws {
    let laneCount = 5
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<laneCount {
        group.addTask { try await Self.killNightlies(rounds: stride(from: lane, to: Self.killCount, by: laneCount)) }
      }
      try await group.waitForAll()
    }
  }

  private static func killNightlies(rounds: StrideTo<Int>) async throws {
    let folder = try TemporaryFolder()
    let arguments = [
      "nightly", "--filter", "doubtful", "--frames", "4", "--warm-up", "1", "--runs", "1", "--machine", "m", "--output",
      folder.path,
    ]
    let start = ContinuousClock.now
    try await FixtureProcess.run(arguments)
    let whole = (ContinuousClock.now - start) / .microseconds(1)
    var known = try files(of: folder)
    for round in rounds {
      let delay = whole * 1.2 * (Double(round) + .random(in: 0..<1)) / Double(killCount)
      let process = ChildProcess(
        executable: try FixtureProcess.springbench, arguments: arguments, environment: try FixtureProcess.measuring(),
        timeout: .microseconds(Int(delay)))
      _ = try await process.run(input: Data())
      let now = try files(of: folder)
      for (name, data) in known { #expect(now[name] == data, "\(name) after \(delay) µs") }
      let content = try history(folder).load()
      #expect(content.problems.isEmpty && content.entries.count == now.count, "after \(delay) µs")
      let page = try String(contentsOfFile: folder.path + "/site/index.html", encoding: .utf8)
      #expect(page.hasSuffix("</html>\n"))
      known = now
    }
    let last = try await FixtureProcess.run(arguments)
    #expect(last.status == 0 && last.error.isEmpty, "\(last.output) \(last.error)")
    let content = try history(folder).load()
    #expect(content.entries.count == known.count + 1)
    let index = try #require(HistoryIndex.read(history(folder).indexPath))
    #expect(index.nights.map(\.file) == content.entries.map(\.row.file))
    let leftovers = folder.contents.filter { $0.contains("writing-") }
    #expect(leftovers.isEmpty)
  }

  @Test func nightsThatThePagesDoNotShowAreNotReadAndStayInTheIndex() async throws {
    let folder = try TemporaryFolder()
    try await nightly(["--filter", "doubtful"], in: folder)
    let history = history(folder)
    let real = try #require(try history.load().entries.first?.night)
    for number in 0..<3 {
      var night = real
      night.startedAt = "2025-01-0\(number + 1)T03:00:00Z"
      _ = try history.append(night)
    }
    #expect(try history.load { $0.suffix(1).map(\.self) }.entries.count == 4, "the index lacks three")
    try history.refreshIndex(try history.load())
    let content = try history.load { $0.suffix(1).map(\.self) }
    #expect(content.entries.count == 1 && content.unread.count == 3 && content.problems.isEmpty)
    #expect(HistoryIndex(content) == HistoryIndex.read(history.indexPath))
  }

  @Test func whatIsReadGrowsToTheNightsOfThePagesAndNoFurther() {
    /// - Returns: The documents of a suite, as many for each night as there are machines.
    func rows(_ count: Int, suite: String = "s", machines: Int = 1, from first: Int = 0) -> [HistoryIndex.Row] {
      (0..<count * machines).map { number in
        let night = first + number / machines
        let day = String(format: "%d-%02d-%02d", 2020 + night / 336, 1 + night % 336 / 28, 1 + night % 28)
        return HistoryIndex.Row(
          file: "\(suite)\(number)", byteCount: 1, suite: suite, startedAt: "\(day)T03:00:0\(number % machines)Z",
          commit: "c\(night)", member: machines > 1 ? "m\(number % machines)" : nil, benchmarkCount: 1, failureCount: 0)
      }
    }
    let counts = [1, 730, 779, 780, 2_000].map { HistoryFolder.recent(rows($0)).count }
    #expect(counts == [1, 730, 779, 730, 750])
    #expect(HistoryFolder.recent(rows(780, machines: 3)).count == 3 * 730)
    let others = rows(20, suite: "weekly", from: 1_900) + rows(20, suite: "abandoned")
    let both = HistoryFolder.recent((rows(2_000) + others).sorted())
    #expect(both.count == 770 && both.count { $0.suite == "weekly" } == 20)
    // A machine's clock may have shown a year in the future, and a suite may be measured again after years.
    let future = (rows(2_000) + others + rows(1, suite: "future", from: 336 * 70)).sorted()
    #expect(HistoryFolder.recent(future).count == 771)
    #expect(HistoryFolder.recent(future, with: "abandoned").count { $0.suite == "abandoned" } == 20)
  }

  /// Returns the contents of the files of all nights in a folder, keyed by file name.
  private static func files(of folder: TemporaryFolder) throws -> [String: Data] {
    let path = history(folder).path
    let names = try FileManager.default.contentsOfDirectory(atPath: path).filter(HistoryFolder.isNightName)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: "\(path)/\($0)"))) })
  }

  @Test func aFileThatMayNotGrowIsAnErrorAndTheHistoryIsAsBefore() async throws {
    let folder = try TemporaryFolder()
    try await nightly(["--filter", "steady"], in: folder)
    let other = try TemporaryFolder()
    try await nightly(["--filter", "steady"], in: other)
    let before = try Self.files(of: folder)
    let night = try #require(try history(other).load().entries.first?.row.file)
    let script = "ulimit -f 1; exec \"$0\" \"$@\""
    let process = ChildProcess(
      executable: "/bin/sh",
      arguments: [
        "-c", script, try FixtureProcess.springbench, "history", "--history", folder.path + "/history", "--import",
        history(other).path + "/" + night,
      ], environment: try FixtureProcess.measuring(), timeout: hangLimit)
    let end = try await process.run(input: Data())
    #expect(end.status == .exited(1))
    #expect(end.errorTail.split(separator: "\n").count == 1)
    #expect(end.errorTail.contains("File too large") && end.errorTail.contains("as it was before"))
    #expect(try Self.files(of: folder) == before)
    #expect(!folder.contents.contains { $0.contains("writing-") })
  }

  @Test(.enabled(if: HistorySafetyTests.canMount, "no right to mount a file system of its own"))
  func aFullDiskIsAnErrorAndTheHistoryIsAsBefore() async throws {
    let folder = try TemporaryFolder()
    let script = """
      mkdir -p "$1/disk" && mount -t tmpfs -o size=64k none "$1/disk" && cd "$1" || exit 99
      night() {
        "$0" nightly --filter steady --frames 4 --warm-up 1 --runs 1 --machine m --output "$1" --history disk/h
        echo "status $?"
      }
      night "$1"
      cat disk/h/m/[0-9i]*.json | cksum
      dd if=/dev/zero of=disk/filler bs=1k 2> /dev/null
      night "$1"
      # Room for what is tried beforehand, and for no night.
      truncate -s -4k disk/filler
      night "$1"
      cat disk/h/m/[0-9i]*.json | cksum
      ls -A disk/h/m | wc -l
      rm disk/filler
      night "$1"
      """
    let process = ChildProcess(
      executable: "unshare",
      arguments: ["--mount", "/bin/sh", "-c", script, try FixtureProcess.springbench, folder.path],
      environment: try FixtureProcess.measuring(), timeout: hangLimit)
    let end = try await process.run(input: Data())
    let lines = String(decoding: end.output, as: UTF8.self).split(separator: "\n")
    #expect(
      lines.filter { $0.hasPrefix("status") } == ["status 0", "status 1", "status 1", "status 0"], "\(end.errorTail)")
    let sums = lines.filter { $0.wholeMatch(of: /[0-9]+ [0-9]+/) != nil }
    #expect(sums.count == 2 && sums.first == sums.last)
    // Three files remain: the first night, the index, and the file that says that a verdict may be missing.
    #expect(lines.contains("3"))
    #expect(end.errorTail.contains("No space left on device; make room and run again; it is as it was before"))
  }

  static let canMount: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["unshare", "--mount", "/bin/sh", "-c", "mount -t tmpfs -o size=64k none /mnt"]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test func aNameThatIsTakenIsNeverOverwritten() throws {
    let folder = try TemporaryFolder()
    let file = WholeFile(folder.path + "/a")
    try file.create(Data("one".utf8))
    #expect(throws: WholeFile.Problem.taken) { try file.create(Data("two".utf8)) }
    #expect(FileManager.default.contents(atPath: folder.path + "/a") == Data("one".utf8))
    try file.replace(Data("three".utf8))
    #expect(FileManager.default.contents(atPath: folder.path + "/a") == Data("three".utf8))
    #expect(folder.contents == ["a"])
  }

  @Test func machinesOfAClassMeasureAtTheSameTime() async throws {
    let folder = try TemporaryFolder()
    let history = HistoryFolder(root: folder.path, machine: "epyc")
    var locks: [FileLock] = []
    for member in ["a", "b", nil] { locks.append(try await history.lockForMeasuring(member, Console())) }
    withExtendedLifetime(locks) {
      #expect(folder.contents == [".measuring-epyc", ".measuring-epyc+a", ".measuring-epyc+b"])
    }
  }

  @Test func leftoversAreSweptAndNothingElse() throws {
    let folder = try TemporaryFolder()
    for name in [".writing-12-abc", ".lock", "a.json"] {
      try Data().write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    }
    HiddenEntry.sweep(folder.path)
    #expect(folder.contents == [".lock", "a.json"])
  }

  @Test(.enabled(if: geteuid() != 0, "root may write anywhere"))
  func aHistoryThatCannotBeWrittenIsSaidBeforeAnythingIsMeasured() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/history", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o555])
    let process = try await nightly(["--filter", "doubtful"], in: folder)
    #expect(process.status == 64 && process.errorLines.count == 1)
  }

  @Test func aHistoryThatIsAFileIsSaidBeforeAnythingIsMeasured() async throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: folder.path + "/history"))
    let process = try await nightly(["--filter", "doubtful"], in: folder)
    #expect(process.status == 64 && process.errorLines.count == 1)
    #expect(process.error.contains("--history"))
  }
}
