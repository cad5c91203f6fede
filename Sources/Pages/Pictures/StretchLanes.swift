import Measurements
import TextFormat

/// The stretches of a run as lanes below a chart of frames, one for each name.
struct StretchLanes {
  let lanes: [Chart.Lane]
  /// A sentence for readers who cannot see the picture, after a space.
  let description: String

  /// More than these would take more room than the plot.
  private static let largestCount = 6

  init(_ record: StretchRecord) {
    let isShort = record.names.count <= Self.largestCount
    let own = isShort ? record.names : Array(record.names.prefix(Self.largestCount - 1))
    let runs = record.runs.map { run in
      (name: own.contains(run.name) ? run.name : Self.others, frames: run.frames)
    }
    lanes = (isShort ? own : own + [Self.others]).map { name in
      Chart.Lane(
        name: name,
        // From half a frame before to half a frame after, so that neighbors touch.
        spans: runs.filter { $0.name == name }.map {
          Double($0.frames.lowerBound) - 0.5...Double($0.frames.upperBound) - 0.5
        })
    }
    let counts = lanes.map { lane in
      let count = runs.filter { $0.name == lane.name }.reduce(0) { $0 + $1.frames.count }
      return "\(lane.name) in \(Format.plural(count, "frame"))"
    }
    description = " Below the plot: \(Format.list(counts))."
  }

  private static let others = "others"
}
