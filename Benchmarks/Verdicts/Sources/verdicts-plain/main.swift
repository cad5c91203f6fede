import Work

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// verdicts-plain WORKLOAD SCROLLS           plays SCROLLS scrolls, timed from outside; prints a checksum
// verdicts-plain WORKLOAD SCROLLS VALUES    times SCROLLS scrolls, VALUES times; prints nanoseconds per scroll
// verdicts-plain WORKLOAD look SCROLLS      prints nanoseconds: the minimum of set-up, the minimum of tear-down, the
//                                           mean time of other threads per scroll, and the minimum of each frame

// verdicts-plain WORKLOAD hold SCROLLS      plays SCROLLS scrolls, and exits with the feed still on the heap

let usage = "usage: verdicts-plain WORKLOAD SCROLLS [VALUES] | WORKLOAD look|hold SCROLLS"
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count > 1, let workload = Workload.named(arguments[0]) else {
  print(usage)
  exit(64)
}
let clock = ContinuousClock()

func nanoseconds(_ work: () -> Void) -> Double {
  let start = clock.now
  work()
  return (clock.now - start) / .nanoseconds(1)
}

func processorNanoseconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

func look(_ scrolls: Int) {
  var (setUp, tearDown) = (Double.infinity, Double.infinity)
  var frames = Array(repeating: Double.infinity, count: Feed.frameCount)
  var picture: UInt64 = 0
  for _ in 0..<scrolls {
    var feed: Feed?
    setUp = min(setUp, nanoseconds { feed = Feed(workload) })
    for number in frames.indices {
      frames[number] = min(frames[number], nanoseconds { picture ^= feed?.frame(number) ?? 0 })
    }
    tearDown = min(tearDown, nanoseconds { feed = nil })
  }
  let others = processorNanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processorNanoseconds(CLOCK_THREAD_CPUTIME_ID)
  let empty = (0..<1_000).map { _ in nanoseconds {} }.min() ?? 0
  for value in [setUp, tearDown, others / Double(scrolls)] + frames.map({ max(0, $0 - empty) }) { print(value) }
}

if arguments[1] == "look", arguments.count == 3, let scrolls = Int(arguments[2]), scrolls > 0 {
  look(scrolls)
} else if arguments[1] == "hold", arguments.count == 3, let scrolls = Int(arguments[2]), scrolls >= 0 {
  let feed = Feed(workload)
  for _ in 0..<scrolls { _ = feed.scroll() }
  withExtendedLifetime(feed) { exit(0) }
} else {
  let numbers = arguments.dropFirst().compactMap { Int($0) }
  guard numbers.count == arguments.count - 1, (1...2).contains(numbers.count), numbers.allSatisfy({ $0 >= 0 }) else {
    print(usage)
    exit(64)
  }
  let feed = Feed(workload)
  var picture: UInt64 = 0
  if numbers.count == 1 {
    for _ in 0..<numbers[0] { picture = picture &* 31 ^ feed.scroll() }
    print(picture)
  } else {
    for _ in 0..<numbers[1] {
      print(nanoseconds { for _ in 0..<numbers[0] { picture ^= feed.scroll() } } / Double(numbers[0]))
    }
  }
}
