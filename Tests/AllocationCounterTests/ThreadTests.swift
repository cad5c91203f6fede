import CAllocationCounter
import Glibc
import Testing

/// Tests the counts while several threads allocate.
///
/// A sum over all threads is only exact in a separate process, where no other test runs.
@Suite(.enabled(if: allocation_counter_is_active())) struct ThreadTests {
  @Test func allocationsOfAnotherThreadAreNotThisThreads() throws {
    allocateAndFree(count: 1, size: 10)
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
    let first = try #require(WorkerThread { allocateAndFree(count: 1, size: 8) })
    first.join()
    for count in [500, 0, 20] {
      let worker = try #require(WorkerThread { allocateAndFree(count: count, size: 8) })
      worker.join()
      #expect(worker.ownTotals == AllocationTotals(count: UInt64(count), bytes: UInt64(8 * count)))
    }
  }

  @Test func whatAThreadAllocatesInItsLastDestructorsIsStillItsOwn() throws {
    // glibc calls the destructors of thread-specific data in the order of their keys, and the allocation counter's key
    // was created earlier. So this destructor allocates after the thread has given up its own counters.
    var key = pthread_key_t()
    pthread_key_create(&key) { argument in
      allocateAndFree(count: 100, size: 10)
      argument?.assumingMemoryBound(to: AllocationTotals.self).pointee = allocation_counter_this_thread()
    }
    defer { pthread_key_delete(key) }
    let totals = UnsafeMutablePointer<AllocationTotals>.allocate(capacity: 1)
    totals.initialize(to: AllocationTotals())
    defer { totals.deallocate() }
    allocateAndFree(count: 1, size: 10)

    let threadKey = key
    let address = UInt(bitPattern: totals)
    let worker = try #require(
      WorkerThread {
        pthread_setspecific(threadKey, UnsafeRawPointer(bitPattern: address))
        allocateAndFree(count: 50, size: 10)
      })
    worker.join()
    #expect(totals.pointee.count == worker.ownTotals.count + 100)
    #expect(totals.pointee.bytes == worker.ownTotals.bytes + 1_000)
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
    await #expect(processExitsWith: .success) { expectExactSum(threadCount: 8, rounds: 1, allocationsEach: 100_000) }
  }

  @Test func threadsThatEndedKeepTheirTotals() async {
    await #expect(processExitsWith: .success) { expectExactSum(threadCount: 3, rounds: 40, allocationsEach: 50) }
  }

  @Test func threadsBeyondThePoolOfLinesSumUpExactly() async {
    await #expect(processExitsWith: .success) { expectExactSum(threadCount: 300, rounds: 2, allocationsEach: 100) }
  }
}

/// In each of the `rounds`, starts `threadCount` threads that are alive at the same time, and compares the sum over all
/// threads with the threads' own counts.
@inline(never) private func expectExactSum(threadCount: Int, rounds: Int, allocationsEach: Int) {
  let each = AllocationTotals(count: UInt64(allocationsEach), bytes: UInt64(10 * allocationsEach))
  // Triggers the allocations that happen only once per process, so that they do not count below.
  guard countRound(threadCount: 1, allocationsEach: 1) != nil else { return }
  for _ in 0..<rounds {
    guard let round = countRound(threadCount: threadCount, allocationsEach: allocationsEach) else { return }
    #expect(round.others.count == UInt64(threadCount) * each.count)
    #expect(round.others.bytes == UInt64(threadCount) * each.bytes)
    #expect(round.workers.allSatisfy { $0.ownTotals == each })
    let sum = round.workers.reduce(round.own) { $0 + $1.ownTotals }
    #expect(round.all == sum)
  }
}

private struct Round {
  var workers: [WorkerThread]
  /// The allocations of all threads except the one that started the workers, while all workers were alive.
  var others: AllocationTotals
  /// The allocations of the thread that started the workers, from before they began until after they ended.
  var own: AllocationTotals
  /// The allocations of all threads during the same time as `own`.
  var all: AllocationTotals
}

/// Runs one round. Returns nil, and records an issue, if the system refuses to create a thread.
@inline(never) private func countRound(threadCount: Int, allocationsEach: Int) -> Round? {
  let started = Semaphore()
  let go = Semaphore()
  let allocated = Semaphore()
  let leave = Semaphore()
  let allBefore = allocation_counter_all_threads()
  let ownBefore = allocation_counter_this_thread()
  var workers: [WorkerThread] = []
  for number in 1...threadCount {
    let worker = WorkerThread {
      started.signal()
      go.wait()
      allocateAndFree(count: allocationsEach, size: 10)
      allocated.signal()
      leave.wait()
    }
    guard let worker else {
      Issue.record("the system refuses thread \(number) of \(threadCount)")
      for _ in workers {
        go.signal()
        leave.signal()
      }
      return nil
    }
    workers.append(worker)
  }
  for _ in workers { started.wait() }

  let othersBefore = allocation_counter_all_threads() - allocation_counter_this_thread()
  for _ in workers { go.signal() }
  for _ in workers { allocated.wait() }
  let others = allocation_counter_all_threads() - allocation_counter_this_thread() - othersBefore

  for _ in workers { leave.signal() }
  for worker in workers { worker.join() }
  return Round(
    workers: workers, others: others, own: allocation_counter_this_thread() - ownBefore,
    all: allocation_counter_all_threads() - allBefore)
}
