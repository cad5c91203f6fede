import Dispatch
import FrameBench
import Statistics

/// All nights of one machine's history, and the trends in them.
public struct HistoryAnalysis: Sendable {
  /// Oldest first.
  public internal(set) var nights: [Night]
  /// In the order of the newest night's benchmarks and metrics; what it has not, behind.
  public let trends: [Trend]

  /// Days since 1970-01-01 of each night.
  public let days: [Int]

  /// Nights of a new level after which its change point is believed, and told of.
  public static let requiredSupport = 4
  /// Change points move by a few nights as later ones come in: those so near are the same.
  static let sameWithin = 5

  /// - Parameter nights: In any order.
  public init(_ nights: [Night], detection: ChangePointDetection = ChangePointDetection()) {
    let ordered = nights.sorted { $0.startedAt < $1.startedAt }
    days = ordered.map { Moment($0.startedAt)?.day ?? 0 }
    self.nights = ordered
    let columns = Self.columns(ordered)
    let surroundings = ordered.map(\.surroundings)
    trends = Self.inParallel(columns) { column in
      Trend(
        id: column.id, metric: column.metric, nights: column.nights, values: column.values,
        surroundings: surroundings, detection: detection)
    }
  }

  /// Benchmarks in the order of the trends.
  public var benchmarks: [BenchmarkID] {
    var seen: Set<BenchmarkID> = []
    return trends.map(\.id).filter { seen.insert($0).inserted }
  }

  public func trends(of id: BenchmarkID) -> [Trend] { trends.filter { $0.id == id } }

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
