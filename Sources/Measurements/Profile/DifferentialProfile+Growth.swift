extension DifferentialProfile {
  /// A function of the program that costs more than before, including the library functions it calls, which
  /// nobody edits.
  package struct Growth: Sendable, Equatable {
    /// At the line where the candidate was met most often.
    package var mover: Mover
    /// Who calls it where most of the growth is: a helper that is inlined everywhere says little by itself.
    /// Nil where that is not one function of the program.
    package var caller: CallFrame?

    /// Where to look: `Layout.swift:71`.
    package var position: String? { mover.frame.position ?? caller?.position }
  }

  /// What grew by more than chance explains, the largest first.
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
    }
    .sorted { ($1.mover.change, $0.mover.frame.function) < ($0.mover.change, $1.mover.frame.function) }
  }

  private func mover(_ before: Samples, _ after: Samples) -> Mover {
    let (rate, otherRate) = (baseline.nanosecondsPerSample, candidate.nanosecondsPerSample)
    return Mover(
      frame: after.mostFrequent, baseline: Double(before.count) * rate,
      candidate: Double(after.count) * otherRate,
      error: Self.error(Double(before.count), Double(after.count), rate, otherRate))
  }

  /// Of the difference of two costs. A count of samples n varies by n (Poisson's), by that of one at least.
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

    /// One of which the compiler knows the line, if there is any; of equal ones the first line.
    var mostFrequent: CallFrame {
      let known = lines.filter { $0.key.position != nil }
      return (known.isEmpty ? lines : known).max {
        ($0.value, $1.key.line ?? 0) < ($1.value, $0.key.line ?? 0)
      }?.key
        ?? CallFrame(function: "[unknown]", origin: .system)
    }
  }

  private struct Site {
    var own = Samples()
    /// By name.
    var callers: [String: Samples] = [:]
  }

  /// By the innermost function of the program, or of all where there is none.
  private static func sites(_ profile: SampledProfile) -> [String: Site] {
    profile.stacks.reduce(into: [:]) { sites, stack in
      let program = stack.frames.filter { $0.origin == .program }
      guard let frame = program.last ?? stack.frames.last(where: { $0.origin != .phase }) else { return }
      sites[frame.function, default: Site()].own.add(frame, stack.count)
      guard let caller = program.last(where: { $0.function != frame.function }) else { return }
      sites[frame.function, default: Site()].callers[caller.function, default: Samples()]
        .add(caller, stack.count)
    }
  }
}
