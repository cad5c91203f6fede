import FrameBench

/// Where a benchmark that became worse spends more than before, or why nobody knows.
public struct RegressionProfile: Codable, Sendable, Equatable {
  public var id: BenchmarkID
  /// Of the files, as from where the command ran; nil where there are none.
  public var folder: String?
  /// Why there is no profile, or one without a part that it should have: one sentence without a full stop.
  public var problem: String?
  /// Functions that take more time than before, and by more than chance does; the largest first.
  public var movers: [Mover]
  /// Functions that allocate more often than before, or more bytes; the largest first.
  public var allocators: [Mover]

  /// What a frame costs in both builds; nil where time was not looked at, or could not be.
  public var frame: Mover?

  /// A function that costs more than before, or a whole frame.
  public struct Mover: Codable, Sendable, Equatable {
    /// What `baseline` and `candidate` are counted in.
    public enum Unit: String, Codable, Sendable {
      /// Of a frame.
      case nanoseconds
      /// Allocations, and what they ask for, in all frames.
      case count, bytes
    }

    /// Demangled, without types of parameters; `frame` for a whole one.
    public var function: String
    /// `Layout.swift:71`; nil where the compiler said nothing.
    public var position: String?
    /// Who calls it, where most of the growth is.
    public var caller: String?
    /// In `unit`; a function's time is with what it calls of libraries.
    public var baseline: Double
    /// In `unit`, as `baseline`.
    public var candidate: Double
    public var unit: Unit

    public init(
      function: String, position: String? = nil, caller: String? = nil, baseline: Double,
      candidate: Double, unit: Unit
    ) {
      self.function = function
      self.position = position
      self.caller = caller
      self.baseline = baseline
      self.candidate = candidate
      self.unit = unit
    }

    var growth: Double { candidate - baseline }

    /// `+120 ns`, `0 → 9 allocations`
    var text: String {
      switch unit {
      case .nanoseconds: "+\(TimeUnit.text(growth))"
      case .count: "\(Format.count(baseline)) → \(Format.count(candidate)) allocations"
      case .bytes: "\(ByteUnit.text(baseline)) → \(ByteUnit.text(candidate)) allocated"
      }
    }
  }

  public init(
    id: BenchmarkID, folder: String? = nil, problem: String? = nil, frame: Mover? = nil,
    movers: [Mover] = [], allocators: [Mover] = []
  ) {
    self.id = id
    self.folder = folder
    self.problem = problem
    self.frame = frame
    self.movers = movers
    self.allocators = allocators
  }

  /// The page to begin with.
  public var page: String? { folder.map { "\($0)/\(ProfileFile.summary.rawValue)" } }
  /// Red and blue; there where time was profiled.
  var flameGraph: String? {
    frame == nil ? nil : folder.map { "\($0)/\(ProfileFile.difference.rawValue)" }
  }
}

extension RegressionProfile {
  /// What made this figure worse, in words; nil where that is not known.
  /// - Parameters:
  ///   - hasPlaces: Whether to say files and lines.
  ///   - name: Of a function, as the page writes it.
  func finding(
    _ row: ComparisonRow, hasPlaces: Bool = true, name: (String) -> String = { $0 }
  ) -> String? {
    let isAllocation = Self.isAllocation(row)
    let movers = isAllocation ? allocators : movers
    guard let first = movers.first else {
      return frame == nil || isAllocation ? nil : "no function grew by more than chance"
    }
    // The second is worth a word where it is not much smaller.
    let shown = movers.prefix(2).filter { $0.unit == first.unit && 3 * $0.growth >= first.growth }
    return shown.map { mover in
      let words = [
        name(mover.function), mover.caller.map { "in \(name($0))" }, mover.text,
        hasPlaces ? mover.position.map { "(\($0))" } : nil,
      ]
      return words.compactMap(\.self).joined(separator: " ")
    }.joined(separator: ", ")
  }

  func largest(_ row: ComparisonRow) -> Mover? { (Self.isAllocation(row) ? allocators : movers).first }

  /// Whether the figure is one that says who allocates, and not where time goes.
  public static func isAllocation(_ row: ComparisonRow) -> Bool {
    ["allocationCount", "allocatedBytes", "otherThreadAllocationCount"].contains(row.metric)
  }
}

extension ComparisonDocument {
  /// That of the row's benchmark; nil for a row that did not regress, and where there is no profile.
  public func profile(of row: ComparisonRow) -> RegressionProfile? {
    guard row.verdict == .regressed else { return nil }
    return profiles?.first { $0.id == row.id }
  }

  /// What made the figures of a benchmark worse, in words, of each kind once.
  func findings(_ profile: RegressionProfile, name: (String) -> String = { $0 }) -> [String] {
    rows.filter { $0.id == profile.id && $0.verdict == .regressed && leads($0) }
      .compactMap { profile.finding($0, name: name) }
  }

  /// Whether this is the row of the benchmark to say it at: the first of its kind.
  func leads(_ row: ComparisonRow) -> Bool {
    rows.first {
      $0.id == row.id && $0.verdict == .regressed
        && RegressionProfile.isAllocation($0) == RegressionProfile.isAllocation(row)
    } == row
  }

  /// What profiles could not be made, or lack, each with all whom it concerns: sentences without a full stop.
  func profileProblems(name: (String) -> String = { $0 }, escape: (String) -> String = { $0 }) -> [String] {
    var problems: [(subject: String, problem: String, ids: [BenchmarkID])] = []
    for profile in profiles ?? [] {
      guard let problem = profile.problem else { continue }
      let subject = profile.folder == nil ? "no profile of" : "not in the profile of"
      if let index = problems.firstIndex(where: { ($0.subject, $0.problem) == (subject, problem) }) {
        problems[index].ids.append(profile.id)
      } else {
        problems.append((subject, problem, [profile.id]))
      }
    }
    return problems.map { "\($0.subject) \(Self.names($0.ids, name: name)): \(escape($0.problem))" }
  }

  /// `a, b, c and 4 more`
  private static func names(_ ids: [BenchmarkID], name: (String) -> String) -> String {
    let shown = ids.prefix(3).map { name("\($0)") }
    return ids.count > shown.count
      ? "\(shown.joined(separator: ", ")) and \(ids.count - shown.count) more" : Format.list(shown)
  }

  /// Benchmarks that became worse, the worst first: by what a frame costs more, then those of which only
  /// exact figures rose.
  public var regressedBenchmarks: [BenchmarkID] {
    var losses: [BenchmarkID: Double] = [:]
    var order: [BenchmarkID] = []
    for row in rows where row.verdict == .regressed {
      if losses[row.id] == nil { order.append(row.id) }
      losses[row.id] = max(losses[row.id] ?? 0, loss(row))
    }
    return order.enumerated().sorted {
      (losses[$1.element] ?? 0, $0.offset) < (losses[$0.element] ?? 0, $1.offset)
    }.map(\.element)
  }

  /// As a part of the frame before; 0 for what is no time.
  private func loss(_ row: ComparisonRow) -> Double {
    guard row.metric == "frameNanoseconds", case .number(let old) = row.baseline, let change = row.change,
      case .number(let frame) = rows.first(where: {
        $0.id == row.id && $0.metric == row.metric && $0.phase == nil
      })?.baseline, frame > 0
    else { return 0 }
    return old * change / frame
  }
}
