import CAllocationCounter
import Glibc

/// A bare POSIX thread, which allocates nothing except in its body.
final class WorkerThread: @unchecked Sendable {
  private let body: @Sendable () -> Void
  private var handle = pthread_t()
  /// The allocations that the thread had counted when its body ended. Valid after `join()`.
  private(set) var ownTotals = AllocationTotals()

  /// Returns nil if the system refuses another thread.
  init?(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 256 * 1024)
    let argument = Unmanaged.passRetained(self)
    let error = pthread_create(
      &handle, &attributes,
      { argument in
        guard let argument else { return nil }
        let worker = Unmanaged<WorkerThread>.fromOpaque(argument).takeRetainedValue()
        worker.body()
        worker.ownTotals = allocation_counter_this_thread()
        return nil
      }, argument.toOpaque())
    guard error == 0 else {
      argument.release()
      return nil
    }
  }

  func join() { pthread_join(handle, nil) }
}

/// A counting semaphore that never allocates after its creation.
final class Semaphore: @unchecked Sendable {
  private let storage: UnsafeMutablePointer<sem_t>

  init() {
    storage = .allocate(capacity: 1)
    sem_init(storage, 0, 0)
  }

  deinit {
    sem_destroy(storage)
    storage.deallocate()
  }

  func signal() { sem_post(storage) }

  func wait() { while sem_wait(storage) != 0 {} }
}
