import FrameBench
import Measurements
import Statistics
import TextFormat

/// All nights of one machine's history, and the trends in them.
package struct HistoryAnalysis: Sendable {
  /// Oldest first.
  package internal(set) var nights: [Night]
  /// In the order of the newest night's benchmarks and metrics; those that it lacks come last.
  package let trends: [Trend]

  /// Days since 1970-01-01 of each night.
  package let days: [Int]

  /// - Parameter nights: In any order.
  package init(_ nights: [Night], detection: ChangePointDetection = ChangePointDetection()) {
    let ordered = nights.sorted { $0.startedAt < $1.startedAt }
    days = ordered.map { UTCTime(iso8601: $0.startedAt)?.day ?? 0 }
    self.nights = ordered
    let columns = Self.columns(ordered)
    let environmentKey = ordered.map(\.environmentKey)
    let declared = ordered.last { $0.counterKinds != nil }?.counterKinds
    trends = Parallel.map(columns) { column in
      Trend(
        id: column.id, metric: column.metric,
        kind: .named(FigureName(column.metric)?.metric ?? column.metric, declared: declared),
        nights: column.nights, values: column.values, environmentKey: environmentKey, detection: detection)
    }
  }

  /// Benchmarks in the order of the trends.
  package var benchmarks: [BenchmarkID] {
    var seen: Set<BenchmarkID> = []
    return trends.map(\.id).filter { seen.insert($0).inserted }
  }

  /// In the order of the metrics; empty for a benchmark that never ran.
  package func trends(of id: BenchmarkID) -> [Trend] { trends.filter { $0.id == id } }

  /// Nil where the benchmark never had such a figure.
  ///
  /// - Parameter metric: As budgets name it: `frameNanoseconds.solve.p50`.
  package func trend(_ id: BenchmarkID, _ metric: String) -> Trend? {
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
    var known: [Key: Int] = [:]
    func column(_ key: Key) -> Int {
      if let index = known[key] { return index }
      known[key] = columns.count
      columns.append(Column(id: key.id, metric: key.metric))
      return columns.count - 1
    }

    // Most nights have the same metrics, so their columns are looked up only once per benchmark.
    var places: [BenchmarkID: [Int]] = [:]
    var metrics: [String] = []
    // Newest first, for the order; the values are reversed below.
    for night in nights.indices.reversed() {
      if nights[night].metrics != metrics {
        metrics = nights[night].metrics
        places = [:]
      }
      for benchmark in nights[night].benchmarks {
        let place = places[benchmark.id] ?? metrics.map { column(Key(id: benchmark.id, metric: $0)) }
        places[benchmark.id] = place
        for (index, value) in zip(place, benchmark.values) {
          guard let value else { continue }
          columns[index].nights.append(night)
          columns[index].values.append(value)
        }
      }
    }
    columns.removeAll(where: \.values.isEmpty)
    for index in columns.indices {
      columns[index].nights.reverse()
      columns[index].values.reverse()
    }
    return columns
  }
}
