import CStackProfiler
import Foundation
import FrameBench
import Testing

@testable import Measurements
@testable import Pages
@testable import Program

@Suite(.enabled(if: stack_profiler_can_sample(), "stacks cannot be sampled here"))
struct DifferentialProfilerTests {
  private static var options: RunOptions {
    var options = RunOptions()
    (options.frameCount, options.warmUpFrameCount) = (30, 2)
    return options
  }

  @Test func bothSidesAreProfiledInTheSameNames() async throws {
    let path = try FixtureProcess.path
    let id = BenchmarkID(scenario: "split", strategy: "seventy", size: 200)
    let difference = try await DifferentialProfiler.profile(
      id, options: Self.options, baseline: .init(name: "main", executablePath: path),
      candidate: .init(name: "branch", executablePath: path), core: nil)
    for side in [difference.baseline, difference.candidate] {
      #expect(side.sampleCount >= ProfileRequest.fewestSamples)
      #expect(side.frameNanoseconds > 0)
      #if DEBUG
        #expect(side.incompleteCount == 0)
      #else
        // A few stacks are cut short where calls are inlined and tail calls leave no frame.
        #expect(side.incompleteCount <= 10)
      #endif
    }
    let heavy = try #require(difference.tree.nodes.first { $0.frame.function.contains("heavyWork") })
    #expect(abs(heavy.total / difference.candidate.frameNanoseconds - 0.7) < 0.1)
    #expect(abs(heavy.baselineTotal / difference.baseline.frameNanoseconds - 0.7) < 0.1)
    #expect(difference.flameGraph().contains(#/data-n="[^"]*heavyWork/#))
  }

  @Test func aSideThatCannotBeProfiledIsNamed() async throws {
    let id = BenchmarkID(scenario: "split", strategy: "seventy", size: 200)
    await #expect {
      _ = try await DifferentialProfiler.profile(
        id, options: Self.options, baseline: .init(name: "v0.1", executablePath: "/bin/false"),
        candidate: .init(name: "branch", executablePath: try FixtureProcess.path),
        core: nil)
    } throws: { error in
      "\(error)".hasPrefix("v0.1 cannot be profiled: split/seventy/200: ")
    }
  }
}
