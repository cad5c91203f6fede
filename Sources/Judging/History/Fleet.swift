import Foundation
import FrameBench
import Statistics
import TextFormat

/// Combines the nights of several machines that belong to one class and share a history (`--machine CLASS/NAME`).
extension HistoryAnalysis {
  /// Analyzes the history up to `night`. If another machine of the class had already measured the same commit and a
  /// newer one, the newer one is left out.
  /// - Parameter earlier: The nights before `night`, oldest first.
  package init(endingWith night: Night, after earlier: [Night]) {
    let groups = Fleet.groups(earlier + [night])
    self.init(groups[...(groups.lastIndex { $0.last == night } ?? groups.count - 1)].flatMap(\.self))
  }
}

enum Fleet {
  /// Groups the nights in which different machines of a class measured the same commit in the same environment within a
  /// day. Any other night is a group of its own. Groups are in the order of their first nights.
  /// - Parameter nights: The nights, oldest first.
  static func groups(_ nights: [Night]) -> [[Night]] {
    var groups: [[Night]] = []
    var latest: [String: Int] = [:]
    for night in nights {
      let isShared = night.environment.member != nil && night.environment.isDirty == false
      let commit = isShared ? night.commit : nil
      if let index = commit.flatMap({ latest[$0] }), belong(groups[index], night) {
        groups[index].append(night)
      } else {
        if let commit { latest[commit] = groups.count }
        groups.append([night])
      }
    }
    return groups
  }

  private static func belong(_ group: [Night], _ night: Night) -> Bool {
    guard let first = UTCTime(iso8601: group[0].startedAt), let own = UTCTime(iso8601: night.startedAt) else {
      return false
    }
    return own.unixSeconds - first.unixSeconds < 86_400 && group[0].environmentKey == night.environmentKey
      && !group.contains { $0.environment.member == night.environment.member }
  }

  /// Combines nights of one or more machines into one night. Each figure is the median over the machines.
  static func combined(_ nights: [Night]) -> Night {
    guard nights.count > 1 else { return nights[0] }
    var night = nights[0]
    night.metrics = nights.flatMap(\.metrics).unique
    // If machines measured different numbers of frames, only machines with the first machine's number count.
    let all = nights.flatMap { night in night.benchmarks.map { ($0.id, night.frames(of: $0.id)) } }
    let frames = Dictionary(all) { first, _ in first }
    var scenarioFrames = night.options?.scenarioFrames ?? [:]
    for (id, counts) in frames where counts != night.frames(of: id) {
      scenarioFrames["\(id.variant)/\(id.size)"] = counts
    }
    night.options?.scenarioFrames = scenarioFrames.unlessEmpty
    var values: [BenchmarkID: [String: [Double]]] = [:]
    for night in nights {
      var agreeing = night
      agreeing.benchmarks.removeAll { frames[$0.id] != night.frames(of: $0.id) }
      for (id, metric, value) in figures(agreeing) { values[id, default: [:]][metric, default: []].append(value) }
    }
    night.benchmarks = nights.flatMap(\.benchmarks).unique(by: \.id).map { benchmark in
      var benchmark = benchmark
      benchmark.values = night.metrics.map { values[benchmark.id]?[$0].map { Quantile.median($0) } }
      return benchmark
    }
    night.failures = nights.flatMap(\.failures).unique(by: \.id)
    // Machines that measure at the same time may report the same change, so duplicates are removed.
    night.announced = nights.flatMap(\.announced).unique { [$0.name, $0.startedAt] }
    night.withdrawn = nights.flatMap { $0.withdrawn ?? [] }.unique { [$0.name, $0.startedAt] }.unlessEmpty
    night.addComparisons(of: nights)
    return night
  }

  fileprivate static func figures(_ night: Night) -> [(id: BenchmarkID, metric: String, value: Double)] {
    night.benchmarks.flatMap { benchmark in
      zip(night.metrics, benchmark.values).compactMap { metric, value in value.map { (benchmark.id, metric, $0) } }
    }
  }
}

extension HistoryAnalysis {
  /// Smaller relative differences between machines are not reported, however certain they are.
  private static let leastDifference = 0.01

  /// Pairs of machines whose frame times differ by more than `leastDifference`, and by more than four standard
  /// deviations of their nightly differences, over at least `Trend.requiredSupport` nights. `change` is how much longer
  /// the median frame takes on the slower machine, as a fraction: the median over benchmarks, then over nights.
  package var machineDifferences: [(slower: String, faster: String, change: Double, nights: Int)] {
    // The logarithms of the ratios of frame times, one per night. The key is the pair of names in alphabetical order.
    var differences: [[String]: [Double]] = [:]
    for group in machines where group.count > 1 {
      let frames = group.map { night in
        let own = Fleet.figures(night).filter { $0.metric == "frameNanoseconds.p50" && $0.value > 0 }
        let times = Dictionary(own.map { ($0.id, $0.value) }) { first, _ in first }
        return (name: night.environment.member ?? "", times: times)
      }.sorted { $0.name < $1.name }
      for (index, one) in frames.enumerated() {
        for other in frames[(index + 1)...] {
          let ratios = one.times.compactMap { id, time in other.times[id].map { log(time / $0) } }
          guard !ratios.isEmpty else { continue }
          differences[[one.name, other.name], default: []].append(Quantile.median(ratios))
        }
      }
    }
    return differences.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { names, ratios in
      guard ratios.count >= Trend.requiredSupport else { return nil }
      let middle = Quantile.median(ratios)
      let variance = Moments(ratios[...]).variance
      let least = max(log1p(Self.leastDifference), Trend.deviations * variance.squareRoot())
      guard abs(middle) > least else { return nil }
      let (slower, faster) = middle > 0 ? (names[0], names[1]) : (names[1], names[0])
      return (slower, faster, change: expm1(abs(middle)), nights: ratios.count)
    }
  }

  /// The range of each figure over the machines of the newest night. The key is the benchmark's id and the metric.
  /// Empty if there was only one machine.
  package var newestSpreads: [String: ClosedRange<Double>] {
    guard let group = machines.last, group.count > 1 else { return [:] }
    return group.flatMap(Fleet.figures).reduce(into: [:]) { spreads, figure in
      let known = spreads["\(figure.id) \(figure.metric)"] ?? figure.value...figure.value
      spreads["\(figure.id) \(figure.metric)"] =
        min(known.lowerBound, figure.value)...max(known.upperBound, figure.value)
    }
  }
}

extension Night {
  /// Combines the comparisons of the nights. Their baselines may differ, because each machine compares a benchmark with
  /// the last commit that judged it. Each benchmark's verdict comes from the first machine that found the benchmark
  /// worse, or else from the first that compared it.
  fileprivate mutating func addComparisons(of nights: [Night]) {
    let compared = nights.filter { $0.comparison != nil }
    // One machine may compare with a commit that has the same programs, while another compares with an older one.
    let main = compared.first { $0.comparison?.method.source != .identicalPrograms } ?? compared.first
    (comparison, commitCount) = (main?.comparison, main?.commitCount)
    func rows(_ night: Night) -> [ComparisonRow] { night.comparison?.rows ?? [] }
    let choices: [(Night) -> [BenchmarkID]] = [
      { rows($0).filter(\.isWorse).map(\.id) },
      { rows($0).map(\.id) + $0.benchmarks.filter { $0.ratio != nil }.map(\.id) }, { $0.benchmarks.map(\.id) },
    ]
    let judges = Dictionary(
      choices.flatMap { ids in compared.enumerated().flatMap { place, night in ids(night).map { ($0, place) } } }
    ) { first, _ in first }
    var judged: [BenchmarkID: Benchmark] = [:]
    for (place, night) in compared.enumerated() {
      for var benchmark in night.benchmarks where judges[benchmark.id] == place {
        let base = benchmark.base ?? night.comparison?.baseline.commit
        benchmark.base = base == comparison?.baseline.commit ? nil : base
        judged[benchmark.id] = benchmark
      }
    }
    comparison?.rows = compared.enumerated().flatMap { place, night in rows(night).filter { judges[$0.id] == place } }
    // An anchor is a second, older commit to compare with. Only ratios to the same anchor can be combined.
    anchor = nights.lazy.compactMap(\.anchor).first
    let anchored = nights.filter { $0.anchor == anchor }.flatMap(\.benchmarks)
    let anchorRatios = Dictionary(anchored.map { ($0.id, $0.anchorRatio) }) { $0 ?? $1 }
    for index in benchmarks.indices {
      let id = benchmarks[index].id
      (benchmarks[index].ratio, benchmarks[index].base) = (judged[id]?.ratio, judged[id]?.base)
      benchmarks[index].anchorRatio = anchorRatios[id] ?? nil
    }
    comparison?.failures = compared.flatMap { $0.comparison?.failures ?? [] }.unique(by: \.id)
    culprits = nights.flatMap { $0.culprits ?? [] }.unique.unlessEmpty
    remarks = nights.flatMap { $0.remarks ?? [] }.unique.unlessEmpty
    let judgedIDs = nights.filter { $0.isJudged != false }.reduce(into: Set()) { $0.formUnion($1.judgedIDs) }
    isJudged = nights.allSatisfy { $0.isJudged != false || judgedIDs.isSuperset(of: $0.comparedIDs) } ? nil : false
  }
}

extension ComparisonRow {
  fileprivate var isWorse: Bool { verdict == .missing ? isLost : verdict.isChange && verdict != .improved }
}
