import Measurements
import TextFormat

extension BenchmarkRecord {
  /// The p50 of the aligned frames with its unit: `3.9 µs`; a dash where no frame was recorded.
  package var medianFrameText: String { frame.aligned.map { TimeUnit.text($0.p50) } ?? Format.absent }
}
