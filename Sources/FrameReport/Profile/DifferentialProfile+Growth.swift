import FrameBench

extension DifferentialProfile {
  /// Functions of the program that grew by more than chance does, with what they call of libraries, which
  /// nobody edits; the largest first. At the line where the candidate was met most often.
  public var growths: [Mover] {
    let (one, other) = (Self.sites(baseline), Self.sites(candidate))
    let (rate, otherRate) = (baseline.nanosecondsPerSample, candidate.nanosecondsPerSample)
    return other.compactMap { name, site in
      let before = Double(one[name]?.count ?? 0)
      let mover = Mover(
        frame: site.hottest, baseline: before * rate, candidate: Double(site.count) * otherRate,
        error: Self.error(before, Double(site.count), rate, otherRate))
      return mover.change > 0 && mover.isClear ? mover : nil
    }
    .sorted { ($1.change, $0.frame.function) < ($0.change, $1.frame.function) }
  }

  /// Of the difference of two costs. A count of samples n varies by n (Poisson's), by that of one at least.
  static func error(_ before: Double, _ after: Double, _ rate: Double, _ otherRate: Double) -> Double {
    (max(1, before) * rate * rate + max(1, after) * otherRate * otherRate).squareRoot()
  }

  private struct Site {
    var count = 0
    var lines: [CallFrame: Int] = [:]

    /// Ties go to the first line.
    var hottest: CallFrame {
      lines.max { ($0.value, $1.key.line ?? 0) < ($1.value, $0.key.line ?? 0) }?.key
        ?? CallFrame(function: "[unknown]", origin: .system)
    }
  }

  private static func sites(_ profile: SampledProfile) -> [String: Site] {
    profile.stacks.reduce(into: [:]) { sites, stack in
      guard
        let frame = stack.frames.last(where: { $0.origin == .program })
          ?? stack.frames.last(where: { $0.origin != .phase })
      else { return }
      sites[frame.function, default: Site()].count += stack.count
      sites[frame.function, default: Site()].lines[frame, default: 0] += stack.count
    }
  }
}
