/// Thins a line out to what its picture can show.
enum Envelope {
  /// Of the points in each column, one point wide, the first, the lowest, the highest and the last, in the
  /// order of the line (M4: Jugel et al., "M4: A Visualization-Oriented Time Series Data Aggregation", VLDB
  /// 2014). So the line covers what it covered before; no spike is lost.
  ///
  /// - Parameter points: In points of the picture, x ascending.
  static func reduced(_ points: [Point]) -> [Point] {
    var reduced: [Point] = []
    var start = 0
    while start < points.count {
      let column = points[start].x.rounded(.down)
      let end = points[start...].firstIndex { $0.x.rounded(.down) != column } ?? points.count
      reduced += corners(points[start..<end])
      start = end
    }
    return reduced
  }

  private static func corners(_ column: ArraySlice<Point>) -> [Point] {
    guard column.count > 4,
      let lowest = column.indices.min(by: { column[$0].y < column[$1].y }),
      let highest = column.indices.max(by: { column[$0].y < column[$1].y })
    else { return Array(column) }
    return Set([column.startIndex, lowest, highest, column.endIndex - 1]).sorted().map { column[$0] }
  }
}
