import FrameBench
import Measurements
import TextFormat

/// The largest lists that fit a frame, by strategy. Nil where they were not searched for.
struct CapacitySection {
  private let capacities: [CapacityRecord]

  init?(scenario: String, document: RunDocument) {
    capacities = (document.capacities ?? []).filter { $0.scenario == scenario }
    guard !capacities.isEmpty else { return nil }
  }

  var blocks: [Block] {
    var table = Table([
      ("strategy", .left), ("items that fit", .right), ("p99 frame", .right),
      ("do not fit", .right), ("tried", .right), ("ended by", .left),
    ])
    for capacity in capacities {
      let fitting = capacity.itemCount.map { count in
        (capacity.exceedingItemCount == nil ? "at least " : "") + Format.integer(count)
      }
      let cost = capacity.fittingProbe.map { TimeUnit.text($0.p99Nanoseconds) }
      let ending = capacity.failure.map { RichText.footnote("\($0).") } ?? ""
      table.append([
        "\(capacity.strategy)", "\(fitting ?? "none")", "\(cost ?? "")",
        "\(capacity.exceedingItemCount.map(Format.integer) ?? "")",
        "\(Format.plural(capacity.probes.count, "size"))", "\(capacity.endText)\(ending)",
      ])
    }
    let first = capacities[0]
    return [
      .paragraph(
        """
        The largest number of items whose p99 frame, aligned over up to 10 runs, fits the budget at \
        \(first.budgetLabel). The number grows fourfold until it does not fit; then the gap is closed to \
        within \(Format.percent(first.precision)).
        """), .table(table),
    ]
  }
}

extension CapacityRecord {
  /// The probe of the largest size that fits.
  var fittingProbe: Probe? { probes.last { $0.itemCount == itemCount } }

  /// `60 Hz (16.67 ms)`
  var budgetLabel: String {
    var options = RunOptions()
    options.refreshRateHertz = refreshRateHertz
    options.budgetShare = share
    return options.frameBudget.label
  }

  var endText: String {
    switch end {
    case .found: "precision reached"
    case .timeLimit: "the time limit (\(Format.significant(durationSeconds)) s)"
    case .memoryLimit: "memory: more items do not fit"
    case .sizeLimit: "the largest size that is tried"
    case .failure: "a worker failed"
    }
  }

  /// `naive takes 41,000,000 items`, `… at least 1,000 items`, `… between 1,000 and 4,000 items`.
  var clause: String {
    guard let itemCount else { return "\(strategy) does not fit even with the smallest list that was tried" }
    guard let exceedingItemCount else { return "\(strategy) takes at least \(Format.items(itemCount))" }
    let isPrecise = Double(exceedingItemCount) <= Double(itemCount) * (1 + precision)
    return isPrecise || exceedingItemCount - itemCount <= 1
      ? "\(strategy) takes \(Format.items(itemCount))"
      : "\(strategy) takes between \(Format.integer(itemCount)) and \(Format.items(exceedingItemCount))"
  }
}

extension Verdict {
  /// `Within a frame at 60 Hz (16.67 ms) naive takes 5,180,929 items and tiled at least 1,000,000,000.`
  static func capacitySentences(_ document: RunDocument, scenario: String) -> [String] {
    let capacities = (document.capacities ?? []).filter { $0.scenario == scenario }
    guard let first = capacities.first else { return [] }
    return ["Within the budget at \(first.budgetLabel) \(Format.list(capacities.map(\.clause)))."]
  }
}
