import Judging
import Measurements
import TextFormat

extension AllocationDifference {
  /// A section of a page.
  ///
  /// - Parameter count: Rows of the table; how many more there are is said below it.
  package func blocks(baselineName: String, candidateName: String, count: Int = 12) -> [Block] {
    let opening: [Block] = [
      .heading(level: 2, "What allocates more"),
      .paragraph("\(candidateName): \(candidate.verdict). \(baselineName): \(baseline.verdict)."),
    ]
    guard !growths.isEmpty else {
      let kind = candidate.lostCount == 0 ? "" : " whose stacks were recorded"
      return opening + [.paragraph("No function\(kind) allocates more often than before.")]
    }
    var table = Table([
      ("allocates", .left), ("where", .left), ("before", .right), ("after", .right),
      ("bytes before", .right), ("bytes after", .right),
    ])
    for growth in growths.prefix(count) {
      table.append([
        .code(growth.site.shortFunction),
        growth.site.position.map(RichText.code) ?? "\(Format.absent)",
        "\(Format.integer(growth.baseline.count))", "\(Format.integer(growth.candidate.count))",
        "\(Format.integer(growth.baseline.bytes))", "\(Format.integer(growth.candidate.bytes))",
      ])
    }
    let rest = growths.count - count
    return opening + [.table(table)]
      + (rest > 0 ? [.paragraph("And \(Format.plural(rest, "more place")).")] : [])
  }
}

extension AllocationDifference.Growth {
  /// Allocations where it allocates more often, else bytes.
  package var mover: RegressionProfile.Mover {
    count > 0
      ? .init(
        function: site.function, position: site.position, baseline: Double(baseline.count),
        candidate: Double(candidate.count), unit: .count)
      : .init(
        function: site.function, position: site.position, baseline: Double(baseline.bytes),
        candidate: Double(candidate.bytes), unit: .bytes)
  }
}
