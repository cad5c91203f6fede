import CAllocationCounter
import Foundation
import Testing

@testable import FrameBench
@testable import Measurements

/// Tests benchmarks of functions, frames that throw or suspend, and teardown.
@Suite struct FunctionTests {
  private struct Broken: Error, CustomStringConvertible { let description: String }

  private actor Adder {
    private var sum = 0

    func add(_ value: Int) -> Int {
      sum += value
      return sum
    }
  }

  /// The events of a run, in order.
  private final class Log: @unchecked Sendable { var lines: [String] = [] }

  private func measure(
    _ pass: MeasurementPass = .frames, frames: Int = 8, secondsLimit: Double? = nil, _ add: (inout Suite) -> Void
  ) throws -> WorkerReply.Outcome {
    var suite = Suite("suite")
    add(&suite)
    let scenario = suite.scenarios[0]
    var options = RunOptions()
    (options.warmUpFrameCount, options.frameCount) = (2, frames)
    let id = BenchmarkID(scenario: scenario.name, strategy: scenario.strategies[0], size: scenario.sizes[0])
    var request = WorkerRequest(benchmark: id, pass: pass, options: options)
    (request.secondsLimit, request.remedy) = (secondsLimit, "ask for fewer")
    return Worker(suite).reply(to: request).outcome
  }

  private func reason(_ outcome: WorkerReply.Outcome) -> String? {
    if case .failed(let reason) = outcome { reason } else { nil }
  }

  private func measured(_ outcome: WorkerReply.Outcome) throws -> RunMeasurement {
    guard case .measured(let measurement) = outcome else { throw Broken(description: "\(outcome)") }
    return measurement
  }

  @Test func aShortFunctionIsRepeatedAndItsTimeIsThatOfACall() throws {
    let values = Array(0..<1_000)
    let short = try measured(measure { $0.measure("one") { values[Int(bitPattern: identity(7))] } })
    #expect(try #require(short.callCount) >= 64)
    let sum = { @Sendable in values.reduce(0) { ($0 ^ $1) &* 31 } }
    let long = try measured(measure { $0.measure("thousand") { sum() } })
    // A thousand dependent multiplications take a thousand cycles or more. An array access takes about ten.
    let times = [short, long].map { run in (run.frameNanoseconds ?? []).min() ?? 0 }
    #expect(times[1] > 200 && times[0] < times[1] / 5)
  }

  @Test func aFunctionThatReturnsAFunctionIsRefusedBecauseNobodyCallsThat() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var suite = Suite("words")
      suite.measure("pair") { (1, 2) }
      suite.measure("first") {
        let text = "some words"
        return { text.count }
      }
    }
    let error = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(error.contains("the closure of measure(\"first\") returns a function"), "\(error)")
  }

  @Test func aFunctionThatUsesUpItsInputIsNamed() throws {
    func usedUp(_ add: (inout Suite) -> Void) throws -> Double? {
      try measured(measure(.allocations, add)).usedUpNanoseconds
    }
    let eaten = try usedUp { suite in
      suite.measure("eat") { _ in
        var rest = Array(0..<100_000).makeIterator()
        return { () -> Int in
          var sum = 0
          while let next = rest.next() { sum &+= identity(next) }
          return sum
        }
      }
    }
    #expect(try #require(eaten) > 20_000)
    // This function computes a value only once per process, so only its very first call is slow. With a fresh state it
    // stays fast, unlike a function that uses up its input.
    let once = Log()
    let lazily = try usedUp { suite in
      suite.measure("lazy", sizes: [1]) { _ in
        {
          if once.lines.isEmpty { once.lines = (0..<10_000).map { "\($0)" } }
          return once.lines.count
        }
      }
    }
    #expect(lazily == nil)
    // Only one state at a time may hold a port, so the first state must be torn down before the second is set up.
    let held = Log()
    let exclusive = try usedUp { suite in
      suite.measure("port", sizes: [1]) { context in
        guard held.lines.isEmpty else { throw Broken(description: "address in use") }
        held.lines = ["port"]
        context.tearDown { held.lines = [] }
        var isWarm = false
        return {
          if !isWarm { usleep(2_000) }
          isWarm = true
        }
      }
    }
    #expect(try #require(exclusive) > 2_000_000)
    #expect(try usedUp { $0.measure("sum") { (0..<1_000).reduce(0) { ($0 ^ $1) &* 31 } } } == nil)
  }

  @Test func aLongFunctionIsCalledOnceAFrame() throws {
    let run = try measured(
      measure(frames: 2) { suite in
        suite.measure("long") {
          var state: UInt64 = 1
          for _ in 0..<200_000 { state = identity(state &* 31) }
          return state
        }
      })
    #expect(run.callCount == 1 && (run.frameNanoseconds ?? []).count == 2)
  }

  @Test func aRunThatWouldTakeTooLongIsGivenUpInItsWarmUp() throws {
    let log = Log()
    func outcome(_ secondsLimit: Double) throws -> WorkerReply.Outcome {
      try measure(secondsLimit: secondsLimit) { suite in
        suite.add("slow") { _ in
          { _, _ in
            log.lines.append("frame")
            Thread.sleep(forTimeInterval: 0.002)
            return 0
          }
        }
      }
    }
    let message = try #require(reason(try outcome(0.005)))
    #expect(
      message.hasPrefix("each takes some ") && message.hasSuffix("and there are 10 to run: ask for fewer"), "\(message)"
    )
    #expect(log.lines.count <= 2)
    _ = try measured(outcome(600))
  }

  @Test func framesAreNoCalls() throws {
    let run = try measured(measure { $0.add("frames") { _ in { _, _ in 0 } } })
    #expect(run.callCount == nil)
  }

  @Test func whatAFunctionReturnsCanBeCompared() throws {
    func checksum(_ frames: Int) throws -> String {
      try measured(
        measure(frames: frames) { suite in
          suite.measure("sum", strategies: ["loop"], checksum: { $0 }) { _, _ in { (0..<5).reduce(0, +) } }
        }
      ).checksum
    }
    var expected = Checksum()
    for _ in 0..<3 { expected.combine(10) }
    #expect(try checksum(3) == expected.hexadecimal)
  }

  @Test func setUpSaysWhatFramesAndCallsWorkThrough() throws {
    let bytes = try measured(
      measure { suite in
        suite.measure("count", sizes: [100], throughput: .items(1)) { context in
          let text = String(repeating: "é", count: context.size)
          context.throughput = .bytes(text.utf8.count)
          return { text.count }
        }
      })
    #expect(bytes.throughput == .bytes(200))
    let items = try measured(
      measure { suite in
        suite.add("frames", sizes: [30]) { context in
          context.throughput = .itemsOfSize
          return { _, _ in 0 }
        }
      })
    #expect(items.throughput == .items(30))
  }

  @Test(arguments: [0, -1, 1 << 53 + 1]) func anAmountOfWorkThatNoDocumentHoldsIsRefused(_ amount: Int) throws {
    let inSetUp = try measure { suite in
      suite.measure("none", sizes: [1]) { context in
        context.throughput = .bytes(amount)
        return { 1 }
      }
    }
    let remedy = "a throughput of \(amount) bytes a call; give a positive number, up to 2^53"
    #expect(reason(inSetUp) == "none/default/1 has \(remedy)")
    var suite = Suite("suite")
    suite.measure("none", throughput: .bytes(amount)) { 1 }
    #expect(suite.problems == ["scenario \"none\" has \(remedy)"])
  }

  @Test func aFunctionThatSuspendsMayBeSetUp() throws {
    let run = try measured(
      measure { suite in
        suite.measure("async", strategies: ["actor"], sizes: [4]) { _, context in
          let adder = Adder()
          _ = await adder.add(context.size)
          return { await adder.add(1) }
        }
      })
    #expect((run.executorNanoseconds ?? 0) > 0 && run.callCount != nil)
  }

  @Test func theGeneratorOfAContextGivesTheSameNumbersInEveryRun() {
    func numbers(_ seed: UInt64) -> [Int] {
      let context = ScenarioContext(
        id: BenchmarkID(scenario: "a", strategy: "b", size: 1), refreshRateHertz: 60, warmUpFrameCount: 1,
        frameCount: 1, seed: seed)
      var random = context.random
      return (0..<5).map { _ in Int.random(in: 0..<1_000, using: &random) }
    }
    #expect(numbers(1) == numbers(1) && numbers(1) != numbers(2))
  }

  @Test(.enabled(if: allocation_counter_is_active())) func allocationsAreThoseOfACall() throws {
    let run = try measured(measure(.allocations) { $0.measure("array") { Array(repeating: 1, count: 100) } })
    #expect(try #require(run.allocations).frameThread.count.values == Array(repeating: 1, count: 8))
  }

  @Test func whatAFrameThrowsEndsTheBenchmarkWithItsMessage() throws {
    let outcome = try measure { suite in
      suite.add("throwing") { _ in
        { frame, _ in
          if frame.index == 5 { throw Broken(description: "no data\nat all") }
          return 0
        }
      }
    }
    #expect(reason(outcome) == "frame 3 threw: no data at all")
    let warmUp = try measure { $0.add("throwing") { _ in { _, _ in throw Broken(description: "x") } } }
    #expect(reason(warmUp) == "frame 0 of the warm-up threw: x")
    let function = try measure { $0.measure("throwing") { throw Broken(description: "y") } }
    #expect(try #require(reason(function)).hasSuffix("threw: y"))
  }

  @Test func tearDownRunsLastFirstWhetherFramesThrowOrNot() throws {
    for throwsInFrame in [false, true] {
      let log = Log()
      _ = try measure { suite in
        suite.add("torn") { context in
          context.tearDown { log.lines.append("first") }
          context.tearDown { log.lines.append("second") }
          return { _, _ in
            if throwsInFrame { throw Broken(description: "x") }
            return 0
          }
        }
      }
      #expect(log.lines == ["second", "first"])
    }
  }

  @Test func aSetUpThatThrowsIsTornDownToo() throws {
    let log = Log()
    let outcome = try measure { suite in
      suite.add("half") { context in
        context.tearDown { log.lines.append("torn down") }
        throw Broken(description: "no memory")
      }
    }
    #expect(reason(outcome) == "set-up failed: no memory" && log.lines == ["torn down"])
  }

  @Test func aTearDownThatThrowsIsToldAfterTheOthersHaveRun() throws {
    let log = Log()
    let outcome = try measure { suite in
      suite.add("torn") { context in
        context.tearDown { log.lines.append("first") }
        context.tearDown { throw Broken(description: "busy") }
        return { _, _ in 0 }
      }
    }
    #expect(reason(outcome) == "tear-down failed: busy" && log.lines == ["first"])
  }

  @Test func framesThatSuspendRunOnTheMeasuringThread() throws {
    let run = try measured(
      measure { suite in
        suite.add("async") { context in
          let adder = Adder()
          await Task.yield()
          return { frame, timer in
            let sum = await timer.measure(.solve) { await adder.add(frame.index) }
            await Task.yield()
            timer.endFrame()
            return UInt64(sum)
          }
        }
      })
    #expect(run.frameNanoseconds?.count == 8 && (run.executorNanoseconds ?? 0) > 0)
    var expected = Checksum()
    for sum in [3, 6, 10, 15, 21, 28, 36, 45] { expected.combine(UInt64(sum)) }
    #expect(run.checksum == expected.hexadecimal)
  }

  @Test(.enabled(if: allocation_counter_is_active())) func aFrameThatSuspendsAllocatesTheSameInEachFrame() throws {
    let run = try measured(
      measure(.allocations) { suite in
        suite.add("async") { _ in
          let adder = Adder()
          return { frame, _ in UInt64(await adder.add(frame.index)) }
        }
      })
    let counts = try #require(run.allocations).frameThread.count.values
    #expect(Set(counts).count == 1 && counts[0] < 10)
  }

  @Test func whatAFrameThatSuspendsThrowsEndsTheBenchmark() throws {
    let outcome = try measure { suite in
      suite.measure("async") {
        await Task.yield()
        throw Broken(description: "refused")
      }
    }
    #expect(try #require(reason(outcome)).hasSuffix("threw: refused"))
  }

  // The following tests run in separate processes, because frees by other tests would be counted too.

  @Test(.enabled(if: allocation_counter_is_active())) func aSetUpThatLeavesMemoryBehindIsTold() async {
    await #expect(processExitsWith: .success) {
      let tests = FunctionTests()
      func leaked(_ isFreed: Bool) throws -> Int? {
        let outcome = try tests.measure(.allocations) { suite in
          suite.add("leaking") { context in
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 16)
            if isFreed { context.tearDown { memory.deallocate() } }
            return { _, _ in 0 }
          }
        }
        return try tests.measured(outcome).leakedBytes
      }
      let (kept, freed) = (try leaked(false), try leaked(true))
      #expect(kept ?? 0 >= 1 << 20 && freed == nil)
    }
  }

  @Test(.enabled(if: allocation_counter_is_active())) func memoryThatAnotherThreadFreesIsNotLeftBehind() async {
    await #expect(processExitsWith: .success) {
      // One thread frees all blocks. jemalloc keeps them in the cache of this thread, where they still count as used.
      let thread = OtherThread()
      defer { thread.end() }
      let tests = FunctionTests()
      let outcome = try tests.measure(.allocations) { suite in
        suite.add("freeing") { context in
          let blocks = (0..<2).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 1_024, alignment: 16) }
          context.tearDown { thread.free(blocks) }
          return { _, _ in 0 }
        }
      }
      let leaked = try tests.measured(outcome).leakedBytes
      #expect(leaked == nil)
    }
  }

  /// A thread that frees blocks for others and keeps its allocation cache.
  private final class OtherThread: @unchecked Sendable {
    private let condition = NSCondition()
    private var blocks: [UnsafeMutableRawPointer] = []
    private var isEnding = false

    init() { Thread.detachNewThread { self.run() } }

    func free(_ blocks: [UnsafeMutableRawPointer]) {
      condition.withLock {
        self.blocks = blocks
        condition.broadcast()
        while !self.blocks.isEmpty { condition.wait() }
      }
    }

    func end() {
      condition.withLock {
        isEnding = true
        condition.broadcast()
      }
    }

    private func run() {
      condition.withLock {
        while !isEnding {
          for block in blocks { block.deallocate() }
          blocks = []
          condition.broadcast()
          condition.wait()
        }
      }
    }
  }
}
