import Benchmark
import Work

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

let benchmarks: @Sendable () -> Void = {
  let milliseconds = getenv("VERDICTS_MILLISECONDS").flatMap { Int(String(cString: $0)) } ?? 1000
  // A short call is repeated inside a sample, as its documentation recommends.
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], scalingFactor: .kilo, maxDuration: .milliseconds(milliseconds))
  for kernel in Kernel.allCases {
    let work = kernel.makeWork()
    Benchmark(kernel.rawValue) { benchmark in for _ in benchmark.scaledIterations { work.call() } }
  }
}
