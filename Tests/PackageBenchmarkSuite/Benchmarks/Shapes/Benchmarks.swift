import Benchmark

/// Adds a benchmark of each form that suites for package-benchmark use.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .mallocCountTotal, .throughput], scalingFactor: .kilo, maxIterations: 20)

  Benchmark("plain/loop of arrays") { benchmark in for index in benchmark.scaledIterations { blackHole([index]) } }

  Benchmark("short", configuration: .init(scalingFactor: .one)) { _ in blackHole(identity(1) + 1) }

  Benchmark("throws nothing") { benchmark in
    for index in benchmark.scaledIterations { blackHole(try parsed("\(index)")) }
  }

  Benchmark("throws", configuration: .init(scalingFactor: .one)) { _ in _ = try parsed("one") }

  Benchmark("calls error", configuration: .init(scalingFactor: .one)) { $0.error("no server") }

  // A thousand allocations before the measured part, ten in it, and a thousand after it.
  Benchmark("measures a part", configuration: .init(maxIterations: 5)) { benchmark in
    for index in benchmark.scaledIterations { blackHole([index]) }
    benchmark.startMeasurement()
    for index in benchmark.scaledIterations.prefix(10) { blackHole([index]) }
    benchmark.stopMeasurement()
    for index in benchmark.scaledIterations { blackHole([index]) }
  }

  Benchmark("stops early", configuration: .init(scalingFactor: .one)) { benchmark in
    blackHole([benchmark.currentIteration])
    benchmark.stopMeasurement()
    for index in 0..<100 { blackHole([index + benchmark.currentIteration]) }
  }

  Benchmark("set-up value", configuration: .init(scalingFactor: .one)) { _, numbers in
    blackHole(numbers.reduce(0, +))
  } setup: {
    try await Task.sleep(for: .milliseconds(1))
    return Array(0..<1_000)
  }

  Benchmark(
    "hooks",
    configuration: .init(
      scalingFactor: .one, setup: { state.append("configuration") }, teardown: { state.removeAll() }),
    closure: { benchmark in if state != ["configuration", "own"] { benchmark.error("set up as \(state)") } },
    setup: { state.append("own") }, teardown: { state.removeLast() })

  Benchmark("awaits an actor", configuration: .init(scalingFactor: .one)) { _ in blackHole(await Counting.shared.next())
  }

  Benchmark("on the main actor", configuration: .init(scalingFactor: .one)) { @MainActor _ in
    blackHole(await Task { @MainActor in 1 }.value)
  }

  Benchmark("throws after waiting", configuration: .init(scalingFactor: .one)) { _ in
    await Task.yield()
    _ = try parsed("two")
  }

  Benchmark("sleeps", configuration: .init(metrics: [.wallClock, .cpuTotal, .syscalls], scalingFactor: .one)) { _ in
    try await Task.sleep(for: .milliseconds(60))
  }

  Benchmark(
    "counts", configuration: .init(metrics: .default + [.custom("hits", polarity: .prefersLarger)], scalingFactor: .one)
  ) { benchmark in
    blackHole([1])
    benchmark.measurement(.custom("hits"), 7)
    benchmark.measurement(.custom("not asked for"), 1)
  }

  for size in [10, 100] {
    Benchmark(
      "tagged",
      configuration: .init(
        tags: ["size": "\(size)"], scalingFactor: .one,
        thresholds: [
          .wallClock: .init(relative: [.p50: 12]),
          .mallocCountTotal: .init(relative: [.p50: 30, .p90: 3], absolute: [.p90: 2]),
        ])
    ) { _ in blackHole(Array(repeating: 1, count: size)) }
  }

  Benchmark("skipped", configuration: .init(skip: true)) { _ in }
}

struct NotANumber: Error { let text: String }

func parsed(_ text: String) throws -> Int {
  guard let number = Int(text) else { throw NotANumber(text: text) }
  return number
}

actor Counting {
  static let shared = Counting()
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

nonisolated(unsafe) var state: [String] = []
