import CAllocationCounter
import Glibc
import Testing

/// What is counted where several threads allocate.
///
/// A sum over all threads is compared with an exact number only in a process of its own, where no other
/// test runs.
@Suite(.enabled(if: allocation_counter_is_active()))
struct ThreadTests {
  @Test func allocationsOfAnotherThreadAreNotThisThreads() throws {
    let start = Semaphore()
    let end = Semaphore()
    let worker = try #require(
      WorkerThread {
        start.wait()
        allocateAndFree(count: 1_000, size: 10)
        end.signal()
      })
    let before = allocation_counter_this_thread()
    let allBefore = allocation_counter_all_threads()
    start.signal()
    end.wait()
    let counted = allocation_counter_this_thread() - before
    let allCounted = allocation_counter_all_threads() - allBefore
    worker.join()
    #expect(counted == AllocationTotals())
    #expect(allCounted.count >= 1_000)
    #expect(worker.ownTotals == AllocationTotals(count: 1_000, bytes: 10_000))
  }

  @Test func aThreadBeginsAtZeroEvenOnALineThatWasUsed() throws {
    for count in [500, 0, 20] {
      let worker = try #require(WorkerThread { allocateAndFree(count: count, size: 8) })
      worker.join()
      #expect(worker.ownTotals == AllocationTotals(count: UInt64(count), bytes: UInt64(8 * count)))
    }
  }

  @Test func totalsNeverFallWhileThreadsComeAndGo() throws {
    let isDone = Semaphore()
    let watcher = try #require(
      WorkerThread {
        var last = allocation_counter_all_threads()
        for _ in 0..<20_000 {
          let now = allocation_counter_all_threads()
          precondition(now.count >= last.count, "\(now.count) after \(last.count)")
          precondition(now.bytes >= last.bytes, "\(now.bytes) after \(last.bytes)")
          last = now
        }
        isDone.signal()
      })
    for _ in 0..<50 {
      let worker = try #require(WorkerThread { allocateAndFree(count: 100, size: 10) })
      worker.join()
    }
    isDone.wait()
    watcher.join()
  }

  @Test func eightThreadsSumUpExactly() async {
    await #expect(processExitsWith: .success) {
      expectExactSum(threadCount: 8, rounds: 1, allocationsEach: 100_000)
    }
  }

  @Test func threadsThatEndedKeepTheirTotals() async {
    await #expect(processExitsWith: .success) {
      expectExactSum(threadCount: 3, rounds: 40, allocationsEach: 50)
    }
  }

  @Test func threadsBeyondThePoolOfLinesSumUpExactly() async {
    await #expect(processExitsWith: .success) {
      expectExactSum(threadCount: 300, rounds: 2, allocationsEach: 100)
    }
  }
}

/// Starts `threadCount` threads that are all alive while they allocate, `rounds` times one after the
/// other, and compares the sum over all threads with what each counted of itself.
@inline(never)
private func expectExactSum(threadCount: Int, rounds: Int, allocationsEach: Int) {
  let expected = AllocationTotals(count: UInt64(allocationsEach), bytes: UInt64(10 * allocationsEach))
  for _ in 0..<rounds {
    let started = Semaphore()
    let go = Semaphore()
    let allocated = Semaphore()
    let leave = Semaphore()
    let before = allocation_counter_all_threads()
    let ownBefore = allocation_counter_this_thread()
    var workers: [WorkerThread] = []
    for _ in 0..<threadCount {
      let worker = WorkerThread {
        started.signal()
        go.wait()
        allocateAndFree(count: allocationsEach, size: 10)
        allocated.signal()
        leave.wait()
      }
      guard let worker else { preconditionFailure("no thread \(workers.count) of \(threadCount)") }
      workers.append(worker)
    }
    for _ in workers { started.wait() }

    let middle = allocation_counter_all_threads()
    for _ in workers { go.signal() }
    for _ in workers { allocated.wait() }
    let work = allocation_counter_all_threads() - middle
    precondition(
      work.count == UInt64(threadCount) * expected.count, "\(work.count) allocations by all threads")
    precondition(work.bytes == UInt64(threadCount) * expected.bytes, "\(work.bytes) bytes by all threads")

    for _ in workers { leave.signal() }
    for worker in workers { worker.join() }
    let own = allocation_counter_this_thread() - ownBefore
    let all = allocation_counter_all_threads() - before
    for worker in workers {
      precondition(worker.ownTotals == expected, "a thread counted \(worker.ownTotals)")
    }
    let sum = workers.reduce(own) { $0 + $1.ownTotals }
    precondition(all == sum, "all threads: \(all), the sum of each: \(sum)")
  }
}
