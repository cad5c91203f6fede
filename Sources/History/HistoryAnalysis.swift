import Dispatch
import FrameBench
import Statistics

/// All nights of one machine's history, and the trends in them.
public struct HistoryAnalysis: Sendable {
  /// Oldest first.
  public let nights: [Night]
  /// In the order of the newest night's benchmarks and metrics; what it has not, behind.
  public let trends: [Trend]

  /// Nights of a new level after which its change point is believed, and told of.
  public static let requiredSupport = 4
  /// Change points move by a few nights as later ones come in: those so near are the same.
  static let sameWithin = 5

  /// - Parameter nights: In any order.
  public init(_ nights: [Night], detection: ChangePointDetection = ChangePointDetection()) {
    let ordered = nights.sorted { $0.startedAt < $1.startedAt }
    self.nights = ordered
    let columns = Self.columns(ordered)
    let surroundings = ordered.map(\.surroundings)
    trends = Self.inParallel(columns) { column in
      Trend(
        id: column.id, metric: column.metric, nights: column.nights, values: column.values,
        surroundings: surroundings, detection: detection)
    }
  }

  public func trend(_ id: BenchmarkID, _ metric: String) -> Trend? {
    trends.first { $0.id == id && $0.metric == metric }
  }

  private struct Column: Sendable {
    var id: BenchmarkID
    var metric: String
    var nights: [Int] = []
    var values: [Double] = []
  }

  private struct Key: Hashable {
    var id: BenchmarkID
    var metric: String
  }

  private static func columns(_ nights: [Night]) -> [Column] {
    var columns: [Column] = []
    var position: [Key: Int] = [:]
    // Newest first, for the order; the values are turned round below.
    for night in nights.indices.reversed() {
      for benchmark in nights[night].benchmarks {
        for (metric, value) in zip(nights[night].metrics, benchmark.values) {
          guard let value else { continue }
          let key = Key(id: benchmark.id, metric: metric)
          let index: Int
          if let known = position[key] {
            index = known
          } else {
            index = columns.count
            position[key] = index
            columns.append(Column(id: key.id, metric: key.metric))
          }
          columns[index].nights.append(night)
          columns[index].values.append(value)
        }
      }
    }
    for index in columns.indices {
      columns[index].nights.reverse()
      columns[index].values.reverse()
    }
    return columns
  }

  private static func inParallel<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], _ work: @Sendable (Input) -> Output
  ) -> [Output] {
    guard !inputs.isEmpty else { return [] }
    return [Output](unsafeUninitializedCapacity: inputs.count) { buffer, count in
      nonisolated(unsafe) let base = buffer.baseAddress
      DispatchQueue.concurrentPerform(iterations: inputs.count) { index in
        base?.advanced(by: index).initialize(to: work(inputs[index]))
      }
      count = inputs.count
    }
  }
}

// MARK: - What is new

extension HistoryAnalysis {
  /// A change point of a trend.
  public struct Finding: Sendable, Equatable {
    public var trend: Trend
    public var shift: Trend.Shift
  }

  /// Change points that enough nights support and that no night's report has told of yet.
  public func unannounced() -> [Finding] {
    let told = Set(nights.flatMap(\.announced))
    return trends.flatMap { trend in
      trend.shifts.filter { shift in
        shift.support >= Self.requiredSupport && !isTold(shift, of: trend, told)
      }.map { Finding(trend: trend, shift: $0) }
    }
  }

  private func isTold(_ shift: Trend.Shift, of trend: Trend, _ told: Set<Night.Announcement>) -> Bool {
    let low = max(0, shift.position - Self.sameWithin)
    let high = min(trend.nights.count - 1, shift.position + Self.sameWithin)
    return (low...high).contains { position in
      told.contains(
        Night.Announcement(
          id: trend.id, metric: trend.metric, startedAt: nights[trend.nights[position]].startedAt))
    }
  }

  /// The night of a shift as nights announce it.
  public func announcement(of finding: Finding) -> Night.Announcement {
    Night.Announcement(
      id: finding.trend.id, metric: finding.trend.metric,
      startedAt: nights[finding.trend.nights[finding.shift.position]].startedAt)
  }

  /// Commits of the last night of the old level and of the first night of the new one; nil where unknown.
  public func commitRange(of finding: Finding) -> (good: String, bad: String)? {
    let positions = finding.trend.nights
    guard finding.shift.position > 0,
      let good = nights[positions[finding.shift.position - 1]].environment.commit,
      let bad = nights[positions[finding.shift.position]].environment.commit
    else { return nil }
    return (good, bad)
  }

  /// Benchmarks of the night before that the newest one lacks.
  public func vanished() -> [BenchmarkID] {
    guard nights.count > 1, let last = nights.last else { return [] }
    let present = Set(last.benchmarks.map(\.id))
    return nights[nights.count - 2].benchmarks.map(\.id).filter { !present.contains($0) }
  }

  /// How the newest value of a trend compares with an earlier time, as a fraction; nil where either is absent.
  /// - Parameter days: Nights back; the median of as many nights up to the one before the newest.
  public func change(of trend: Trend, overNights days: Int) -> Double? {
    guard trend.nights.last == nights.count - 1, let newest = trend.values.last else { return nil }
    let start = max(trend.segmentStarts.last ?? 0, trend.values.count - 1 - days)
    let earlier = trend.values[start..<(trend.values.count - 1)]
    guard !earlier.isEmpty else { return nil }
    let level = Quantile.type7(sorted: earlier.sorted(), at: 0.5)
    return level == 0 ? nil : newest / level - 1
  }
}
