import CProcessControl
import Foundation
import Synchronization
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Platform
@testable import Program

/// Tests the environment of the programs that springbench starts, and that no process outlives springbench.
@Suite struct ProcessLifeTests {
  @Test(arguments: [
    ("ulimit -n 20", "20 files may be open at once"), ("ulimit -s 64", "the stack may have 65536 bytes"),
    ("ulimit -v 500000", "512000000 bytes of memory may be used"), ("ulimit -t 5", "5 s of CPU time may be used"),
  ]) func tooLowALimitIsOneLine(_ limit: String, _ words: String) async throws {
    let process = ChildProcess(
      executable: "/bin/sh", arguments: ["-c", "\(limit) && exec \"$0\" list", try FixtureProcess.springbench],
      environment: try FixtureProcess.measuring().mapValues(Optional.some), timeout: hangLimit)
    let end = try await process.run()
    #expect(end.status == .exited(1) && end.errorTail.hasPrefix("springbench: error: \(words)"), "\(end)")
    #expect(end.errorTail.count { $0 == "\n" } == 1)
  }

  @Test func aProgramStartsWithSignalsDescriptorsAndVariablesOfItsOwn() async throws {
    // Some libraries leave files like this one open. A child must not inherit it.
    let leak = open("/dev/null", O_RDONLY)
    defer { close(leak) }
    // The shell reads its status file itself. If it started `cat` for this, the file could show signals that the shell
    // blocks while it starts a program.
    let script =
      "ls /proc/$$/fd; while read line; do case $line in Sig*) echo \"$line\";; esac; done < /proc/$$/status; env; cat; exit 7"
    let end = try await ChildProcess(
      executable: "/bin/sh", arguments: ["-c", script], environment: ["OWN": "1", "HOME": nil], timeout: hangLimit
    ).run()
    let lines = end.text.split(separator: "\n").map(String.init)
    #expect(end.status == ChildProcess.TerminationStatus.exited(7))
    #expect(Array(lines.prefix(4).filter { $0.count == 1 }) == ["0", "1", "2"], "\(end.text)")
    for name in ["SigBlk", "SigIgn"] { #expect(lines.contains("\(name):\t0000000000000000"), "\(lines)") }
    #expect(lines.contains("OWN=1") && !lines.contains { $0.hasPrefix("HOME=") })
  }

  @Test func aProgramWhoseStatusIsUnknownHasNotSucceeded() async {
    await #expect(processExitsWith: .exitCode(255)) {
      signal(SIGCHLD, SIG_IGN)
      let nothing = try OwnDescriptor.empty()
      let launch = Launch(path: "/bin/true", arguments: ["true"], environment: [:])
      let status = try RunningProcess(launch, [nothing, nothing, nothing]).wait()
      exit(status >> 8)
    }
  }

  @Test func aCallerThatIgnoresItsChildrenHidesNoFailure() async throws {
    let folder = try TemporaryFolder()
    let program = folder.path + "/program"
    // The program answers, and then exits with status 3.
    let script = "#!/bin/sh\n'\(try FixtureProcess.path)' \"$@\"\nexit 3\n"
    try script.write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let end = try await ChildProcess(
      executable: "env",
      arguments: [
        "--ignore-signal=CHLD", try FixtureProcess.springbench, "run", "--program", program, "--filter",
        "steady/naive/100$", "--runs", "1", "--frames", "2", "--output", folder.path,
      ], timeout: hangLimit
    ).run()
    #expect(end.status == .exited(1) && end.errorTail.contains("cannot prepare its benchmarks"), "\(end.errorTail)")
  }

  @Test func aRepetitionOfASignalIsNotASecondOne() async {
    await #expect(processExitsWith: .success) {
      let received = Mutex<[Bool]>([])
      let watch = SignalWatch { _, isFirst in received.withLock { $0.append(isFirst) } }
      let start = ContinuousClock.now
      for time in [0, 10, 490, 600] { watch.receive(SIGTERM, at: start + .milliseconds(time)) }
      exit(received.withLock { $0 == [true, false] } ? 0 : 1)
    }
  }

  @Test func everyWatchSeesSignalsAndWithoutOneTheyEndTheProcessWithALine() async throws {
    let result = await #expect(processExitsWith: .exitCode(130), observing: [\.standardErrorContent]) {
      for _ in 0..<3 {
        let isSeen = DispatchSemaphore(value: 0)
        let watch = SignalWatch { _, isFirst in if isFirst { isSeen.signal() } }
        kill(getpid(), SIGINT)
        guard isSeen.wait(timeout: .now() + 60) == .success else { exit(1) }
        watch.stop()
      }
      kill(getpid(), SIGINT)
      sleep(60)
    }
    let line = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(line == "springbench: error: interrupted\n")
  }

  @Test func aHelperWorksInOrderAndItsProcessesMayUseAllCoresAndEndWithIt() throws {
    var helper: HelperThread? = HelperThread()
    let first = helper?.begin { throw RunError("this fails") }
    let second = helper?.begin {
      let nothing = try OwnDescriptor.empty()
      let launch = Launch(path: "/bin/sleep", arguments: ["sleep", "1000"], environment: [:])
      return HeldProcess(process: try RunningProcess(launch, [nothing, nothing, nothing]))
    }
    let held = try #require(try second?.value())
    // The tasks run in order, so the first one has ended, too. Its error is kept until `value()` is called.
    #expect(throws: RunError.self) { try first?.value() }
    #expect(try second?.value() == nil, "a result is handed over once")
    func cores(_ process: String) throws -> Substring? {
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      return status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
    }
    #expect(try cores("\(held.process.id)") == cores("self") && !held.process.hasEnded)
    helper = nil
    #expect(held.process.wait() == SIGKILL)
  }

  private struct HeldProcess: @unchecked Sendable { let process: RunningProcess }

  /// Nothing else ends `sleep`: it has its own session, its parent ends before it, and nobody reads its pipes.
  @Test func aChildThatLeavesItsParentIsEndedWithTheProgramThatIsStopped() async throws {
    let name = "600.\(Int.random(in: 1...1_000_000))"
    let process = ChildProcess(
      executable: "/bin/sh", arguments: ["-c", "setsid sleep \(name) & sleep 600"], timeout: .milliseconds(300))
    #expect(try await process.run().stop == .timeout)
    #expect(try await ChildTable.eventually { !Self.isRunning(name) })
  }

  // `env` restores SIGHUP and SIGQUIT, which the tests may have inherited as ignored.
  @Test(arguments: [SIGKILL, SIGTERM, SIGHUP, SIGQUIT]) func nothingOutlivesSpringbench(_ signal: Int32) async throws {
    let (run, name) = try await startListing("--default-signal", in: try TemporaryFolder())
    kill(run, signal)
    #expect((Self.wait(run) & 0x7F != 0) == (signal == SIGKILL || signal == SIGQUIT))
    #expect(try await ChildTable.eventually { !Self.isRunning(name) })
  }

  /// No process may keep the pipe to `cat` open, because `cat` would then wait.
  @Test(.enabled(if: SystemCallFilter.canBeApplied, "bubblewrap is not there, or may not confine"))
  func nothingOutlivesSpringbenchOnASystemWithoutCloseRange() async throws {
    let folder = try TemporaryFolder()
    try SystemCallFilter.withoutCloseRange.write(to: URL(fileURLWithPath: folder.path + "/filter"))
    let program = folder.path + "/program"
    try "#!/bin/sh\nls /proc/self/fd > \(folder.path)/open\nexit 1\n".write(
      toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let command = "bwrap --dev-bind / / --seccomp 3 -- \"$0\" list --program \"$1\" 3<\"$2\" 4</dev/null"
    let process = ChildProcess(
      executable: "/bin/sh",
      arguments: [
        "-c", "\(command) | timeout 100 cat", try FixtureProcess.springbench, program, folder.path + "/filter",
      ], timeout: hangLimit)
    let end = try await process.run()
    #expect(end.isSuccess && end.errorTail.contains("does not describe its benchmarks"), "\(end)")
    let numbers = try String(contentsOfFile: folder.path + "/open", encoding: .utf8).split(separator: "\n")
    #expect(!numbers.isEmpty && !numbers.contains("4"), "\(numbers)")
  }

  @Test func aTerminalThatClosesDoesNotEndACommandOfNohup() async throws {
    let (run, name) = try await startListing("--ignore-signal=HUP", in: try TemporaryFolder())
    kill(run, SIGHUP)
    try await Task.sleep(for: .milliseconds(300))
    #expect(ChildTable.isRunning(run) && Self.isRunning(name))
    kill(run, SIGTERM)
    _ = Self.wait(run)
  }

  /// Waits for the end of a process. Foundation's `waitUntilExit()` sometimes misses the end beside other tests.
  private static func wait(_ process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Starts `springbench list` with a program that waits for ten minutes.
  /// - Returns: The process, and an argument by which a test can find the process that the program started.
  private func startListing(_ option: String, in folder: TemporaryFolder) async throws -> (pid_t, String) {
    let name = "600.\(Int.random(in: 1...1_000_000))"
    let program = folder.path + "/program"
    try "#!/bin/sh\nsetsid sleep \(name) &\nsleep 600\n".write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let words: [String] = ["env", option, try FixtureProcess.springbench, "list", "--program", program]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    var run = pid_t()
    #expect(posix_spawn(&run, "/usr/bin/env", nil, nil, arguments + [nil], environ) == 0)
    #expect(try await ChildTable.eventually { Self.isRunning(name) })
    return (run, name)
  }

  @Test func theTimeThatAProcessNeedsToExitIsMeasured() async throws {
    let id = BenchmarkID(scenario: "lingering", strategy: "mine", size: 10)
    let worker = WorkerProcess(executablePath: try FixtureProcess.path, timeout: hangLimit)
    let request = WorkerRequest(benchmark: id, pass: .frames, options: RunOptions())
    let exit = try #require(try await worker.measure(request).memory.exitNanoseconds)
    #expect(exit >= 50_000_000)
  }

  @Test func aProgramThatEndsIsNotWaitedForBecauseOfItsChildren() async throws {
    let end = try await ChildProcess(
      executable: "/bin/sh", arguments: ["-c", "sleep 600 & echo done"], timeout: hangLimit
    ).run()
    #expect(end.isSuccess && end.text == "done")
  }

  private static func isRunning(_ argument: String) -> Bool {
    Paths.names(in: "/proc").compactMap(Int32.init).contains { process in
      let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
      return line.split(separator: 0).contains { $0.elementsEqual(argument.utf8) } && ChildTable.isRunning(process)
    }
  }

  // MARK: What code of the package can read

  @Test(.enabled(if: process_control_wall(false) >= 0, "this system has no Landlock"))
  func variablesOfOthersAreOutOfReach() async throws {
    let folder = try TemporaryFolder()
    let program = folder.path + "/program"
    let script = "#!/bin/sh\ngrep -l -a hush-hush /proc/[0-9]*/environ > '\(folder.path)/found' 2>/dev/null\nexit 1\n"
    try script.write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    // As in a CI job, the shell that starts springbench has the secret in its environment. The program must not find it
    // there.
    let process = ChildProcess(
      executable: "/bin/sh",
      arguments: ["-c", "\"$0\" list --program \"$1\"; true", try FixtureProcess.springbench, program],
      environment: ["SECRET_TOKEN": "hush-hush"], timeout: hangLimit)
    #expect(try await process.run().errorTail.contains("does not describe its benchmarks"))
    #expect(FileManager.default.contents(atPath: folder.path + "/found") == Data())
  }

  @Test func springbenchForgetsWhatNothingThatItStartsMayHave() async throws {
    let folder = try TemporaryFolder()
    // This script stands in for git, which springbench does not restrict. It prints springbench's environment and its
    // own. The secret must have been erased from both.
    try "#!/bin/sh\ntr '\\0' '\\n' < /proc/$PPID/environ >&2; env >&2; exit 1\n".write(
      toFile: folder.path + "/git", atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path + "/git")
    let end = try await FixtureProcess.run(
      ["compare", "HEAD"], environment: ["SECRET_TOKEN": "hush-hush", "PATH": folder.path + ":/usr/bin:/bin"],
      in: repositoryRoot.path)
    #expect(end.status == 1 && !end.error.contains("hush-hush"), "\(end.error)")
  }
}
