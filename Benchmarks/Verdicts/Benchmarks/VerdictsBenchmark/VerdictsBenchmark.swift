import Benchmark
import Work

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

let benchmarks: @Sendable () -> Void = {
  let milliseconds = getenv("VERDICTS_MILLISECONDS").flatMap { Int(String(cString: $0)) } ?? 1000
  Benchmark.defaultConfiguration = .init(maxDuration: .milliseconds(milliseconds))
  for workload in Workload.all {
    Benchmark(workload.name) { (_, feed: Feed) in
      blackHole(feed.scroll())
    } setup: {
      Feed(workload)
    }
  }
}
