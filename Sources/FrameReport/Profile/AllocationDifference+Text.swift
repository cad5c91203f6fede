import Comparing
import Profiling
import TextFormat

extension AllocationDifference {
  /// A section of a page.
  ///
  /// - Parameter count: Rows of the table; how many more there are is said below it.
  package func markdown(baselineName: String, candidateName: String, count: Int = 12) -> String {
    var text = """
      ## Who allocates more

      \(candidateName): \(candidate.verdict). \(baselineName): \(baseline.verdict).


      """
    guard !growths.isEmpty else {
      let isWhole = candidate.lostCount == 0
      return text
        + "No function\(isWhole ? "" : " whose stacks were recorded") allocates more often than before."
    }
    var table = MarkdownTable([
      ("allocates", .left), ("where", .left), ("before", .right), ("after", .right),
      ("bytes before", .right), ("bytes after", .right),
    ])
    for growth in growths.prefix(count) {
      table.append([
        Markdown.code(growth.site.shortFunction), growth.site.position.map(Markdown.code) ?? Format.absent,
        Format.integer(growth.baseline.count), Format.integer(growth.candidate.count),
        Format.integer(growth.baseline.bytes), Format.integer(growth.candidate.bytes),
      ])
    }
    text += table.render()
    let rest = growths.count - count
    return rest > 0 ? text + "\n\nAnd \(Format.plural(rest, "more place"))." : text
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
