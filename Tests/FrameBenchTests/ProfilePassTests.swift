import CAllocationCounter
import CStackProfiler
import Testing

@testable import FrameBench
@testable import Measurements

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The tests run one after another, because a process has only one profiler.
@Suite(.serialized) struct ProfilePassTests {
  /// The kinds of profile to test. Allocations are left out where a sanitizer prevents counting them.
  private static let kinds: [ProfileRequest.Kind] =
    [.samples, .timeline] + (allocation_counter_is_active() ? [.allocations] : [])

  @Test(arguments: kinds) func framesShowTheSameUnderEveryProfiler(_ kind: ProfileRequest.Kind) throws {
    let plain = try measure(pass: .frames)
    let measurement = try measure(ProfileRequest(kind: kind, frames: Array(0..<8), sampleTarget: 20))
    #expect(measurement.checksum == plain.checksum)
    let profile = try #require(measurement.profile)
    #expect(profile.isRepeatable)
    var sum = Checksum()
    for word in profile.frameChecksums { sum.combine(word) }
    #expect(sum.hexadecimal == plain.checksum)
  }

  @Test func framesBehindTheLastOfInterestAreLeftOut() throws {
    let profile = try #require(try measure(ProfileRequest(kind: .timeline, frames: [1, 4])).profile)
    #expect(profile.frameChecksums.count == 5)
    #expect(Set(profile.spans.map(\.frame)) == [1, 4])
  }

  @Test func phasesOfATimelineLieInTheirFramesInOrder() throws {
    let profile = try #require(try measure(ProfileRequest(kind: .timeline, frames: Array(0..<8))).profile)
    #expect(profile.phaseNames == ["prepare", "query"])
    #expect(profile.lostSpanCount == 0)
    var end = 0.0
    for frame in 0..<8 {
      let spans = profile.spans.filter { $0.frame == frame }
      #expect(spans.map(\.phase) == [0, 1, nil])
      let whole = try #require(spans.last)
      #expect(whole.start >= end)
      for span in spans { #expect(span.start >= whole.start && span.end >= span.start) }
      #expect(spans[1].start >= spans[0].end && whole.end >= spans[1].end)
      end = whole.end
    }
  }

  @Test(.enabled(if: keepsPlantedAllocations && allocation_counter_is_active()))
  func everyAllocationOfTheFramesIsRecordedAndNoOther() throws {
    let counted = try #require(try measure(pass: .allocations).allocations)
    let profile = try #require(try measure(ProfileRequest(kind: .allocations, frames: Array(0..<8))).profile)
    let own = profile.stacks.filter { !$0.isOtherThread }
    #expect(profile.lostCount == 0)
    #expect(own.reduce(0) { $0 + $1.count } == counted.frameThread.count.total)
    #expect(own.reduce(0) { $0 + $1.bytes } == counted.frameThread.bytes.total)
    let planted = try #require(own.first { $0.bytes == 3 * 112 })
    #expect(planted.count == 3)
    #expect((planted.firstFrame, planted.lastFrame) == (2, 6))
    #expect((planted.frameCount, planted.mostInFrame) == (2, 2))
    #expect(planted.phase == 0)
    #expect(!planted.isIncomplete)
  }

  @Test(.enabled(if: keepsPlantedAllocations && allocation_counter_is_active()))
  func allocationsOfFramesThatAreNotLookedAtAreNotRecorded() throws {
    let profile = try #require(try measure(ProfileRequest(kind: .allocations, frames: [0, 1, 6])).profile)
    let own = profile.stacks.filter { !$0.isOtherThread }
    #expect(own.map(\.bytes) == [2 * 112])
    #expect(own.map(\.firstFrame) == [6])
  }

  @Test(.enabled(if: keepsPlantedAllocations && allocation_counter_is_active()))
  func aProfileShowsThePartsOfAFrameAndNothingElse() throws {
    let profile = try #require(try measure(ProfileRequest(kind: .allocations, frames: [2, 6]), of: "parted").profile)
    let own = profile.stacks.filter { !$0.isOtherThread }
    #expect(own.map(\.bytes).sorted() == [2 * 80, 2 * 96])
    #expect(own.allSatisfy { $0.frameCount == 2 && $0.phase == ($0.bytes == 2 * 80 ? 1 : 0) })
    let timeline = try #require(try measure(ProfileRequest(kind: .timeline, frames: [2, 6]), of: "parted").profile)
    #expect(timeline.spans.map(\.frame) == [2, 2, 6, 6])
    #expect(timeline.spans.map(\.phase) == [0, nil, 0, nil])
  }

  @Test(.enabled(if: stack_profiler_can_sample(), "stacks cannot be sampled here"))
  func framesAreRepeatedUntilThereAreEnoughSamples() throws {
    let request = ProfileRequest(
      kind: .samples, frames: [3, 4], sampleTarget: 200, timeLimitSeconds: 300, sampleIntervalNanoseconds: 50_000)
    let profile = try #require(try measure(request).profile)
    #expect(profile.seenCount >= 200)
    #expect(profile.stacks.reduce(0) { $0 + $1.count } == profile.seenCount)
    #expect(profile.repetitionCount > 1)
    #expect(profile.stacks.allSatisfy { (3...4).contains($0.firstFrame) && (3...4).contains($0.lastFrame) })
    #expect(profile.places.contains { $0.module != nil })
  }

  @Test(
    .enabled(if: stack_profiler_can_sample(), "stacks cannot be sampled here"), arguments: ["blocking", "handling"])
  func aBenchmarkThatTakesTheSignalOfTheProfilerIsRefused(_ scenario: String) {
    let sampling = ProfileRequest(kind: .samples, frames: [3], timeLimitSeconds: 0.01)
    let reply = Worker(Self.suite).reply(to: request(sampling, of: scenario))
    var signals = sigset_t()
    sigaddset(&signals, SIGPROF)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    let reason = "the benchmark blocks or handles SIGPROF, the profiler's signal; leave it to the profiler"
    #expect(reply.outcome == .failed(reason: reason))
  }

  @Test(arguments: [[], [8], [-1], [3, 3], [4, 2]]) func framesThatAreNoneOfTheRunAreRefused(_ frames: [Int]) {
    let reply = Worker(Self.suite).reply(to: request(ProfileRequest(kind: .timeline, frames: frames)))
    #expect(reply.outcome == .failed(reason: "no recorded frame to profile"))
  }

  @Test func aRequestTravels() throws {
    let sent = request(ProfileRequest(kind: .samples, frames: [1, 2], sampleTarget: 7))
    #expect(try WorkerRequest(line: sent.line()) == sent)
  }

  private func request(_ profile: ProfileRequest? = nil, pass: MeasurementPass = .profile, of scenario: String = "busy")
    -> WorkerRequest
  {
    var options = RunOptions()
    (options.frameCount, options.warmUpFrameCount) = (8, 3)
    return WorkerRequest(
      benchmark: BenchmarkID(scenario: scenario, strategy: "mine", size: 300), pass: pass, options: options,
      profile: profile)
  }

  private func measure(_ profile: ProfileRequest? = nil, pass: MeasurementPass = .profile, of scenario: String = "busy")
    throws -> RunMeasurement
  {
    let reply = Worker(Self.suite).reply(to: request(profile, pass: pass, of: scenario))
    guard case .measured(let measurement) = reply.outcome else { throw UnexpectedReply(reply: reply) }
    return measurement
  }

  private struct UnexpectedReply: Error { var reply: WorkerReply }

  /// A suite whose benchmark `busy` allocates once in recorded frame 2, twice in recorded frame 6 and in each warm-up
  /// frame, and once after the end of each frame.
  private static var suite: Suite {
    var suite = Suite("profiled")
    suite.add("busy", strategies: ["mine"], sizes: [300]) { _, context in
      let size = context.size
      var state: UInt64 = 1
      return { frame, timer in
        let number = frame.index - context.warmUpFrameCount
        timer.measure(.prepare) {
          for _ in 0..<(number == 2 ? 1 : number == 6 || number < 0 ? 2 : 0) { state &+= allocate(112) }
        }
        timer.measure(.query) { for _ in 0..<size { state = (state ^ (state >> 7)) &* 0x9e37_79b9_7f4a_7c15 | 1 } }
        timer.endFrame()
        state &+= allocate(64)
        return state
      }
    }
    suite.add("blocking", strategies: ["mine"], sizes: [300]) { _, _ in
      { _, _ in
        var signals = sigset_t()
        sigaddset(&signals, SIGPROF)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        return 0
      }
    }
    suite.add("handling", strategies: ["mine"], sizes: [300]) { _, _ in
      { _, _ in
        signal(SIGPROF, SIG_IGN)
        return 0
      }
    }
    // Each frame has two measured parts, with allocations before, between and after them.
    suite.add("parted", strategies: ["mine"], sizes: [300]) { _, _ in
      { _, timer in
        for (bytes, phase) in [(80, Phase.query), (96, .prepare)] {
          if bytes == 80 { timer.measure(.prepare) { blackHole(allocate(112)) } }
          timer.startFrame()
          timer.measure(phase) { blackHole(allocate(bytes)) }
          timer.endFrame()
          blackHole(allocate(64))
        }
        return 0
      }
    }
    return suite
  }

  @inline(never) private static func allocate(_ bytes: Int) -> UInt64 {
    let memory = malloc(bytes)
    memory?.storeBytes(of: 1, as: UInt64.self)
    defer { free(memory) }
    return memory?.load(as: UInt64.self) ?? 1
  }
}

/// Whether the allocations of the test's frames certainly happen. In release builds, the optimizer may remove them.
private let keepsPlantedAllocations: Bool = {
  #if DEBUG
    true
  #else
    false
  #endif
}()
