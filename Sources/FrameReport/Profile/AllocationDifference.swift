import FrameBench

/// Who allocates more in one build than in the other. Exact.
public struct AllocationDifference: Sendable {
  /// Of the same frames as `candidate`.
  public var baseline: AllocationProfile
  /// Of the same frames as `baseline`.
  public var candidate: AllocationProfile
  /// Places that allocate more often than before, or as often but more bytes; the largest first.
  public var growths: [Growth]

  /// A function that allocates, by name, in both builds.
  public struct Growth: Sendable, Equatable {
    /// That of its most frequent stack; in the candidate, where it allocates there at all.
    public var site: CallFrame
    /// Zeros where it does not allocate there.
    public var baseline: Amount
    /// Zeros where it does not allocate there.
    public var candidate: Amount
  }

  /// In all frames.
  public struct Amount: Sendable, Equatable {
    /// Allocations.
    public var count = 0
    /// As asked for.
    public var bytes = 0
  }

  /// Finds what grew. Allocations whose stacks were lost are at no place.
  public init(baseline: AllocationProfile, candidate: AllocationProfile) {
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
    // First, since its files and lines are those that somebody has before them.
    add(candidate, \.candidate)
    add(baseline, \.baseline)
    growths = sites.values.filter { $0.count > 0 || $0.count == 0 && $0.bytes > 0 }.sorted {
      ($1.count, $1.bytes, $0.site.function) < ($0.count, $0.bytes, $1.site.function)
    }
  }

  /// A section of a page.
  ///
  /// - Parameter count: Rows of the table; how many more there are is said below it.
  public func markdown(baselineName: String, candidateName: String, count: Int = 12) -> String {
    var text = """
      ## Who allocates more

      \(candidateName): \(candidate.verdict). \(baselineName): \(baseline.verdict).


      """
    guard !growths.isEmpty else {
      let isWhole = candidate.lostCount == 0
      return text
        + "No function\(isWhole ? "" : " whose stacks were recorded") allocates more often than before."
    }
    var table = MarkdownTable([
      ("allocates", .left), ("where", .left), ("before", .right), ("after", .right),
      ("bytes before", .right), ("bytes after", .right),
    ])
    for growth in growths.prefix(count) {
      table.append([
        Markdown.code(growth.site.shortFunction), growth.site.position.map(Markdown.code) ?? Format.absent,
        Format.integer(growth.baseline.count), Format.integer(growth.candidate.count),
        Format.integer(growth.baseline.bytes), Format.integer(growth.candidate.bytes),
      ])
    }
    text += table.render()
    let rest = growths.count - count
    return rest > 0 ? text + "\n\nAnd \(Format.plural(rest, "more place"))." : text
  }
}

extension AllocationDifference.Growth {
  /// By how much more.
  var count: Int { candidate.count - baseline.count }
  var bytes: Int { candidate.bytes - baseline.bytes }

  /// Allocations where it allocates more often, else bytes.
  public var mover: RegressionProfile.Mover {
    count > 0
      ? .init(
        function: site.function, position: site.position, baseline: Double(baseline.count),
        candidate: Double(candidate.count), unit: .count)
      : .init(
        function: site.function, position: site.position, baseline: Double(baseline.bytes),
        candidate: Double(candidate.bytes), unit: .bytes)
  }
}
