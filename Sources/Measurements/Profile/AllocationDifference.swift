/// What allocates more in one build than in the other. Exact.
package struct AllocationDifference: Sendable {
  /// Of the same frames as `candidate`.
  package var baseline: AllocationProfile
  /// Of the same frames as `baseline`.
  package var candidate: AllocationProfile
  /// Places that allocate more often than before, or as often but more bytes; the largest first.
  package var growths: [Growth]

  /// A function that allocates, by name, in both builds.
  package struct Growth: Sendable, Equatable {
    /// That of its most frequent stack; in the candidate, where it allocates there at all.
    package var site: CallFrame
    /// Zeros where it does not allocate there.
    package var baseline: Amount
    /// Zeros where it does not allocate there.
    package var candidate: Amount
  }

  /// In all frames.
  package struct Amount: Sendable, Equatable {
    /// Allocations.
    package var count = 0
    /// As asked for.
    package var bytes = 0
  }

  /// Finds what grew. Allocations whose stacks were lost are at no place.
  package init(baseline: AllocationProfile, candidate: AllocationProfile) {
    self.baseline = baseline
    self.candidate = candidate
    var sites: [String: Growth] = [:]
    func add(_ profile: AllocationProfile, _ side: WritableKeyPath<Growth, Amount>) {
      for stack in profile.stacks {
        let site = stack.site ?? CallFrame(function: "[unknown]", origin: .system)
        var growth =
          sites[site.function] ?? Growth(site: site, baseline: Amount(), candidate: Amount())
        growth[keyPath: side].count += stack.count
        growth[keyPath: side].bytes += stack.bytes
        sites[site.function] = growth
      }
    }
    // First, because its files and lines are the ones that the reader has.
    add(candidate, \.candidate)
    add(baseline, \.baseline)
    growths = sites.values.filter { $0.count > 0 || $0.count == 0 && $0.bytes > 0 }.sorted {
      ($1.count, $1.bytes, $0.site.function) < ($0.count, $0.bytes, $1.site.function)
    }
  }
}

extension AllocationDifference.Growth {
  /// By how much more.
  package var count: Int { candidate.count - baseline.count }
  package var bytes: Int { candidate.bytes - baseline.bytes }
}
