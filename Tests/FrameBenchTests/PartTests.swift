import CAllocationCounter
import Glibc
import Testing

@testable import FrameBench
@testable import Measurements

/// Tests frames of which only a part is measured (`startFrame()`), and runs that have time for only a few frames.
@Suite struct PartTests {
  private struct Failed: Error { let outcome: WorkerReply.Outcome }

  private static let id = BenchmarkID(scenario: "part", strategy: "default", size: 1)

  private func measure(
    _ pass: MeasurementPass, options: Scenario.Options = .init(), _ body: @escaping @Sendable () -> Scenario.FrameBody
  ) throws -> RunMeasurement {
    var suite = Suite("suite")
    suite.add("part", options: options) { _ in body() }
    var options = RunOptions()
    (options.warmUpFrameCount, options.frameCount) = (2, 8)
    let outcome = Worker(suite).reply(to: WorkerRequest(benchmark: Self.id, pass: pass, options: options)).outcome
    guard case .measured(let measurement) = outcome else { throw Failed(outcome: outcome) }
    return measurement
  }

  private static func allocate(_ count: Int) {
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

  @Test func aRunHasNoMoreFramesThanItHasTimeFor() {
    func frameCount(_ secondsPerRun: Double?) -> Int? {
      var suite = Suite("suite")
      suite.add("part", options: .init(secondsPerRun: secondsPerRun)) { _ in
        { _, _ in
          usleep(1_000)
          return 0
        }
      }
      return suite.preflight(of: Self.id, RunOptions()).frameCount
    }
    #expect(frameCount(1e-6) == 2)
    #expect(frameCount(1e6) == 1_000)
    #expect(frameCount(nil) == nil)
  }
}
