import FrameBench

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FixtureSuite {
  /// Adds scenarios that allocate in unusual places, or crash with some strategies or in some runs.
  static func addScenariosThatAreUgly(to suite: inout Suite) {
    suite.add("helped", strategies: ["mine"], sizes: [10]) { _, context in
      let helper = Helper(byteCount: variant == "hungry" ? 1_000_000 : 24)
      return { frame, timer in
        timer.measure(.prepare) { if frame.index == context.warmUpFrameCount + 5 { helper.allocate() } }
        return UInt64(frame.index)
      }
    }
    // Allocates three times in frame 10. The variant `shifted` allocates once, in frame 20.
    suite.add("shifting", strategies: ["mine"], sizes: [10]) { _, context in
      let isShifted = variant == "shifted"
      var kept: [UnsafeMutableRawPointer?] = []
      kept.reserveCapacity(3)
      return { frame, timer in
        timer.measure(.prepare) {
          guard frame.index - context.warmUpFrameCount == (isShifted ? 20 : 10) else { return }
          for _ in 0..<(isShifted ? 1 : 3) { kept.append(malloc(48)) }
        }
        return UInt64(frame.index)
      }
    }
    suite.add("headless", strategies: ["reference", "second", "third"], sizes: [10]) { _, context in
      let crashes = context.strategy == "reference" && variant != "mended"
      return { frame, timer in
        timer.measure(.solve) { if crashes, frame.index == 3 { fatalError("the reference went wrong") } }
        timer.endFrame()
        timer.observe(item: 3, x: 160, y: Double(frame.index))
        return UInt64(frame.index)
      }
    }
    // With a time limit, a run records at most 1,000 frames. This limit is long enough for all of them.
    suite.add(
      "limited", strategies: ["mine"], sizes: [10],
      options: .init(secondsPerRun: 1_000, stretches: { Array(repeating: "rest", count: $0.totalFrameCount) })
    ) { _, _ in
      { frame, _ in
        usleep(20_000)
        return UInt64(frame.index)
      }
    }
    // The checksum depends on the order of a set's elements, which differs from run to run.
    suite.add("hashed", strategies: ["mine"], sizes: [10]) { _, _ in
      let words = Set((0..<100).map { "word \($0)" })
      let order = words.reduce(UInt64(0)) { $1.utf8.reduce($0) { ($0 &* 31) &+ UInt64($1) } }
      return { _, _ in order }
    }
    suite.add("huge", strategies: ["value", "sum", "overflow", "fitting"], sizes: [10]) { _, context in
      let values = ["value": [1 << 53 + 1], "sum": [1 << 50], "overflow": [Int.max, 1], "fitting": [1 << 40]]
      return { frame, timer in
        for value in values[context.strategy] ?? [] { timer.record(Counter("springs"), value) }
        return UInt64(frame.index)
      }
    }
    // Each run adds a byte to a file. A run that finds at least FIXTURE_RUN_LIMIT bytes in the file crashes.
    suite.add("wearing", strategies: ["mine", "other"], sizes: [10]) { _, context in
      let run = context.strategy == "mine" ? runNumber() : 0
      let limit = getenv("FIXTURE_RUN_LIMIT").flatMap { Int(String(cString: $0)) } ?? .max
      return { frame, timer in
        timer.measure(.solve) { if frame.index == 3, run >= limit { fatalError("run \(run) is worn out") } }
        return UInt64(frame.index)
      }
    }
    // Each frame measures two parts, and posts work to the main queue, which never executes it.
    suite.add("careless", strategies: ["mine"], sizes: [10]) { _, _ in
      { frame, timer in
        for _ in 0..<2 {
          timer.startFrame()
          timer.endFrame()
        }
        Task { @MainActor in }
        return UInt64(frame.index)
      }
    }
    suite.add("spawning", strategies: ["mine"], sizes: [10]) { _, _ in
      guard startsAProcess() else { throw FixtureError.noData }
      return { frame, _ in UInt64(frame.index) }
    }
    // When the worker process of this scenario exits, it uses the core for another 50 ms.
    suite.add("lingering", strategies: ["mine"], sizes: [10]) { _, _ in
      atexit {
        let end = clock() + 50_000
        while clock() < end {}
      }
      return { frame, _ in UInt64(frame.index) }
    }
  }

  /// Starts a process in which all descriptors but the standard ones are closed, as Foundation's `Process` does.
  /// Returns whether it ended without an error.
  private static func startsAProcess() -> Bool {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    guard let folder = opendir("/proc/self/fd") else { return false }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let descriptor = Int32(name), descriptor > 2 else { continue }
      guard posix_spawn_file_actions_addclose(&actions, descriptor) == 0 else { return false }
    }
    var (child, status, arguments) = (pid_t(), Int32(-1), [strdup("true"), nil])
    defer { free(arguments[0]) }
    guard posix_spawnp(&child, "true", &actions, nil, &arguments, environ) == 0 else { return false }
    return waitpid(child, &status, 0) == child && status == 0
  }

  private static var variant: String? { getenv("FIXTURE_VARIANT").map { String(cString: $0) } }

  /// Returns the number of this run, from 0. Returns 0 in every run if FIXTURE_RUNS names no file.
  private static func runNumber() -> Int {
    guard let path = getenv("FIXTURE_RUNS") else { return 0 }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    defer { close(file) }
    _ = write(file, ".", 1)
    return Int(lseek(file, 0, SEEK_END)) - 1
  }
}

nonisolated(unsafe) private var heldBlock: UnsafeMutableRawPointer?

/// Allocates once on another thread, while the caller waits.
private struct Helper {
  var byteCount: Int

  func allocate() {
    var thread = pthread_t()
    var byteCount = byteCount
    let status = withUnsafeMutablePointer(to: &byteCount) { count in
      pthread_create(
        &thread, nil,
        { argument in
          // The block is stored in a global variable, because an optimizer would otherwise omit the allocation.
          heldBlock = malloc(argument?.load(as: Int.self) ?? 0)
          free(heldBlock)
          return nil
        }, count)
    }
    precondition(status == 0, "no thread: error \(status)")
    pthread_join(thread, nil)
  }
}
