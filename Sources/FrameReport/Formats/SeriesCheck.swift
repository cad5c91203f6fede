/// The count series of a run document, read before the document itself: adding up runs of hostile lengths
/// or values would overflow, which ends a program.
struct SeriesCheck: Decodable {
  let benchmarks: [Record]

  struct Record: Decodable {
    let phases: [Phase]
    let allocations: Threads?
    let counters: [String: Series]
  }

  struct Phase: Decodable {
    let allocations: Pair?
  }

  struct Threads: Decodable {
    let frameThread: Pair
    let otherThreads: Pair
  }

  struct Pair: Decodable {
    let count: Series
    let bytes: Series
  }

  /// `[[value, repetitions], …]` whose sums fit.
  struct Series: Decodable {
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      var count = 0
      var total = 0
      while !container.isAtEnd {
        let place = container.codingPath + [Place(intValue: container.currentIndex)]
        let pair = try container.decode([Int].self)
        guard pair.count == 2 else {
          throw Self.error(place, "\(pair.count) numbers, where [value, repetitions] belongs")
        }
        guard pair[1] > 0 else {
          throw Self.error(place, "\(pair[1]) repetitions; they start at 1")
        }
        let product = pair[0].multipliedReportingOverflow(by: pair[1])
        let nextCount = count.addingReportingOverflow(pair[1])
        let nextTotal = total.addingReportingOverflow(product.partialValue)
        guard !product.overflow, !nextCount.overflow, !nextTotal.overflow else {
          throw Self.error(place, "the sum of the series does not fit into 64 bits")
        }
        count = nextCount.partialValue
        total = nextTotal.partialValue
      }
    }

    private static func error(_ path: [any CodingKey], _ reason: String) -> DecodingError {
      .dataCorrupted(.init(codingPath: path, debugDescription: reason))
    }
  }

  private struct Place: CodingKey {
    let intValue: Int?
    var stringValue: String { intValue.map(String.init) ?? "" }

    init(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { nil }
  }
}
