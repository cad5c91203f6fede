import FrameBench

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A suite for tests. Some scenarios work, and others go wrong in every way that a runner must survive.
enum FixtureSuite {
  static var suite: Suite {
    var suite = Suite("fixture")
    // Adds only the examples of the documentation.
    if getenv("FIXTURE_ONLY_EXAMPLES") != nil {
      suite.addBouncingBalls()
      addExampleOfTheReadme(to: &suite)
      addExamplesForAuthors(to: &suite)
      return suite
    }
    // Adds only the scenario for the CI recipes, because recipes run all benchmarks.
    if let sizes = getenv("FIXTURE_ONLY_REBUILT") {
      addTheScenarioThatIsRebuilt(
        to: &suite, sizes: String(cString: sizes).split(separator: ",").compactMap { Int($0) })
      return suite
    }
    addScenariosThatWork(to: &suite)
    addScenariosThatFail(to: &suite)
    addScenariosThatAreCounted(to: &suite)
    addScenariosThatAreProfiled(to: &suite)
    addTheScenarioThatIsRebuilt(to: &suite)
    addScenariosThatAreUgly(to: &suite)
    // The counter of this scenario is high until the results folder contains a run. After that, the program may crash.
    if let results = getenv("FIXTURE_RESULTS").map({ String(cString: $0) }) {
      suite.add("delayed", strategies: ["mine"], sizes: [10]) { _, _ in
        let isFirst = access(results, F_OK) != 0
        precondition(isFirst || getenv("FIXTURE_CRASHES_LATER") == nil)
        return { _, timer in
          timer.record(Counter("delay", unit: .nanoseconds), isFirst ? 50 : 5)
          return 0
        }
      }
    }
    if let name = getenv("FIXTURE_SCENARIO") {
      suite.add(String(cString: name), strategies: ["mine"], sizes: [10]) { _, _ in { _, _ in 0 } }
    }
    return suite
  }

  private static func addScenariosThatWork(to suite: inout Suite) {
    suite.add("steady", strategies: ["naive", "tiled"], sizes: [10, 100]) { _, context in
      let size = context.size
      var state = Array(repeating: 1.0, count: context.strategy == "tiled" ? 10 : size)
      return { frame, timer in
        timer.measure(.solve) { for index in state.indices { state[index] += frame.timestep } }
        let sum = timer.measure(.query) { state.reduce(0, +) }
        timer.endFrame()
        timer.record(.activeItems, state.count)
        return sum.bitPattern
      }
    }
    suite.add("allocating", strategies: ["mine"], sizes: [10]) { _, context in
      var kept: [UnsafeMutableRawPointer] = []
      kept.reserveCapacity(1)
      return { frame, timer in
        timer.measure(.prepare) {
          if frame.index == context.warmUpFrameCount + 2, let memory = malloc(48) { kept.append(memory) }
        }
        return UInt64(frame.index)
      }
    }
    // The environment variable FIXTURE_VARIANT makes this scenario behave like that of another build.
    let variant = getenv("FIXTURE_VARIANT").map { String(cString: $0) }
    suite.add("varying", strategies: ["mine"], sizes: [10], options: options(of: variant)) { _, context in
      let isAllocating = ["allocating", "lax"].contains(variant)
      var kept: [UnsafeMutableRawPointer] = []
      kept.reserveCapacity(1)
      return { frame, timer in
        let recorded = frame.index - context.warmUpFrameCount
        if variant == "short", frame.index >= 12 { throw FixtureError.noData }
        timer.measure(.prepare) { if isAllocating, recorded == 12, let memory = malloc(48) { kept.append(memory) } }
        timer.endFrame()
        if let variant, ["counting", "turning"].contains(variant) {
          let turns = variant == "turning"
          timer.record(Counter("load", direction: turns ? .higherIsBetter : .lowerIsBetter), turns ? 2 : 1)
        }
        let shift = variant == "moved" && recorded == 7 ? 1e-6 : 0
        timer.observe(item: 3, x: 160, y: Double(frame.index) + shift)
        return (Double(frame.index) + shift).bitPattern
      }
    }
    suite.add("printing", strategies: ["mine"], sizes: [10]) { _, _ in
      print("set up")
      return { frame, _ in
        print("{\"protocolVersion\": 1}")
        fflush(nil)
        return UInt64(frame.index)
      }
    }
    suite.add(
      "narrow", summary: "Returns the number of the frame.",
      strategies: ["mine", "other"] + (variant == "widened" ? ["third"] : []), sizes: [10, 20],
      tags: variant == "widened" ? ["fresh"] : [], options: .init(quickSizes: [10])
    ) { _, context in
      let size = context.size
      if size > 1_000 { throw FixtureError.noData }
      return { frame, _ in UInt64(frame.index) }
    }
    suite.add(
      "doubtful", strategies: ["mine"], sizes: [10], tags: variant == "retagged" ? ["fresh"] : [],
      options: .init(warnings: { [Warning("too small to tell anything: \($0.size) items")] })
    ) { _, _ in { frame, _ in UInt64(frame.index) } }
  }

  /// Returns the options that the scenario `varying` declares in a variant.
  private static func options(of variant: String?) -> Scenario.Options {
    switch variant {
    case "lax":
      .init(frameCount: 10, warmUpFrameCount: 500, tolerancePercent: 1_000, allocationTolerance: .init(count: 1_000))
    case "lenient": .init(allocationTolerance: .init(count: 1_000))
    case "short": .init(frameCount: 10, warmUpFrameCount: 2)
    case "calling": .init(countsCalls: true)
    default: .init()
    }
  }

  private static func addScenariosThatFail(to suite: inout Suite) {
    suite.add("crashing", strategies: ["mine"], sizes: [10]) { _, _ in
      { frame, _ in
        if frame.index == 3 { fatalError("frame 3 went wrong") }
        return 0
      }
    }
    suite.add("hanging", strategies: ["mine"], sizes: [10]) { _, _ in { _, _ in while true { sleep(1) } } }
    suite.add("leaving", strategies: ["mine"], sizes: [10]) { _, _ in { _, _ in exit(0) } }
    suite.add("garbage", strategies: ["mine"], sizes: [10]) { _, _ in
      { _, _ in
        for descriptor: Int32 in 3..<16 { _ = write(descriptor, "garbage\n", 8) }
        exit(0)
      }
    }
    suite.add("chatty", strategies: ["mine"], sizes: [10]) { _, _ in
      let line = String(repeating: "x", count: 1_000)
      for _ in 0..<1_000 { print(line) }
      print("the last words")
      fflush(nil)
      throw FixtureError.noData
    }
    suite.add("throwing", strategies: ["mine"], sizes: [10]) { _, _ in throw FixtureError.noData }
    suite.add("random", strategies: ["mine"], sizes: [10]) { _, _ in { _, _ in UInt64.random(in: 0 ... .max) } }
    // The set-up crashes. So does the memory estimate for large sizes, because its product overflows.
    suite.add(
      "oversized", strategies: ["mine"], sizes: [10],
      options: .init(secondsPerRun: 1, memoryEstimate: { $0.size * 1_000_000_000_000 })
    ) { (_, _) -> Scenario.FrameBody in fatalError("there is not so much memory") }
  }
}

enum FixtureError: Error, CustomStringConvertible {
  case noData

  var description: String { "there is no data\nto set up from" }
}
