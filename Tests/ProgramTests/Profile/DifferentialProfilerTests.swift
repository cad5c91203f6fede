import CStackProfiler
import Foundation
import FrameBench
import Testing

@testable import Execution
@testable import Measurements
@testable import Pages

@Suite(.enabled(if: stack_profiler_can_sample(), "stacks cannot be sampled here")) struct DifferentialProfilerTests {
  private static func side(_ name: String, _ path: String) -> Profiler {
    var options = RunOptions()
    (options.frameCount, options.warmUpFrameCount) = (30, 2)
    return Profiler(
      name: name, id: BenchmarkID(scenario: "split", strategy: "seventy", size: 200), options: options,
      executablePath: path)
  }

  @Test func bothSidesAreProfiledInTheSameNames() async throws {
    let path = try FixtureProcess.path
    let (baseline, candidate) = (Self.side("main", path), Self.side("branch", path))
    let difference = try await Profiler.difference(baseline.allFrames, baseline: baseline, candidate: candidate)
    for side in [difference.baseline, difference.candidate] {
      #expect(side.sampleCount + side.harnessCount >= ProfileRequest.fewestSamples)
      #expect(side.frameNanoseconds > 0)
      #if DEBUG
        #expect(side.incompleteCount == 0)
      #else
        // A few stacks are incomplete, because inlined calls and tail calls leave no stack frame.
        #expect(side.incompleteCount <= 10)
      #endif
    }
    let heavy = try #require(difference.tree.nodes.first { $0.frame.function.contains("heavyWork") })
    #expect(abs(heavy.total / difference.candidate.frameNanoseconds - 0.7) < 0.1)
    #expect(abs(heavy.baselineTotal / difference.baseline.frameNanoseconds - 0.7) < 0.1)
    #expect(difference.flameGraph().contains(#/data-n="[^"]*heavyWork/#))
  }

  @Test func aSideThatCannotBeProfiledIsNamed() async throws {
    await #expect {
      _ = try await Profiler.difference(
        [0], baseline: Self.side("v0.1", "/bin/false"), candidate: Self.side("branch", try FixtureProcess.path))
    } throws: { error in "\(error)".hasPrefix("v0.1 cannot be profiled: split/seventy/200: ") }
  }
}
