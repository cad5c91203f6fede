import FrameBench

/// The differences between two builds of a benchmark.
package struct DifferentialProfile: Sendable {
  package var id: BenchmarkID
  /// The name for the reader, such as a revision.
  package var baselineName: String
  /// The name for the reader: a revision, or the working tree.
  package var candidateName: String
  /// The profile of the baseline, of the same frames as `candidate`.
  package var baseline: SampledProfile
  /// The profile of the candidate, of the same frames as `baseline`.
  package var candidate: SampledProfile
  /// The largest first.
  package var movers: [Mover]

  /// A function whose own cost differs.
  package struct Mover: Sendable, Equatable {
    /// With the candidate's file and line, unless only the baseline runs it.
    package var frame: CallFrame
    /// Nanoseconds per frame.
    package var baseline: Double
    /// Nanoseconds per frame; 0 without a sample.
    package var candidate: Double
    /// Standard error of the difference, from the numbers of samples.
    package var error: Double

    /// Nanoseconds per frame; above 0 if the candidate spends more.
    package var change: Double { candidate - baseline }
    /// Whether the change is more than chance explains: three standard errors.
    package var isClear: Bool { abs(change) > 3 * error }
  }

  /// Finds the movers in the two profiles.
  package init(
    id: BenchmarkID, baselineName: String, baseline: SampledProfile, candidateName: String, candidate: SampledProfile
  ) {
    self.id = id
    self.baselineName = baselineName
    self.candidateName = candidateName
    self.baseline = baseline
    self.candidate = candidate
    movers = Self.movers(baseline, candidate)
  }

  private static func movers(_ baseline: SampledProfile, _ candidate: SampledProfile) -> [Mover] {
    var sides: [String: (frame: CallFrame, baseline: Double, candidate: Double)] = [:]
    for cost in FunctionCost.costs(of: baseline.stacks, value: { Double($0.count) }) where cost.own > 0 {
      sides[cost.frame.function] = (cost.frame, cost.own, 0)
    }
    for cost in FunctionCost.costs(of: candidate.stacks, value: { Double($0.count) }) where cost.own > 0 {
      // The reader has the candidate's files and lines.
      sides[cost.frame.function] = (cost.frame, sides[cost.frame.function]?.baseline ?? 0, cost.own)
    }
    let (one, other) = (baseline.nanosecondsPerSample, candidate.nanosecondsPerSample)
    return sides.values.map { side in
      Mover(
        frame: side.frame, baseline: side.baseline * one, candidate: side.candidate * other,
        error: error(side.baseline, side.candidate, one, other))
    }.sorted { (abs($1.change), $0.frame.function) < (abs($0.change), $1.frame.function) }
  }

  /// Both sides in one tree, in nanoseconds per frame; computed at each call.
  package var tree: CallTree {
    var tree = CallTree(root: id.description)
    for stack in baseline.stacks { tree.add(stack.frames, baseline.nanoseconds(stack), to: .baseline) }
    for stack in candidate.stacks { tree.add(stack.frames, candidate.nanoseconds(stack), to: .candidate) }
    return tree
  }
}

extension DifferentialProfile {
  /// A function of the program that costs more than before, including the library functions it calls, which
  /// nobody edits.
  package struct Growth: Sendable, Equatable {
    /// At the candidate's most frequent line.
    package var mover: Mover
    /// The caller with most of the growth: a helper that is inlined everywhere says little by itself. Nil
    /// if there is no single caller in the program.
    package var caller: CallFrame?

    /// The place to look: `Layout.swift:71`.
    package var position: String? { mover.frame.position ?? caller?.position }
  }

  /// Functions that grew by more than chance explains, the largest first.
  package var growths: [Growth] {
    let (before, after) = (Self.sites(baseline), Self.sites(candidate))
    return after.compactMap { name, site in
      let old = before[name] ?? Site()
      let mover = mover(old.own, site.own)
      guard mover.change > 0, mover.isClear else { return nil }
      let callers = site.callers.map { self.mover(old.callers[$0.key] ?? Samples(), $0.value) }
      let most = callers.max { ($0.change, $1.frame.function) < ($1.change, $0.frame.function) }
      let caller = most.flatMap { 2 * $0.change > mover.change ? $0.frame : nil }
      return Growth(mover: mover, caller: caller)
    }.sorted { ($1.mover.change, $0.mover.frame.function) < ($0.mover.change, $1.mover.frame.function) }
  }

  private func mover(_ before: Samples, _ after: Samples) -> Mover {
    let (rate, otherRate) = (baseline.nanosecondsPerSample, candidate.nanosecondsPerSample)
    return Mover(
      frame: after.mostFrequent, baseline: Double(before.count) * rate, candidate: Double(after.count) * otherRate,
      error: Self.error(Double(before.count), Double(after.count), rate, otherRate))
  }

  /// Standard error of the difference of two costs. A count of n samples has the variance n (Poisson), at least 1.
  static func error(_ before: Double, _ after: Double, _ rate: Double, _ otherRate: Double) -> Double {
    (max(1, before) * rate * rate + max(1, after) * otherRate * otherRate).squareRoot()
  }

  /// Samples that met one function, by line.
  private struct Samples {
    var count = 0
    var lines: [CallFrame: Int] = [:]

    mutating func add(_ frame: CallFrame, _ more: Int) {
      count += more
      lines[frame, default: 0] += more
    }

    /// The most frequent line that the compiler knows, if there is any; of equal ones the first.
    var mostFrequent: CallFrame {
      let known = lines.filter { $0.key.position != nil }
      return (known.isEmpty ? lines : known).max { ($0.value, $1.key.line ?? 0) < ($1.value, $0.key.line ?? 0) }?.key
        ?? CallFrame(function: "[unknown]", origin: .system)
    }
  }

  private struct Site {
    var own = Samples()
    /// Callers by name.
    var callers: [String: Samples] = [:]
  }

  /// Groups samples by the innermost function of the program, or the innermost of all without one.
  private static func sites(_ profile: SampledProfile) -> [String: Site] {
    profile.stacks.reduce(into: [:]) { sites, stack in
      let program = stack.frames.filter { $0.origin == .program }
      guard let frame = program.last ?? stack.frames.last(where: { $0.origin != .phase }) else { return }
      sites[frame.function, default: Site()].own.add(frame, stack.count)
      guard let caller = program.last(where: { $0.function != frame.function }) else { return }
      sites[frame.function, default: Site()].callers[caller.function, default: Samples()].add(caller, stack.count)
    }
  }
}

/// Functions that allocate more in one build than in the other. Exact.
package struct AllocationDifference: Sendable {
  /// The profile of the baseline, of the same frames as `candidate`.
  package var baseline: AllocationProfile
  /// The profile of the candidate, of the same frames as `baseline`.
  package var candidate: AllocationProfile
  /// Places that allocate more often than before, or as often but more bytes; the largest first.
  package var growths: [Growth]

  /// A function that allocates, by name, in both builds.
  package struct Growth: Sendable, Equatable {
    /// The most frequent stack's place; in the candidate, if it allocates there.
    package var site: CallFrame
    /// Zeros if it does not allocate there.
    package var baseline: Amount
    /// Zeros if it does not allocate there.
    package var candidate: Amount
  }

  /// Allocations in all frames.
  package struct Amount: Sendable, Equatable {
    /// Allocations.
    package var count = 0
    /// Bytes requested.
    package var bytes = 0
  }

  /// Finds the growths. Allocations whose stacks were lost have no place.
  package init(baseline: AllocationProfile, candidate: AllocationProfile) {
    self.baseline = baseline
    self.candidate = candidate
    var sites: [String: Growth] = [:]
    func add(_ profile: AllocationProfile, _ side: WritableKeyPath<Growth, Amount>) {
      for stack in profile.stacks {
        let site = stack.site ?? CallFrame(function: "[unknown]", origin: .system)
        var growth = sites[site.function] ?? Growth(site: site, baseline: Amount(), candidate: Amount())
        growth[keyPath: side].count += stack.count
        growth[keyPath: side].bytes += stack.bytes
        sites[site.function] = growth
      }
    }
    // The candidate first, because the reader has its files and lines.
    add(candidate, \.candidate)
    add(baseline, \.baseline)
    growths = sites.values.filter { $0.count > 0 || $0.count == 0 && $0.bytes > 0 }.sorted {
      ($1.count, $1.bytes, $0.site.function) < ($0.count, $0.bytes, $1.site.function)
    }
  }
}

extension AllocationDifference.Growth {
  /// Increase in the number of allocations.
  package var count: Int { candidate.count - baseline.count }
  package var bytes: Int { candidate.bytes - baseline.bytes }
}
