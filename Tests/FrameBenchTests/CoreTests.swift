import CAllocationCounter
import CProcessControl
import Glibc
import Testing

@testable import FrameBench

@Suite struct CoreTests {
  private let alone = { (core: Int) in "\(core)" }

  @Test func oneCoreIsTheRequestedOne() {
    let cores = WorkerCores(1, first: 3, allowed: [0, 1, 2, 3], processor: alone)
    #expect(cores.measuring == [3] && cores.spare == [2, 1, 0])
  }

  @Test func severalCoresBeginWithTheRequestedOneAndLeaveTheFirstOnes() {
    let cores = WorkerCores(2, first: 5, allowed: [0, 1, 4, 5], processor: alone)
    #expect(cores.measuring == [5, 4] && cores.spare == [1, 0])
  }

  @Test func threadsOfOneProcessorComeAfterThoseOfOthers() {
    let cores = WorkerCores(3, first: 3, allowed: [0, 1, 2, 3], processor: { "\($0 / 2)" })
    #expect(cores.measuring == [3, 1, 2] && cores.spare == [0])
  }

  @Test(arguments: [3, .max]) func askingForMoreThanThereAreTakesAll(count: Int) {
    let cores = WorkerCores(count, first: 1, allowed: [0, 1], processor: alone)
    #expect(cores.measuring == [1, 0] && cores.spare.isEmpty)
  }

  /// Runs in a separate process, because pinning affects the whole process.
  @Test func threadsThatRunAlreadyArePinnedToo() async {
    await #expect(processExitsWith: .success) {
      var allowed = [Int32](repeating: 0, count: 4_096)
      guard process_control_allowed_cores(&allowed, 4_096) > 0 else { return }
      let core = allowed[0]
      nonisolated(unsafe) let (begin, end) = (Gate(), Gate())
      nonisolated(unsafe) var ofThread: Int32 = -1
      let thread = BareThread {
        end.open()
        begin.wait()
        precondition(process_control_allowed_cores(&ofThread, 1) == 1)
      }
      end.wait()
      precondition(WorkerCores.pin([Int(core)]))
      begin.open()
      thread.join()
      var pinned: Int32 = -1
      precondition(process_control_allowed_cores(&pinned, 1) == 1 && pinned == core && ofThread == core)
    }
  }

  @Test(arguments: [0, -1]) func aScenarioThatAsksForNoCoreIsRefused(count: Int) {
    var suite = Suite("suite")
    suite.measure("sum", options: .init(cores: count)) { 1 }
    #expect(suite.problems == ["scenario \"sum\" asks for \(count) cores; ask for one at least"])
  }

  @Test func workOfOtherThreadsIsMeasuredByTheirTime() async {
    await #expect(processExitsWith: .success) {
      var meter = OtherThreads()
      for _ in 0..<3 {
        meter.beginFrame()
        onAnotherThread { spin(milliseconds: 2) }
        spin(milliseconds: 1)
        meter.endFrame()
        meter.keepFrame()
      }
      precondition(meter.others >= 6_000_000 && meter.process - meter.others >= 3_000_000)
      precondition(meter.wall > 0)
    }
  }

  @Test(
    arguments: [
      (process: 10, others: 4, wall: 10, share: 0.4), (process: 20, others: 10, wall: 10, share: 0.5),
      // `share` is nil if other threads use little CPU time: in total, compared with the process, or compared with the
      // wall time.
      (process: 2, others: 1, wall: 2, share: nil), (process: 100, others: 4, wall: 100, share: nil),
      (process: 5, others: 4, wall: 500, share: nil),
    ] as [(process: Int, others: Int, wall: Int, share: Double?)]) func aShareIsToldIfItMatters(
      process: Int, others: Int, wall: Int, share: Double?
    )
  {
    let meter = OtherThreads(process: process * 1_000_000, others: others * 1_000_000, wall: wall * 1_000_000)
    #expect(meter.share() == share)
    #expect(meter.share(without: others * 1_000_000) == nil, "the worker's own thread does not count")
  }

  @Test func workOfOtherThreadsDoesNotCountWhereCoresAreAskedForNorAfterTheFrame() async {
    await #expect(processExitsWith: .success) {
      for count in [1, 2] {
        var suite = Suite("suite")
        suite.measure("two", options: .init(cores: count)) { onAnotherThread { spin(milliseconds: 1) } }
        let asked = try run(suite, .allocations)
        precondition(asked.otherThreadShare == nil)
      }
      var suite = Suite("suite")
      suite.add("tail") { _ in
        { _, timer in
          timer.endFrame()
          onAnotherThread { spin(milliseconds: 1) }
          return 0
        }
      }
      let tail = try run(suite, .allocations)
      precondition(tail.otherThreadShare == nil)
    }
  }

  /// The test runs frames on a thread of its own, because Swift's thread pool may have only one thread.
  @Test(arguments: [(nil, false), (1, false), (2, true)] as [(Int?, Bool)])
  func framesThatSuspendRunTheirChildTasksElsewhereOnlyIfTheyAskForCores(cores: Int?, isElsewhere: Bool) async throws {
    let values = await withCheckedContinuation { continuation in
      _ = BareThread {
        let measuring = pthread_self()
        var suite = Suite("suite")
        suite.add("tasks", options: .init(cores: cores)) { _ in
          { _, timer in
            async let other = pthread_equal(pthread_self(), measuring) == 0
            timer.record(Counter("elsewhere"), await other ? 1 : 0)
            return 0
          }
        }
        continuation.resume(returning: try? run(suite, .frames).counters["elsewhere"]?.values)
      }
    }
    #expect(values == Array(repeating: isElsewhere ? 1 : 0, count: 12))
  }

  /// Runs in a separate process, because the allocations of all threads count.
  @Test(.enabled(if: allocation_counter_is_active())) func allocationsOfAPhaseThatSuspendsAreThoseOfAllItsThreads()
    async
  {
    await #expect(processExitsWith: .success) {
      let allocations = await withCheckedContinuation { continuation in
        _ = BareThread {
          var suite = Suite("suite")
          suite.add("tasks", options: .init(cores: 2)) { _ in
            { _, timer in
              await timer.measure(Phase("work")) {
                for _ in 0..<20 {
                  await Task.detached { spin(milliseconds: 0) }.value
                  UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16).deallocate()
                }
              }
              return 0
            }
          }
          continuation.resume(returning: try? run(suite, .allocations).phases.first?.allocations)
        }
      }
      let counts = allocations?.count.values ?? []
      precondition(counts.count == 12 && counts.allSatisfy { (20..<10_000).contains($0) }, "\(counts)")
    }
  }
}

private func run(_ suite: Suite, _ pass: MeasurementPass) throws -> RunMeasurement {
  var options = RunOptions()
  (options.frameCount, options.warmUpFrameCount) = (12, 1)
  let scenario = suite.scenarios[0]
  let id = BenchmarkID(scenario: scenario.name, strategy: scenario.strategies[0], size: 1)
  let outcome = Worker(suite).reply(to: WorkerRequest(benchmark: id, pass: pass, options: options)).outcome
  guard case .measured(let measurement) = outcome else { throw Refused(outcome: "\(outcome)") }
  return measurement
}

private struct Refused: Error { let outcome: String }

/// Works until the calling thread has used this much CPU time. Interruptions of the thread do not count.
func spin(milliseconds: Int) {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  let start = time.tv_sec * 1_000_000_000 + time.tv_nsec
  repeat {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  } while time.tv_sec * 1_000_000_000 + time.tv_nsec - start < milliseconds * 1_000_000
}

private func onAnotherThread(_ body: @escaping () -> Void) { BareThread(body).join() }

private final class BareThread {
  private let body: () -> Void
  private var handle = pthread_t()

  init(_ body: @escaping () -> Void) {
    self.body = body
    pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<BareThread>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
  }

  func join() { pthread_join(handle, nil) }
}

private final class Gate {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func open() { sem_post(semaphore) }

  func wait() { while sem_wait(semaphore) != 0 {} }
}
