import Foundation
import FrameBench
import Testing

@testable import Builds
@testable import Execution
@testable import Platform
@testable import Program

/// Tests that users lose no files if files exist already, the disk is full, or a symbolic link leads elsewhere.
@Suite struct LostNothingTests {
  private let folder: TemporaryFolder
  private let quick = ["--filter", "doubtful", "--frames", "4", "--warm-up", "1", "--runs", "1", "--machine", "m"]

  init() throws { folder = try TemporaryFolder() }

  private func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
  }

  @Test(arguments: ["run", "nightly"]) func aReadmeOfTheProjectIsNeverReplaced(command: String) async throws {
    try "mine".write(toFile: folder.path + "/README.md", atomically: true, encoding: .utf8)
    let process = try await FixtureProcess.run([command, "--output", "."] + quick, in: folder.path)
    #expect(process.status == 64 && process.errorLines.count == 1 && process.error.contains("README.md"))
    #expect(try read("README.md") == "mine")
    #expect(folder.contents == ["README.md"])
  }

  @Test(arguments: ["r", "a/", "é"]) func aFolderMayHaveANameOfOneCharacter(name: String) async throws {
    let run = try await FixtureProcess.run(["run", "--output", name] + quick, in: folder.path)
    #expect(run.status == 0, "\(run.error)")
    let night = try await FixtureProcess.run(
      ["nightly", "--output", name, "--site", "s", "--history", "h"] + quick, in: folder.path)
    #expect(night.status == 0, "\(night.error)")
    #expect(folder.contents.contains("s/index.html"))
    let saved = try await FixtureProcess.run(
      ["baseline", "save", "b", "--results", name, "--machine", "m"], in: folder.path)
    #expect(saved.status == 0, "\(saved.error)")
  }

  @Test func pagesGoToWhereALinkLeads() async throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/real", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "real")
    for _ in 0..<2 {
      let process = try await FixtureProcess.run(["nightly", "--site", "link"] + quick, in: folder.path)
      #expect(process.status == 0, "\(process.error)")
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/link") == "real")
    #expect(folder.contents.contains("real/index.html"))
  }

  @Test func aHistoryThatCannotBeReadIsNotLeftOut() async throws {
    try await FixtureProcess.run(["nightly"] + quick, in: folder.path)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/results/history/other", withDestinationPath: "other")
    for arguments in [["history"], ["history", "--site", "s"]] {
      let process = try await FixtureProcess.run(arguments, in: folder.path)
      #expect(process.status == 1 && process.error.contains("results/history/other\" cannot be read"))
    }
  }

  @Test func aVerdictThatCouldNotBePrintedIsSaidTheNextNight() async throws {
    let both = ["nightly", "--filter", "doubtful|steady/tiled/10$"] + quick.dropFirst(2)
    try await FixtureProcess.run(both, in: folder.path)
    // Renames a benchmark in the stored night, so that the next night misses it.
    let stored = try #require(folder.contents.first { $0.hasPrefix("results/history/m/2") && $0.hasSuffix(".json") })
    let night = try String(contentsOfFile: "\(folder.path)/\(stored)", encoding: .utf8)
    try night.replacingOccurrences(of: "steady/tiled/10", with: "doubtful/gone/10").write(
      toFile: "\(folder.path)/\(stored)", atomically: true, encoding: .utf8)
    let process = ChildProcess(
      executable: "/bin/sh",
      arguments: ["-c", "cd \"$1\" && shift && exec \"$0\" \"$@\" > /dev/full", try FixtureProcess.springbench] + [
        folder.path, "nightly",
      ] + quick, environment: try FixtureProcess.measuring(), timeout: hangLimit)
    #expect(try await process.run(input: Data()).status == .exited(1))
    for (status, text) in [(5 as Int32, "Not delivered in the night of "), (0, "Not compared: ")] {
      let next = try await FixtureProcess.run(["nightly"] + quick, in: folder.path)
      #expect(next.status == status && next.output.hasPrefix(text), "\(next.output)")
    }
  }

  @Test(.enabled(if: HistorySafetyTests.canMount, "no right to mount a file system of its own"))
  func aBaselineOnAFullDiskStaysAsItWasAndTheVerdictComesBeforeThePages() async throws {
    let script = """
      mkdir "$1/disk" && mount -t tmpfs -o size=512k none "$1/disk" && cd "$1" || exit 99
      short="--frames 4 --warm-up 1 --runs 1 --machine m"
      "$0" run --filter steady $short > run.txt
      "$0" baseline save main --results results --machine m --run latest > save.txt
      cp -R results/baselines disk/
      dd if=/dev/zero of=disk/filler bs=1k 2> /dev/null
      run=$(ls -d results/m/*)
      "$0" baseline save main --results disk --machine m --run "$run"
      echo "saved $?"
      diff -r results/baselines disk/baselines && ls -A disk/baselines/m
      rm -r disk/*
      "$0" nightly --filter 'doubtful|steady/tiled/10$' $short --site disk/s > night.txt
      sed -i 's#steady/tiled/10#doubtful/gone/10#' results/history/m/2*.json
      dd if=/dev/zero of=disk/filler bs=1k 2> /dev/null
      truncate -s -8k disk/filler
      "$0" nightly --filter doubtful $short --site disk/s
      echo "night $?"
      rm disk/filler
      "$0" nightly --filter doubtful $short --site disk/s
      echo "night $?"
      """
    let process = ChildProcess(
      executable: "unshare",
      arguments: ["--mount", "/bin/sh", "-c", script, try FixtureProcess.springbench, folder.path],
      environment: try FixtureProcess.measuring(), timeout: hangLimit)
    let end = try await process.run(input: Data())
    // Sentences about times are left out, because they depend on how busy the machine is.
    let others = ["/nightly.md", "Not compared: ", "Too few nights", "Unconfirmed until"]
    let lines = String(decoding: end.output, as: UTF8.self).split(separator: "\n").filter { line in
      !others.contains { line.contains($0) }
    }
    #expect(
      lines.map { $0.replacing(/night of [^:]*:[^:]*:[^:]*:/, with: "night of T:") } == [
        "saved 1", "main", "1 benchmark is missing.", "night 1",
        "Not delivered in the night of T: 1 benchmark is missing.", "disk/s/index.html", "night 5",
      ], "\(end.errorTail)")
    #expect(end.errorTail.contains("it is as it was before"))
  }

  @Test func benchmarksOfOddNamesHaveFilesOfTheirOwn() throws {
    let store = BaselineStore(results: folder.path, machine: "desk")
    let long = String(repeating: "n", count: 300)
    let names = ["..", "%2E.", "%252E.", "10.json", long, long + "m", "a b", "é"]
    for name in names { try store.save(StoredRuns.document("s/\(name)/1"), as: "main") }
    #expect(Set(try store.load("main").ids.map(\.strategy)) == Set(names))
    #expect(folder.contents.allSatisfy { $0.hasPrefix("baselines") })
  }

  @Test func savesAtOnceAreAllThere() async throws {
    let path = folder.path
    let statuses = try await withThrowingTaskGroup(of: Int32?.self) { group in
      for number in 0..<6 {
        let run = try StoredRuns.write(StoredRuns.document("s/a/\(number + 1)"), to: "\(path)/\(number)/run.json")
        group.addTask {
          try await FixtureProcess.run([
            "baseline", "save", "main", "--run", run, "--results", path, "--machine", "desk",
          ]).status
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 0, count: 6))
    #expect(try BaselineStore(results: path, machine: "desk").load("main").ids.count == 6)
  }

  @Test func aFileThatABranchAddsIsNotWhatItIsJudgedBy() async throws {
    let git = { (arguments: [String]) async throws in
      let process = ChildProcess(
        executable: "git", arguments: ["-C", folder.path, "-c", "user.name=a", "-c", "user.email=b"] + arguments,
        timeout: hangLimit)
      let end = try await process.run(input: Data())
      #expect(end.isSuccess, "\(end.errorTail)")
    }
    try await git(["init", "--quiet"])
    try await git(["commit", "--quiet", "--allow-empty", "-m", "one"])
    // This commit has no package, so the gate fails before it builds anything.
    try await git(["update-ref", "refs/remotes/origin/one", "HEAD"])
    let run = try StoredRuns.write(StoredRuns.document("steady/naive/10"), to: folder.path + "/run.json")
    try StoredRuns.write(StoredRuns.document("steady/naive/10"), to: folder.path + "/origin/one/run.json")
    let gate = ["gate", "--run", run, "--baseline"]
    let named = try await FixtureProcess.run(gate + ["origin/one"], in: folder.path)
    #expect(named.status != 0 && named.error.contains("origin/one is taken as a git revision"))
    let file = try await FixtureProcess.run(gate + ["./origin/one"], in: folder.path)
    #expect(file.status == 0, "\(file.error)")
    #expect(file.output.contains("Compared with the run document ./origin/one/run.json"))
  }

  @Test func aBenchmarkThatABaselineLacksIsStatusFour() async throws {
    let store = BaselineStore(results: folder.path, machine: "desk")
    try store.save(StoredRuns.document("steady/naive/10"), as: "main")
    var document = try StoredRuns.document("steady/naive/10")
    document.benchmarks += try StoredRuns.document("steady/tiled/10").benchmarks
    let run = try StoredRuns.write(document, to: folder.path + "/run.json")
    let arguments = ["gate", "--run", run, "--baseline", "main", "--output", folder.path, "--machine", "desk"]
    let process = try await FixtureProcess.run(arguments, in: folder.path)
    #expect(process.status == 4 && process.output.contains("steady/tiled/10"), "\(process.error)")
    let part = try await FixtureProcess.run(arguments + ["--filter", "naive"], in: folder.path)
    #expect(part.status == 0, "\(part.output)")
  }

  @Test func whatIsMeasuredByNobodyIsNotImported() async throws {
    var document = try StoredRuns.document(times: [100, -1e300])
    document.benchmarks[0].frame.pooled.p50 = -1e300
    let run = try StoredRuns.write(document, to: folder.path + "/run.json")
    let process = try await FixtureProcess.run(["history", "--history", folder.path + "/h", "--import", run])
    #expect(process.status == 64 && process.error.contains("-1e+300"), "\(process.error)")
    #expect(folder.contents == ["run.json"])
  }
}
