import Foundation
import Synchronization
import Testing

@testable import FrameBench

/// Tests which values frames and functions may return, and which number types counters accept.
@Suite struct ResultTests {
  private struct Place: Hashable {
    var row: Int
    var column: Int
  }

  private final class Unhashable: Sendable {}

  private func measured(_ add: (inout Suite) -> Void, file: SourceLocation = #_sourceLocation) throws -> RunMeasurement
  {
    var suite = Suite("suite")
    add(&suite)
    let scenario = suite.scenarios[0]
    var options = RunOptions()
    (options.warmUpFrameCount, options.frameCount) = (1, 3)
    let id = BenchmarkID(scenario: scenario.name, strategy: scenario.strategies[0], size: scenario.sizes[0])
    let outcome = Worker(suite).reply(to: WorkerRequest(benchmark: id, pass: .frames, options: options)).outcome
    guard case .measured(let measurement) = outcome else {
      Issue.record("\(outcome)", sourceLocation: file)
      throw CancellationError()
    }
    return measurement
  }

  private func checksum(of words: [UInt64]) -> String {
    var checksum = Checksum()
    for word in words { checksum.combine(word) }
    return checksum.hexadecimal
  }

  private func hash(_ value: some Hashable) -> UInt64 { UInt64(bitPattern: Int64(value.hashValue)) }

  @Test func aFrameReturnsAnythingThatCanBeHashed() throws {
    let integers = try measured { $0.add("a") { _ in { frame, _ in Int8(-1 - frame.index) } } }
    #expect(integers.checksum == checksum(of: [.max - 1, .max - 2, .max - 3]))
    let doubles = try measured { $0.add("a") { _ in { frame, _ in Double(frame.index) / 2 } } }
    #expect(doubles.checksum == checksum(of: [hash(0.5), hash(1.0), hash(1.5)]))
    let arrays = try measured {
      $0.add("a", strategies: ["s"]) { _, _ in
        { frame, timer in
          let values = timer.measure(.query) { (0..<frame.index).map(Double.init) }
          timer.endFrame()
          return values
        }
      }
    }
    #expect(arrays.checksum == checksum(of: [hash([0.0]), hash([0.0, 1]), hash([0.0, 1, 2])]))
    let places = try measured {
      $0.add(
        "a",
        strategies: [
          "s": { context in { frame, _ in Place(row: frame.index, column: context.size) } },
          "t": { _ in { frame, _ in Place(row: frame.index, column: 2) } },
        ])
    }
    #expect(places.checksum == checksum(of: (1...3).map { hash(Place(row: $0, column: 1)) }))
  }

  @Test func aFrameReturnsNothing() throws {
    let run = try measured {
      $0.add("a") { _ in
        var sum = 0
        return { frame, timer in timer.measure(.solve) { sum += frame.index } }
      }
    }
    #expect(run.checksum == checksum(of: [0, 0, 0]))
  }

  @Test func aFrameMayReturnALiteralFirst() throws {
    let run = try measured {
      $0.add("a") { _ in
        { frame, _ in
          if frame.index == 1 { return 0 }
          return UInt64(frame.index)
        }
      }
    }
    #expect(run.checksum == checksum(of: [0, 2, 3]))
  }

  @Test func aFrameThatSuspendsReturnsAnythingThatCanBeHashed() throws {
    let frames = try measured {
      $0.add("a") { _ async in
        { frame, _ in
          await Task.yield()
          return "\(frame.index)"
        }
      }
    }
    #expect(frames.checksum == checksum(of: [hash("1"), hash("2"), hash("3")]))
    let setUp = try measured {
      $0.add("a", strategies: [1]) { strategy, _ in
        await Task.yield()
        return { frame, _ in strategy + frame.index }
      }
    }
    #expect(setUp.checksum == checksum(of: [2, 3, 4]))
  }

  /// If hashing were measured, frames that return many values would seem slower than frames that return a checksum.
  @Test func theChecksumOfAFrameIsNotMeasured() {
    let bench = ManualBench(.frames, frameCount: 1)
    let hashed = Slow { bench.pass(50) }
    bench.frame { timer in
      bench.pass(7)
      _ = Suite.checksum(of: hashed, timer)
    }
    #expect(bench.frameTicks == [7])
  }

  private struct Slow: Hashable {
    let work: () -> Void

    init(_ work: @escaping () -> Void) { self.work = work }

    static func == (left: Slow, right: Slow) -> Bool { true }
    func hash(into hasher: inout Hasher) { work() }
  }

  @Test func aResultThatCannotBeHashedIsNamedWithARemedy() {
    var suite = Suite("suite")
    suite.add("a") { _ in { _, _ in Unhashable() } }
    #expect(
      suite.problems.count == 1 && suite.problems[0].contains("Unhashable from its frames, which is not Hashable"))
  }

  @Test func aFunctionIsNoResultEvenIfItHasAttributes() async {
    await #expect(processExitsWith: .failure) {
      var suite = Suite("suite")
      suite.measure("sendable") { () -> @Sendable () -> Int in { 1 } }
    }
    await #expect(processExitsWith: .failure) {
      var suite = Suite("suite")
      suite.measure("suspending") { () async -> () -> Int in { 1 } }
    }
  }

  @Test func theResultOfAFunctionIsChecked() throws {
    let ten = checksum(of: [10, 10, 10])
    let plain = try measured { $0.measure("a", checksum: Checksum.of) { (0..<5).reduce(0, +) } }
    #expect(plain.checksum == ten)
    let sizes = try measured {
      $0.measure("a", sizes: [5], checksum: Checksum.of) { context in
        let numbers = Array(0..<context.size)
        return { numbers.reduce(0, +) }
      }
    }
    #expect(sizes.checksum == ten)
    let strategies = try measured {
      $0.measure("a", strategies: ["s"], checksum: Checksum.of) { _, context in
        let numbers = Array(0..<context.size)
        return { numbers.map { Double($0) } }
      }
    }
    #expect(strategies.checksum == checksum(of: Array(repeating: hash([0.0]), count: 3)))
    let halves = try measured { $0.measure("a", strategies: ["s"], checksum: { $0.last }) { _, _ in { [1.0, 0.5] } } }
    #expect(halves.checksum == checksum(of: Array(repeating: hash(Optional(0.5)), count: 3)))
  }

  @Test func callsForTheChecksumAreNotAlwaysEachSecondCall() throws {
    let calls = Atomic(0)
    let checked = Mutex<Set<Int>>([])
    _ = try measured { suite in
      suite.measure("a", checksum: { call in checked.withLock { $0.insert(call % 2).inserted } }) {
        // Because the call takes this long, each frame makes only one call.
        usleep(2_000)
        return calls.add(1, ordering: .relaxed).newValue
      }
    }
    #expect(checked.withLock { $0 } == [0, 1])
  }

  @Test func countsOfAllTypesAreCounted() throws {
    let run = try measured {
      $0.add("a") { _ in
        { _, timer in
          timer.record(Counter("one"), UInt8(1))
          timer.record(Counter("two"), Int64(2))
          timer.record(Counter("rounded", unit: .nanoseconds), 12.7)
          return 0
        }
      }
    }
    #expect(run.counters["one"] == CountSeries([1, 1, 1]) && run.counters["two"] == CountSeries([2, 2, 2]))
    #expect(run.counters["rounded"] == CountSeries([13, 13, 13]))
  }
}
