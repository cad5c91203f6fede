import FrameBench
import TextFormat

extension UsageError {
  /// Of `--explain`, with the nearest id that is known.
  static func unknown(_ id: BenchmarkID, among known: [BenchmarkID]) -> UsageError {
    let near = Suggestion.nearest(to: "\(id)", among: known.map(\.description))
    return UsageError(
      "--explain", "\(id) is not one of the benchmarks that are run",
      remedy: near.map { "did you mean \"\($0)\"?" } ?? "springbench list shows every id")
  }
}
