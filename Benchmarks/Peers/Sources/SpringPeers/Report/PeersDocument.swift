import Foundation

/// The figures of the report as JSON, for other programs.
struct PeersDocument: Encodable {
  struct Measured: Encodable {
    var median: Double
    /// The lower and the upper quartile of the ratios.
    var quartiles: [Double]
    /// The 99% interval of the median; nil if there are too few rounds.
    var interval: [Double]?

    init(_ ratio: Ratio) {
      median = ratio.median
      quartiles = [ratio.quartiles.lowerBound, ratio.quartiles.upperBound]
      interval = ratio.interval.map { [$0.lowerBound, $0.upperBound] }
    }
  }

  struct ClaimRecord: Encodable {
    var name: String
    /// `atMost` or `atLeast`.
    var kind: String
    var limit: Double
    var verdict: Claim.Verdict
    var ratios: [String: Measured]
    /// The ratios of the first measurement, if it missed the limit and was repeated.
    var first: [String: Measured]?
  }

  /// The costs of one list size and kind of work, or of one system.
  struct Costs: Encodable {
    /// Medians over the rounds, in nanoseconds: per spring and step for a list, per frame for a system.
    var costs: [String: Double]
    /// The ratios of contestants' costs, with keys such as `engineRangeY/bareLoopY`.
    var ratios: [String: Measured]
  }

  /// How a heap comes to rest on one engine.
  struct HeapRecord: Encodable {
    var frameNanoseconds: Double
    var deepestOverlap: Double
    var finalOverlap: Double
    /// Seconds until all items sleep. Nil if some stayed awake.
    var timeToSleep: Double?
    /// The largest rise of the energy, as a fraction of the initial energy.
    var energyGrowth: Double

    init(_ course: HeapCourse) {
      (frameNanoseconds, deepestOverlap) = (course.cost, course.deepestOverlap)
      (finalOverlap, timeToSleep, energyGrowth) = (course.finalOverlap, course.timeToSleep, course.growth)
    }
  }

  var version = 1
  var commit: String?
  var isDebugBuild: Bool
  var processor: String?
  var coreCount: Int
  var kernel: String?
  var vectors: String
  var compiler: String
  /// The time of the report in UTC, as ISO 8601.
  var date: String
  var roundCount: Int
  var seed: UInt64
  /// The claims, keyed by `Claim.key`.
  var claims: [String: ClaimRecord]
  /// The keys of the claims in the order of the report's table.
  var order: [String]
  /// The costs, keyed by the number of springs and then by `solve` or `frame`.
  var lists: [String: [String: Costs]] = [:]
  /// The costs of whole frames of lists in a view.
  var views: [String: Costs] = [:]
  var systems: [String: Costs] = [:]
  /// The heaps, keyed by `HeapCourse.Heap.key` and then by engine.
  var heaps: [String: [String: HeapRecord]] = [:]

  init(_ report: PeersReport, date: Date) {
    let machine = report.machine
    (commit, isDebugBuild) = (machine.commit, machine.isDebugBuild)
    (processor, coreCount, kernel) = (machine.processor, machine.coreCount, machine.kernel)
    (vectors, compiler) = (machine.vectors, machine.compiler)
    self.date = date.ISO8601Format()
    (roundCount, seed) = (report.options.roundCount, report.options.seed)
    order = report.claims.map(\.key)
    claims = Dictionary(uniqueKeysWithValues: report.claims.map { ($0.key, ClaimRecord($0)) })
    for heat in report.heats { lists["\(heat.size)", default: [:]][heat.work.rawValue] = Costs(heat) }
    for heat in report.lists { views[heat.scene.key] = Costs(heat) }
    for heat in report.systems { systems[heat.scene.key] = Costs(heat) }
    for course in report.courses {
      heaps[course.heap.key, default: [:]][course.contestant.rawValue] = HeapRecord(course)
    }
  }

  /// Returns the document as JSON. The keys are sorted, so that two documents can be compared line by line.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}

extension PeersDocument.ClaimRecord {
  init(_ claim: Claim) {
    func records(_ parts: [Claim.Part]) -> [String: PeersDocument.Measured] {
      Dictionary(uniqueKeysWithValues: parts.map { ($0.key, PeersDocument.Measured($0.ratio)) })
    }
    (name, limit, verdict) = (claim.name, claim.limit.value, claim.verdict)
    kind =
      switch claim.limit {
      case .atMost: "atMost"
      case .atLeast: "atLeast"
      }
    ratios = records(claim.parts)
    first = claim.firstParts.map(records)
  }
}

extension PeersDocument.Costs {
  fileprivate init(_ heat: Race.Heat) {
    costs = [:]
    ratios = [:]
    for contestant in Contestant.allCases { costs[contestant.rawValue] = heat.cost(of: contestant) }
    for (other, contestants) in PeersReport.ratios {
      for contestant in contestants {
        ratios["\(contestant.rawValue)/\(other.rawValue)"] = heat.ratio(of: contestant, to: other).map(
          PeersDocument.Measured.init)
      }
    }
  }

  fileprivate init(_ heat: ListRace.Heat) {
    costs = [:]
    for contestant in ListContestant.allCases { costs[contestant.rawValue] = heat.cost(of: contestant) }
    ratios = heat.ratio.map { ["engine/bareLoop": PeersDocument.Measured($0)] } ?? [:]
  }

  fileprivate init(_ heat: SystemRace.Heat) {
    costs = [:]
    ratios = [:]
    for contestant in SystemContestant.allCases { costs[contestant.rawValue] = heat.cost(of: contestant) }
    for contestant in SystemContestant.others {
      ratios["\(contestant.rawValue)/engine"] = heat.ratio(of: contestant, to: .engine).map(PeersDocument.Measured.init)
    }
  }
}
