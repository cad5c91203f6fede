import Measurements

/// What a limit is about.
package enum LimitKey: Sendable, Hashable {
  /// A figure of a benchmark, as `springbench run --json` names it: `frameNanoseconds.solve.p99`.
  /// Always with a statistic.
  case figure(FigureName)
  /// Frames that cost more than the file's share of its refresh rate's period.
  case missedFrames
  /// Milliseconds of hitches per second of display time at the file's refresh rate.
  case hitchTimeRatio
  /// k in cost ~ items^k, over the sizes of a scenario and strategy, by the p50 frame.
  case growthExponent
  /// How many times the frame of one strategy costs that of another, at the same size.
  case ratio(of: String, to: String, statistic: FlatRow.Statistic)
}

extension LimitKey: CustomStringConvertible {
  /// As findings name it: `frameNanoseconds.solve.p99`. Without its statistic where a budget file may leave
  /// that out.
  package var description: String {
    switch self {
    case .figure(let name) where name.phase == nil && name.statistic == .total && !Self.isOfFrames(name):
      name.metric
    case .missedFrames: "missedFrames"
    case .hitchTimeRatio: "hitchTimeRatio"
    case .ratio(let above, let below, .p50): "ratio.\(above)/\(below)"
    default: fullName
    }
  }

  /// With its statistic in any case, so that all spellings of a key have one name.
  var fullName: String {
    switch self {
    case .figure(let name): name.description
    case .missedFrames: "missedFrames.total"
    case .hitchTimeRatio: "hitchTimeRatio.total"
    case .growthExponent: "growthExponent"
    case .ratio(let above, let below, let statistic): "ratio.\(above)/\(below).\(statistic.rawValue)"
    }
  }

  /// Parses what stands left of a colon.
  /// - Throws: A line that says what is wrong with it.
  static func parse(_ text: String) throws(KeyError) -> LimitKey {
    switch text {
    case "missedFrames", "missedFrames.total": return .missedFrames
    case "hitchTimeRatio", "hitchTimeRatio.total": return .hitchTimeRatio
    case "growthExponent": return .growthExponent
    default: break
    }
    if text.hasPrefix("ratio.") { return try parseRatio(text) }
    guard var name = FigureName(text) else {
      throw KeyError("\"\(text)\" is not the name of a limit; \(grammar)")
    }
    guard name.metric != Metric.checksum.name else {
      throw KeyError("a checksum has no limit; `springbench gate --baseline` compares checksums")
    }
    if name.statistic == nil {
      guard name.phase == nil else {
        throw KeyError("\"\(text)\" does not end in a statistic (\(statistics)); \(grammar)")
      }
      guard !isOfFrames(name) else {
        throw KeyError(
          "\(text) is measured for every frame: choose a statistic, as in \(text).p99 (\(statistics))")
      }
      name.statistic = .total
    }
    return .figure(name)
  }

  private static func parseRatio(_ text: String) throws(KeyError) -> LimitKey {
    let parts = text.dropFirst("ratio.".count).split(separator: ".", omittingEmptySubsequences: false)
    let strategies = parts[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard strategies.count == 2, strategies.allSatisfy({ !$0.isEmpty }), parts.count <= 2 else {
      throw KeyError(
        "\"\(text)\" does not name two strategies; write ratio.naive/tiled or ratio.naive/tiled.p99")
    }
    guard strategies[0] != strategies[1] else {
      throw KeyError("\"\(text)\" compares \(strategies[0]) with itself; name two strategies")
    }
    guard parts.count == 2 else { return .ratio(of: strategies[0], to: strategies[1], statistic: .p50) }
    guard let statistic = FlatRow.Statistic(rawValue: String(parts[1])), statistic != .total else {
      throw KeyError("\"\(text)\" ends in \"\(parts[1])\"; write p50, p90, p99, max or mean")
    }
    return .ratio(of: strategies[0], to: strategies[1], statistic: statistic)
  }

  /// Whether it needs an explicit statistic.
  private static func isOfFrames(_ name: FigureName) -> Bool {
    [Metric.frameTime, .rawFrameTime, .allocationCount, .allocatedBytes].contains { $0.name == name.metric }
  }

  private static var statistics: String {
    FlatRow.Statistic.allCases.map(\.rawValue).joined(separator: ", ")
  }

  private static let grammar =
    "write METRIC.STATISTIC or METRIC.PHASE.STATISTIC, as in frameNanoseconds.solve.p99"

  struct KeyError: Error {
    var message: String
    init(_ message: String) { self.message = message }
  }
}

extension LimitKey {
  /// The unit of its values. Nil for a counter, whose unit comes from a run.
  var quantity: Quantity? {
    switch self {
    case .figure(let name): Metric.named(name.metric).map { Quantity($0.unit) }
    case .missedFrames, .growthExponent, .ratio: .number
    case .hitchTimeRatio: .hitchRatio
    }
  }

  /// Whether it is about what a display leaves for a frame.
  var isOfDisplay: Bool {
    switch self {
    case .missedFrames, .hitchTimeRatio: true
    case .figure(let name): name.metric == Metric.overrun.name
    case .growthExponent, .ratio: false
    }
  }
}
