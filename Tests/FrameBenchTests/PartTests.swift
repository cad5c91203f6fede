import CAllocationCounter
import Glibc
import Testing

@testable import FrameBench
@testable import Measurements

/// Tests frames of which only a part is measured (`startFrame()`), and runs that have time for only a few frames.
@Suite struct PartTests {
  private struct Failed: Error { let outcome: WorkerReply.Outcome }

  fileprivate static let id = BenchmarkID(scenario: "part", strategy: "default", size: 1)

  private func measure(
    _ pass: MeasurementPass, options: Scenario.Options = .init(), secondsLimit: Double? = nil,
    _ body: @escaping @Sendable () -> Scenario.FrameBody
  ) throws -> RunMeasurement {
    var suite = Suite("suite")
    suite.add("part", options: options) { _ in body() }
    var options = RunOptions()
    (options.warmUpFrameCount, options.frameCount) = (2, 8)
    var request = WorkerRequest(benchmark: Self.id, pass: pass, options: options)
    request.secondsLimit = secondsLimit
    let outcome = Worker(suite).reply(to: request).outcome
    guard case .measured(let measurement) = outcome else { throw Failed(outcome: outcome) }
    return measurement
  }

  fileprivate static func allocate(_ count: Int) {
    for index in 0..<count { blackHole(Array(repeating: index, count: identity(4))) }
  }

  @Test(.enabled(if: allocation_counter_is_active())) func whatAFrameDoesBeforeItStartsAndAfterItEndsIsLeftOut() throws
  {
    let run = try measure(.allocations) {
      { _, timer in
        Self.allocate(100)
        timer.startFrame()
        Self.allocate(3)
        timer.endFrame()
        Self.allocate(50)
        return 0
      }
    }
    #expect(run.allocations?.frameThread.count.total == 24)
  }

  @Test(.enabled(if: allocation_counter_is_active())) func theLastOfSeveralPartsCounts() throws {
    let run = try measure(.allocations) {
      { _, timer in
        for count in [5, 2] {
          timer.startFrame()
          Self.allocate(count)
          timer.endFrame()
        }
        return 0
      }
    }
    #expect(run.allocations?.frameThread.count.total == 16)
    #expect(run.measuresSeveralParts == true)
  }

  @Test(.enabled(if: allocation_counter_is_active())) func phasesBeforeTheStartAndInsideThemselvesDoNotCount() throws {
    let run = try measure(.allocations) {
      { _, timer in
        timer.measure(.solve) { Self.allocate(10) }
        timer.startFrame()
        timer.measure(.query) {
          Self.allocate(1)
          timer.measure(.solve) { timer.measure(.solve) { Self.allocate(2) } }
        }
        return 0
      }
    }
    #expect(run.phases.map(\.name) == ["solve", "query"])
    #expect(run.phases.map { $0.allocations?.count.total } == [16, 24])
    #expect(run.measuresSeveralParts == nil)
  }

  @Test func aPhaseThatRunsOnlyInsideOthersIsAnInnerOne() throws {
    let run = try measure(.allocations) {
      { _, timer in
        timer.measure(.query) { timer.measure(.solve) { timer.measure(.prepare) {} } }
        timer.measure(.prepare) {}
        return 0
      }
    }
    #expect(run.phases.map(\.name) == ["query", "solve", "prepare"])
    #expect(run.phases.map(\.isInner) == [nil, true, nil])
  }

  @Test func aRateIsThatOfOnePartOnly() throws {
    for partCount in [1, 2] {
      var suite = Suite("suite")
      suite.add("part", options: .init(countsCalls: true)) { context in
        context.throughput = .items(1_000)
        return { _, timer in
          for _ in 0..<partCount {
            timer.startFrame()
            timer.endFrame()
          }
          return 0
        }
      }
      let request = WorkerRequest(benchmark: Self.id, pass: .frames, options: RunOptions())
      let outcome = Worker(suite).reply(to: request).outcome
      guard case .measured(let run) = outcome else { throw Failed(outcome: outcome) }
      #expect(run.throughput == (partCount == 1 ? .items(1_000) : nil))
    }
  }

  @Test func theSearchForTheNumberOfCallsTimesTheMeasuredPart() throws {
    let ticks = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    ticks.initialize(to: 0)
    let timer = FrameTimer(mode: .frames, clock: .manual(ticks), state: .made())
    defer {
      timer.state.destroy()
      ticks.deallocate()
    }
    let body: Scenario.FrameBody = { _, timer in
      ticks.pointee += 100 * UInt64(timer.repetitionCount)
      timer.endFrame()
      ticks.pointee += 50_000
      return 0
    }
    #expect(try Repetition.find(body, ScenarioContext(Self.id, RunOptions()), timer).count == 128)
  }

  @Test func withoutAWarmUpTheFirstCallIsRecorded() throws {
    var suite = Suite("suite")
    suite.measure("part", sizes: [1]) { _ in
      var isWarm = false
      return {
        if !isWarm { usleep(5_000) }
        isWarm = true
      }
    }
    var options = RunOptions()
    for frameCount in [1, 8] {
      (options.warmUpFrameCount, options.frameCount) = (0, frameCount)
      let outcome = Worker(suite).reply(to: WorkerRequest(benchmark: Self.id, pass: .frames, options: options)).outcome
      guard case .measured(let run) = outcome else { throw Failed(outcome: outcome) }
      #expect(run.frameNanoseconds?.count == frameCount)
      #expect(try #require(run.frameNanoseconds)[0] > 4_900_000)
    }
  }

  /// Runs in a separate process, because allocations of all threads count.
  @Test(.enabled(if: allocation_counter_is_active())) func onSeveralCoresTheTypeOfTheResultDoesNotMatter() async {
    await #expect(processExitsWith: .success) {
      @Sendable func work() async -> Int {
        await withTaskGroup { group in for _ in 0..<4 { group.addTask { PartTests.allocate(100) } } }
        return 1
      }
      for returnsNothing in [true, false] {
        var suite = Suite("suite")
        let cores = Scenario.Options(cores: 2)
        if returnsNothing {
          suite.add("part", options: cores) { _ in { (_, _) async -> Void in _ = await work() } }
        } else {
          suite.add("part", options: cores) { _ in { (_, _) async -> Int in await work() } }
        }
        var options = RunOptions()
        (options.warmUpFrameCount, options.frameCount) = (2, 8)
        let request = WorkerRequest(benchmark: PartTests.id, pass: .allocations, options: options)
        guard case .measured(let run) = Worker(suite).reply(to: request).outcome else { exit(1) }
        guard let allocations = run.allocations, allocations.otherThreads.count.total == 0 else { exit(2) }
        guard allocations.frameThread.count.values.allSatisfy({ $0 >= 400 }) else { exit(3) }
      }
    }
  }

  /// Runs in a separate process, because the live heap is that of all threads.
  @Test(.enabled(if: allocation_counter_live_heap_bytes() > 0)) func theLiveHeapDoesNotContainTheResults() async {
    await #expect(processExitsWith: .success) {
      var suite = Suite("suite")
      suite.add("part") { _ in { _, _ in 0 } }
      var options = RunOptions()
      options.frameCount = 50_000
      let request = WorkerRequest(benchmark: PartTests.id, pass: .frames, options: options)
      guard case .measured(let run) = Worker(suite).reply(to: request).outcome else { exit(1) }
      // The results of 50,000 frames take 400,000 bytes, which must not count.
      exit(run.memory.liveHeapBytes.map { $0 < 200_000 } == true ? 0 : 2)
    }
  }

  @Test(.enabled(if: allocation_counter_is_active())) func aPartThatTwoThreadsBeginAndEndHasTheAllocationsOfBoth()
    throws
  {
    let run = try measure(.allocations) {
      { _, timer in
        nonisolated(unsafe) let timer = timer
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work { timer.startFrame() })
        pthread_create(
          &thread, nil,
          {
            Unmanaged<Work>.fromOpaque($0!).takeRetainedValue().body()
            return nil
          }, work.toOpaque())
        pthread_join(thread, nil)
        Self.allocate(3)
        return 0
      }
    }
    // The measured part of the frame began on another thread, so allocations of all threads count, including those of
    // other tests.
    #expect(try #require(run.allocations).frameThread.count.total >= 24)
    #expect(run.allocations?.otherThreads.count.total == 0)
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  @Test func aFunctionThatStartsItsPartIsCalledOnceAFrame() throws {
    let run = try measure(.frames, options: .init(countsCalls: true)) {
      { _, timer in
        timer.startFrame()
        return 0
      }
    }
    #expect(run.callCount == 1)
    let short = try measure(.frames, options: .init(countsCalls: true)) {
      { _, timer in
        for _ in 0..<timer.repetitionCount { blackHole(1) }
        return 0
      }
    }
    #expect(try #require(short.callCount) > 1)
  }

  @Test func anInterruptionDoesNotEndTheSearchForTheNumberOfCalls() throws {
    let run = try measure(.frames, options: .init(countsCalls: true)) {
      var frameCount = 0
      return { _, timer in
        frameCount += 1
        // The search for the number of calls begins after the first frame. The pause imitates an interruption.
        if frameCount == 2 { usleep(1_000) }
        for _ in 0..<timer.repetitionCount { blackHole(1) }
        return 0
      }
    }
    #expect(try #require(run.callCount) > 1)
  }

  /// The first call with each fresh state takes long, inside or outside its measured part.
  @Test(arguments: [true, false]) func onlyAMeasuredPartCanUseUpWhatSetUpMade(_ isMeasured: Bool) throws {
    let run = try measure(.allocations, options: .init(countsCalls: true)) {
      var isWarm = false
      return { _, timer in
        if isMeasured { timer.startFrame() }
        if !isWarm { usleep(2_000) }
        isWarm = true
        if !isMeasured { timer.startFrame() }
        return 0
      }
    }
    #expect((run.usedUpNanoseconds ?? 0 > 2e6) == isMeasured)
  }

  @Test func aLongFirstFrameAloneDoesNotEndARun() throws {
    let run = try measure(.frames, secondsLimit: 1) {
      { frame, _ in
        if frame.index == 0 { usleep(300_000) }
        return 0
      }
    }
    #expect(run.frameNanoseconds?.count == 8)
  }

  @Test func aRunHasNoMoreFramesThanItHasTimeFor() {
    func frameCount(_ secondsPerRun: Double?, timedBelowBytes limit: Int = .max) -> Int? {
      var suite = Suite("suite")
      suite.add("part", options: .init(secondsPerRun: secondsPerRun)) { _ in
        { _, _ in
          usleep(1_000)
          return 0
        }
      }
      return suite.preflight(of: Self.id, RunOptions(), timedBelowBytes: limit).frameCount
    }
    #expect(frameCount(1e-6) == 2)
    #expect(frameCount(1e6) == 1_000)
    #expect(frameCount(nil) == nil)
    #expect(frameCount(1e-6, timedBelowBytes: 0) == nil)
  }
}
