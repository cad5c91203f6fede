/// The label of one series: its name, and figures below it.
struct SeriesLabel {
  let lines: [Line]
  let width: Double

  struct Line {
    var text: String
    var size: Double
    var className: String
  }

  var height: Double { lines.reduce(6) { $0 + $1.size * TextMetrics.lineHeight } }

  /// Labels no wider than the width. Names that are cut to the same text are told apart by a number.
  ///
  /// - Parameter isInOneLine: Whether the details share a line.
  static func all(of series: [Chart.Series], width limit: Double, isInOneLine: Bool) -> [SeriesLabel] {
    // Of this many, the labels would take more room than the picture.
    let hasDetails = series.count <= 12
    var taken: [String: Int] = [:]
    return series.map { series in
      var name = short(series.name, limit)
      let copy = taken[name, default: 0] + 1
      taken[name] = copy
      if copy > 1 { name = short(series.name, limit - 28) + " (\(copy))" }
      let lines =
        [Line(text: name, size: TextMetrics.standardSize, className: "name")]
        + (!hasDetails
        ? [] : isInOneLine ? [series.details.joined(separator: ", ")] : series.details).map { detail in
          Line(
            text: TextMetrics.shortened(detail, to: limit, size: TextMetrics.smallSize),
            size: TextMetrics.smallSize, className: "muted")
        }
      let widths = lines.map { TextMetrics.width($0.text, size: $0.size, isBold: $0.className == "name") }
      return SeriesLabel(lines: lines, width: widths.max() ?? 0)
    }
  }

  private static func short(_ name: String, _ limit: Double) -> String {
    TextMetrics.shortened(name, to: limit, size: TextMetrics.standardSize, isBold: true)
  }
}

/// Boxes on one line, moved as little as it takes for none to overlap.
enum Spread {
  /// Centers for boxes of the given heights, as near to their wishes as can be, in the order of the
  /// wishes, between the bounds as far as they fit. O(n²).
  static func centers(wishes: [Double], heights: [Double], within bounds: ClosedRange<Double>) -> [Double] {
    precondition(wishes.count == heights.count, "\(wishes.count) wishes for \(heights.count) boxes")
    let order = wishes.indices.sorted { (wishes[$0], $0) < (wishes[$1], $1) }
    // Neighbors that would overlap form a cluster, which stands where its members' wishes are in the mean.
    var clusters: [Cluster] = []
    for index in order {
      clusters.append(Cluster(members: [index], height: heights[index], wish: wishes[index]))
      clusters[clusters.count - 1].clamp(to: bounds)
      while clusters.count > 1, clusters[clusters.count - 2].end > clusters[clusters.count - 1].start + 1e-9 {
        let last = clusters.removeLast()
        clusters[clusters.count - 1].absorb(last, wishes, heights)
        clusters[clusters.count - 1].clamp(to: bounds)
      }
    }
    var centers = wishes
    for cluster in clusters {
      var start = cluster.start
      for index in cluster.members {
        centers[index] = start + heights[index] / 2
        start += heights[index]
      }
    }
    return centers
  }

  private struct Cluster {
    var members: [Int]
    var height: Double
    var start: Double
    var end: Double { start + height }

    init(members: [Int], height: Double, wish: Double) {
      self.members = members
      self.height = height
      start = wish - height / 2
    }

    mutating func absorb(_ other: Cluster, _ wishes: [Double], _ heights: [Double]) {
      members += other.members
      height += other.height
      // The start that every member would wish for the cluster, in the mean.
      var offset = 0.0
      var sum = 0.0
      for index in members {
        sum += wishes[index] - heights[index] / 2 - offset
        offset += heights[index]
      }
      start = sum / Double(members.count)
    }

    mutating func clamp(to bounds: ClosedRange<Double>) {
      start = max(bounds.lowerBound, min(start, bounds.upperBound - height))
    }
  }
}
