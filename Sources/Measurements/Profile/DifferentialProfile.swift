import FrameBench

/// The difference between the time profiles of two builds of a benchmark.
package struct DifferentialProfile: Sendable {
  package var id: BenchmarkID
  /// The name of the baseline for readers: a revision, or the working tree.
  package var baselineName: String
  package var candidateName: String
  /// The baseline's profile. It covers the same frames as `candidate`.
  package var baseline: SampledProfile
  package var candidate: SampledProfile
  /// Functions, with their own costs in both builds. The function with the largest difference comes first.
  package var movers: [Mover]

  /// A function, with its costs in both builds.
  package struct Mover: Sendable, Equatable {
    /// The function with its file and line in the candidate, or in the baseline if only the baseline runs it.
    package var frame: CallFrame
    /// The function's time in the baseline, nanoseconds per frame. 0 if no sample is in the function.
    package var baseline: Double
    /// The function's time in the candidate, nanoseconds per frame. 0 if no sample is in the function.
    package var candidate: Double
    /// Standard error of `change` in nanoseconds, computed from the numbers of samples and the errors of the frames'
    /// times.
    package var error: Double
    /// The caller that accounts for more than half of the growth. It shows where to look if the function is a helper
    /// that is inlined everywhere. Nil if there is no such caller, and for all elements of `movers`.
    package var caller: CallFrame?

    /// The difference in nanoseconds per frame. Positive if the candidate takes more time.
    package var change: Double { candidate - baseline }
    /// Whether the change exceeds three standard errors, which is more than chance explains.
    package var isClear: Bool { abs(change) > 3 * error }
    /// The file and the line to look at: `Layout.swift:71`.
    package var position: String? { frame.position ?? caller?.position }
  }

  package init(
    id: BenchmarkID, baselineName: String, baseline: SampledProfile, candidateName: String, candidate: SampledProfile
  ) {
    (self.id, self.baselineName, self.candidateName) = (id, baselineName, candidateName)
    (self.baseline, self.candidate, movers) = (baseline, candidate, [])
    let costs = [baseline, candidate].map { FunctionCost.costs(of: $0.stacks).filter { $0.own > 0 } }
    // A function that is in both builds gets the candidate's file and line, because readers have these sources.
    let frames = (costs[1] + costs[0]).map(\.frame).unique(by: \.function)
    let own = costs.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.frame.function, $0.own) }) }
    movers = frames.map { mover($0, own[0][$0.function] ?? 0, own[1][$0.function] ?? 0) }.sorted {
      (abs($1.change), $0.frame.function) < (abs($0.change), $1.frame.function)
    }
  }

  private func mover(_ frame: CallFrame, _ before: Double, _ after: Double) -> Mover {
    let (rate, otherRate) = (baseline.nanosecondsPerSample, candidate.nanosecondsPerSample)
    // A count of n samples has the variance n (Poisson distribution). For a count of 0, it is assumed to be 1.
    let counting = max(1, before) * rate * rate + max(1, after) * otherRate * otherRate
    let scales = zip([before, after], [baseline, candidate]).map { count, profile in
      profile.sampleCount == 0 ? 0 : count / Double(profile.sampleCount) * profile.frameError
    }
    let variance = scales.reduce(counting) { $0 + $1 * $1 }
    return Mover(frame: frame, baseline: before * rate, candidate: after * otherRate, error: variance.squareRoot())
  }

  /// The stacks of both builds in one tree, in nanoseconds per frame. It is computed at each access.
  package var tree: CallTree {
    var tree = CallTree(root: id.description)
    for stack in baseline.stacks { tree.add(stack.frames, baseline.nanoseconds(stack), to: .baseline) }
    for stack in candidate.stacks { tree.add(stack.frames, candidate.nanoseconds(stack), to: .candidate) }
    return tree
  }

  /// Functions of the program whose cost grew by more than chance explains, the largest growth first. Each has its most
  /// frequent line in the candidate. The cost of a function includes the library functions that it calls, because
  /// readers cannot change those.
  package var growths: [Mover] {
    let (before, after) = (Self.sites(baseline), Self.sites(candidate))
    return after.compactMap { name, site in
      var growth = mover(before[name]?.own ?? [:], site.own)
      guard growth.change > 0, growth.isClear else { return nil }
      let callers = site.callers.map { mover(before[name]?.callers[$0.key] ?? [:], $0.value) }
      let most = callers.max { ($0.change, $1.frame.function) < ($1.change, $0.frame.function) }
      growth.caller = most.flatMap { 2 * $0.change > growth.change ? $0.frame : nil }
      return growth
    }.sorted { ($1.change, $0.frame.function) < ($0.change, $1.frame.function) }
  }

  /// The samples of one function: the key contains a line, the value is the number of samples at this line.
  private typealias Samples = [CallFrame: Int]

  private func mover(_ before: Samples, _ after: Samples) -> Mover {
    // The function is shown with its most frequent line, preferably one that the compiler recorded. If several lines
    // are equally frequent, it is the first in the file.
    let known = after.filter { $0.key.position != nil }
    let line = (known.isEmpty ? after : known).max { ($0.value, $1.key.line ?? 0) < ($1.value, $0.key.line ?? 0) }
    return mover(line?.key ?? .unknown, Double(before.values.reduce(0, +)), Double(after.values.reduce(0, +)))
  }

  /// The samples of each function and of its callers, by name. A sample belongs to the program's innermost function on
  /// its stack. If there is none, it belongs to the innermost function of the engine, or else of the stack.
  private static func sites(_ profile: SampledProfile) -> [String: (own: Samples, callers: [String: Samples])] {
    profile.stacks.reduce(into: [:]) { sites, stack in
      let program =
        [CallFrame.Origin.program, .engine].lazy.map { origin in stack.frames.filter { $0.origin == origin } }.first {
          !$0.isEmpty
        } ?? []
      guard let frame = program.last ?? stack.frames.last(where: { $0.origin != .phase }) else { return }
      sites[frame.function, default: ([:], [:])].own[frame, default: 0] += stack.count
      guard let caller = program.last(where: { $0.function != frame.function }) else { return }
      sites[frame.function, default: ([:], [:])].callers[caller.function, default: [:]][caller, default: 0] +=
        stack.count
    }
  }
}

/// Functions that allocate more in the candidate than in the baseline. The numbers are exact.
package struct AllocationDifference: Sendable {
  /// The baseline's profile. It covers the same frames as `candidate`.
  package var baseline: AllocationProfile
  package var candidate: AllocationProfile
  /// Functions that allocate more often than before, or as often but more bytes. The largest growth comes first.
  package var growths: [Growth]

  /// A function that allocates, with its amounts in both builds. Functions are matched by name.
  package struct Growth: Sendable, Equatable {
    /// The function, with the line at which it allocates most often in the candidate. If it allocates only in the
    /// baseline, it is the line there.
    package var site: CallFrame
    /// The amount in the baseline. Zeros if the function does not allocate there.
    package var baseline = Amount()
    package var candidate = Amount()

    package var count: Int { candidate.count - baseline.count }
    package var bytes: Int { candidate.bytes - baseline.bytes }
  }

  /// Number of allocations in all frames, and the bytes that they requested.
  package struct Amount: Sendable, Equatable {
    package var count = 0
    package var bytes = 0
  }

  /// Finds the growths. Allocations whose stacks were lost are not included.
  package init(baseline: AllocationProfile, candidate: AllocationProfile) {
    (self.baseline, self.candidate) = (baseline, candidate)
    var sites: [String: Growth] = [:]
    func add(_ profile: AllocationProfile, _ side: WritableKeyPath<Growth, Amount>) {
      for stack in profile.stacks {
        let site = stack.site ?? .unknown
        var growth = sites[site.function] ?? Growth(site: site)
        growth[keyPath: side].count += stack.count
        growth[keyPath: side].bytes += stack.bytes
        sites[site.function] = growth
      }
    }
    // The profile that is added first determines the file and line of a function. It is the candidate's, because
    // readers have the candidate's sources.
    add(candidate, \.candidate)
    add(baseline, \.baseline)
    growths = sites.values.filter { ($0.count, $0.bytes) > (0, 0) }.sorted {
      ($1.count, $1.bytes, $0.site.function) < ($0.count, $0.bytes, $1.site.function)
    }
  }
}
