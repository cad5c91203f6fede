import CAllocationCounter
import Testing

@testable import FrameBench
@testable import Measurements

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct WorkerTests {
  @Test func aRunAnswersOneValueAFrame() throws {
    let frames = try measure("steady", .frames)
    #expect(frames.frameNanoseconds?.count == 6)
    #expect(frames.phases.isEmpty)
    #expect(frames.allocations == nil)

    let phases = try measure("steady", .phases)
    #expect(phases.frameNanoseconds == nil)
    #expect(phases.phases.map(\.name) == ["solve", "query"])
    #expect(
      phases.phases.allSatisfy { $0.nanoseconds?.count == 6 && $0.clockPairs?.values == Array(repeating: 1, count: 6) })
  }

  @Test func timesTravelInTenthsOfNanoseconds() throws {
    let values = try #require(try measure("steady", .frames).frameNanoseconds)
    #expect(values.count == 6)
    for value in values { #expect(value == (value * 10).rounded() / 10) }
  }

  @Test func theFrameIsToldItsIndexTimestepAndWhetherItIsWarmUp() throws {
    let series = try measure("frames", .frames).counters
    #expect(series["index"]?.values == [3, 4, 5, 6, 7, 8])
    #expect(series["warmUp"]?.values == [0, 0, 0, 0, 0, 0])
    #expect(series["rate"]?.values == [90, 90, 90, 90, 90, 90])
  }

  @Test func theChecksumCoversTheRecordedFramesOnlyAndIsTheSameInEveryPass() throws {
    var expected = Checksum()
    for index in 3..<9 { expected.combine(UInt64(index)) }
    // Other tests cover the passes that count instructions, which need valgrind or a suitable processor.
    for pass in [MeasurementPass.frames, .phases, .allocations, .output] {
      #expect(try measure("frames", pass).checksum == expected.hexadecimal)
    }
  }

  @Test(.enabled(if: allocation_counter_is_active())) func anAllocatingFrameIsCountedExactlyAndAttributedToItsPhase()
    throws
  {
    let measurement = try measure("allocating", .allocations)
    let allocations = try #require(measurement.allocations)
    #expect(allocations.frameThread.count.values == [0, 0, 3, 0, 0, 0])
    #expect(allocations.frameThread.bytes.values == [0, 0, 148, 0, 0, 0])
    #expect(allocations.firstAllocatingFrame == 2)
    #expect(measurement.phases.map(\.name) == ["prepare", "query"])
    #expect(measurement.phases[0].allocations?.count.values == [0, 0, 2, 0, 0, 0])
    #expect(measurement.phases[0].allocations?.bytes.values == [0, 0, 48, 0, 0, 0])
    #expect(measurement.phases[1].allocations?.count.values == [0, 0, 0, 0, 0, 0])
  }

  @Test(.enabled(if: allocation_counter_is_active())) func setUpAndWarmUpAllocationsStandApart() throws {
    let allocations = try #require(try measure("allocating", .allocations).allocations)
    #expect(allocations.warmUpCount == 1)
    #expect(allocations.warmUpBytes == 77)
    #expect(allocations.setUpCount >= 1)
    #expect(allocations.setUpBytes >= 4_000)
  }

  @Test(.enabled(if: canTrackHeap)) func freesAreCountedByFrameAndPhase() throws {
    let measurement = try measure("buffered", .allocations)
    let frames = try #require(measurement.allocations?.frameThread)
    #expect(frames.freeCount?.values == [1, 1, 1, 1, 1, 1] && frames.count.values == [2, 2, 2, 2, 2, 2])
    #expect(frames.freedBytes?.values == [128, 128, 128, 128, 128, 128])
    #expect(frames.netBytes?.values == [64, 64, 64, 64, 64, 64])
    let phases = measurement.phases.map { $0.allocations?.netBytes?.values }
    #expect(phases == [[192, 192, 192, 192, 192, 192], [-128, -128, -128, -128, -128, -128]])
    #expect(measurement.memory.setUpNanoseconds != nil && measurement.memory.otherThreadCPUNanoseconds != nil)
  }

  @Test(arguments: [MeasurementPass.frames, .allocations])
  func warmUpFramesAndTheTearDownAreTimedWithoutWhatFollowsAFrame(_ pass: MeasurementPass) throws {
    let memory = try measure("pausing", pass).memory
    let (warmUp, tearDown) = (try #require(memory.warmUpNanoseconds), try #require(memory.tearDownNanoseconds))
    #expect((10_000_000..<300_000_000).contains(warmUp))
    #expect(tearDown >= 10_000_000)
  }

  /// Runs in a separate process, because the CPU time of children is counted for the whole process.
  @Test func theWorkOfChildProcessesCountsAsThatOfOtherThreads() async {
    await #expect(processExitsWith: .success) {
      var suite = Suite("children")
      suite.add("counting", sizes: [1]) { context in
        var child = pid_t()
        let words = ["sh", "-c", "while :; do :; done"]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        guard posix_spawn(&child, "/bin/sh", nil, nil, arguments, environ) == 0 else { exit(1) }
        let started = child
        // Frame 20 ends the child process. Tear-down does so, too, because the search for leaks runs set-up and
        // tear-down without frames.
        context.tearDown { kill(started, SIGKILL) }
        return { frame, timer in
          usleep(10_000)
          if frame.index == 20 { kill(started, SIGKILL) }
          return 0
        }
      }
      var options = RunOptions()
      (options.warmUpFrameCount, options.frameCount) = (1, 21)
      let id = BenchmarkID(scenario: "counting", strategy: "default", size: 1)
      let reply = Worker(suite).reply(to: WorkerRequest(benchmark: id, pass: .allocations, options: options))
      guard case .measured(let measurement) = reply.outcome else { exit(2) }
      // The child's CPU time must be counted although the process has not waited for the child.
      let memory = measurement.memory
      exit(memory.otherThreadCPUNanoseconds ?? 0 > 1_000_000 && memory.firstFrameNanoseconds ?? 0 > 9_000_000 ? 0 : 3)
    }
  }

  /// Runs in a separate process, because net bytes cover all threads.
  @Test(.enabled(if: canTrackHeap)) func whatAFrameFreesAfterItsEndDoesNotStayOnTheHeap() async {
    await #expect(processExitsWith: .success) {
      let reply = Worker(WorkerSuite.suite).reply(to: WorkerTests.request("buffered", .allocations))
      guard case .measured(let measurement) = reply.outcome, let allocations = measurement.allocations else { exit(1) }
      let isExact = allocations.netBytes?.values == [0, 0, 0, 0, 0, 0]
      // The lower bound is the size of the first block of `Bag` plus that of the blocks of one frame.
      exit(isExact && allocations.peakHeapBytes.map { (4_096 + 192..<6_000).contains($0) } == true ? 0 : 2)
    }
  }

  /// Runs in a separate process, because the bytes left on the heap cover all threads.
  @Test(.enabled(if: canTrackHeap)) func aStateThatIsNeverFreedIsLeftOnTheHeap() async {
    await #expect(processExitsWith: .success) {
      let left = ["buffered", "kept"].map { scenario in
        let reply = Worker(WorkerSuite.suite).reply(to: WorkerTests.request(scenario, .allocations))
        guard case .measured(let measurement) = reply.outcome else { exit(1) }
        return measurement.allocations?.leftHeapBytes ?? -1
      }
      // Memory that the first set-up allocated for the whole process may stay.
      exit((0..<4_096).contains(left[0]) && (40_960..<50_000).contains(left[1]) ? 0 : 2)
    }
  }

  /// Runs in a separate process, because other tests open files.
  @Test func filesThatAreNeverClosedAreCounted() async {
    await #expect(processExitsWith: .success) {
      let left = ["buffered", "opening"].map { scenario in
        let reply = Worker(WorkerSuite.suite).reply(to: WorkerTests.request(scenario, .frames))
        guard case .measured(let measurement) = reply.outcome else { exit(1) }
        return measurement.memory.leftFileCount
      }
      let request = WorkerTests.request("opening", .frames)
      let frameCount = request.options.warmUpFrameCount + request.options.frameCount
      exit(left == [0, frameCount] ? 0 : 2)
    }
  }

  /// Runs in a separate process, because it lowers the limit of open files.
  @Test func filesThatCannotBeCountedAreNotSaidToBeClosed() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 24, rlim_max: 24)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let reply = Worker(WorkerSuite.suite).reply(to: WorkerTests.request("exhausting", .frames))
      guard case .measured(let measurement) = reply.outcome else { exit(1) }
      exit(measurement.memory.leftFileCount == nil ? 0 : 2)
    }
  }

  @Test(.enabled(if: allocation_counter_is_active())) func whatFollowsTheEndOfTheFrameIsNotCounted() throws {
    let allocations = try #require(try measure("late", .allocations).allocations)
    #expect(allocations.frameThread.count.total == 0)
  }

  @Test(.enabled(if: allocation_counter_live_heap_bytes() > 0)) func theHeapThatTheStateHoldsIsMeasured() throws {
    let bytes = try #require(try measure("holding", .frames).memory.liveHeapBytes)
    #expect(bytes >= 60 << 20)
  }

  @Test func peakMemoryIsReadFromTheKernelsStatus() {
    #expect(ProcessUsage.number("VmHWM", in: "VmPeak:\t 10 kB\nVmHWM:\t   5804 kB\n") == 5_804)
    #expect(ProcessUsage.number("VmHWM", in: "VmPeak:\t 10 kB\n") == nil)
    #expect(ProcessUsage.peakBytes().map { $0 > 1 << 20 } ?? true)
  }

  /// The test checks only lower bounds, because other tests in this process also write.
  @Test func callsOfWriteAreCountedAndCPUTimeToo() throws {
    let memory = try measure("writing", .frames).memory
    #expect(try #require(memory.writeCallCount) >= 9 && #require(memory.readCallCount) >= 0)
    #expect(try #require(memory.cpuUserNanoseconds) + #require(memory.cpuSystemNanoseconds) > 0)
  }

  @Test func aSetUpThatThrowsBecomesAReplyOfOneLine() {
    let reply = Worker(WorkerSuite.suite).reply(to: Self.request("throwing", .frames))
    #expect(reply.outcome == .failed(reason: "set-up failed: the trace is missing"))
  }

  @Test func anUnknownBenchmarkIsRefusedByName() {
    var request = Self.request("steady", .frames)
    request.benchmark.strategy = "nobody"
    let reply = Worker(WorkerSuite.suite).reply(to: request)
    #expect(reply.outcome == .failed(reason: "suite \"worker\" has no benchmark steady/nobody/10"))
  }

  private static func request(_ scenario: String, _ pass: MeasurementPass) -> WorkerRequest {
    var options = RunOptions()
    options.frameCount = 6
    options.warmUpFrameCount = 3
    options.refreshRateHertz = 90
    return WorkerRequest(
      benchmark: BenchmarkID(scenario: scenario, strategy: "mine", size: 10), pass: pass, options: options)
  }

  private func measure(_ scenario: String, _ pass: MeasurementPass) throws -> RunMeasurement {
    let reply = Worker(WorkerSuite.suite).reply(to: Self.request(scenario, pass))
    guard case .measured(let measurement) = reply.outcome else { throw UnexpectedReply(reply: reply) }
    return measurement
  }

  private struct UnexpectedReply: Error { var reply: WorkerReply }
}

private enum WorkerSuite {
  struct MissingTrace: Error, CustomStringConvertible { var description: String { "the trace\nis missing" } }

  static var suite: Suite {
    var suite = Suite("worker")
    suite.add("steady", strategies: ["mine"], sizes: [10]) { _, context in
      let size = context.size
      var values = Array(repeating: 1.0, count: size)
      return { frame, timer in
        timer.measure(.solve) { for index in values.indices { values[index] += frame.timestep } }
        return timer.measure(.query) { values[0].bitPattern }
      }
    }
    suite.add("frames", strategies: ["mine"], sizes: [10]) { _, _ in
      { frame, timer in
        timer.endFrame()
        timer.record(Counter("index"), frame.index)
        timer.record(Counter("warmUp"), frame.isWarmUp ? 1 : 0)
        timer.record(Counter("rate"), Int((1 / frame.timestep).rounded()))
        return UInt64(frame.index)
      }
    }
    suite.add("writing", strategies: ["mine"], sizes: [10]) { _, _ in
      let file = open("/dev/null", O_WRONLY)
      return { _, _ in UInt64(write(file, "a", 1)) }
    }
    suite.add("pausing", strategies: ["mine"], sizes: [10]) { _, context in
      let pause = Pause()
      context.tearDown { usleep(5_000) }
      return { frame, timer in
        if frame.index == 1 { usleep(10_000) }
        timer.endFrame()
        if frame.index == 2 { usleep(300_000) }
        return withExtendedLifetime(pause) { 0 }
      }
    }
    addAllocatingScenarios(to: &suite)
    suite.add("throwing", strategies: ["mine"], sizes: [10]) { _, _ in throw MissingTrace() }
    return suite
  }

  private static func addAllocatingScenarios(to suite: inout Suite) {
    suite.add("buffered", strategies: ["mine"], sizes: [10]) { _, _ in
      let bag = Bag(bytes: 4_000)
      return { _, timer in
        timer.measure(.prepare) {
          bag.take(64)
          bag.take(128)
        }
        timer.measure(.query) { bag.giveBack() }
        timer.endFrame()
        bag.giveBack()
        return 0
      }
    }
    suite.add("allocating", strategies: ["mine"], sizes: [10]) { _, context in
      let bag = Bag(bytes: 4_000)
      return { frame, timer in
        if frame.index == 1 { bag.take(77) }
        timer.measure(.prepare) {
          if frame.index == context.warmUpFrameCount + 2 {
            bag.take(32)
            bag.take(16)
          }
        }
        timer.measure(.query) {}
        if frame.index == context.warmUpFrameCount + 2 { bag.take(100) }
        return 0
      }
    }
    suite.add("kept", strategies: ["mine"], sizes: [10]) { _, _ in
      let bag = Unmanaged.passRetained(Bag(bytes: 40_960))
      return { _, _ in UInt64(bag.takeUnretainedValue().count) }
    }
    suite.add("opening", strategies: ["mine"], sizes: [10]) { _, _ in
      // The set-up's file is closed when the state is freed. Each frame opens a file that stays open.
      let file = FileHolder()
      return { _, _ in UInt64(dup(file.number) > 0 ? 1 : 0) }
    }
    suite.add("exhausting", strategies: ["mine"], sizes: [10]) { _, _ in
      while dup(0) >= 0 {}
      return { _, _ in 0 }
    }
    suite.add("late", strategies: ["mine"], sizes: [10]) { _, _ in
      let bag = Bag(bytes: 100)
      return { _, timer in
        timer.endFrame()
        bag.take(64)
        return 0
      }
    }
    suite.add("holding", strategies: ["mine"], sizes: [10]) { _, _ in
      let bag = Bag(bytes: 64 << 20)
      return { _, _ in UInt64(bag.count) }
    }
  }

  private final class FileHolder {
    let number = open("/dev/null", O_RDONLY)
    deinit { close(number) }
  }

  private final class Pause { deinit { usleep(5_000) } }

  /// Allocates blocks and keeps them. Allocates nothing else after `init`.
  private final class Bag {
    private var kept: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private(set) var count = 0

    init(bytes: Int) {
      kept = .allocate(capacity: 64)
      take(bytes)
    }

    deinit {
      for index in 0..<count { free(kept[index]) }
      kept.deallocate()
    }

    func take(_ bytes: Int) {
      kept[count] = malloc(bytes)
      count += 1
    }

    func giveBack() {
      count -= 1
      free(kept[count])
    }
  }
}

/// Whether the heap can be tracked. Tracking is stopped again, because it slows down all threads.
private let canTrackHeap: Bool = {
  guard allocation_counter_track_heap() else { return false }
  allocation_counter_stop_tracking_heap()
  return true
}()
