import FrameBench
import Measurements
import TextFormat

extension DeviationRecord {
  /// What no eye and no test of equality minds, points: a hundred-thousandth of a pixel.
  static let invisibleDistance = 1e-6

  /// Whether both strategies show the same items in the same places, every frame.
  var isInvisible: Bool {
    differingFrameCount == 0 && (largestDistance ?? 0) <= Self.invisibleDistance
  }

  /// Frames with other items, as a share of all.
  var differingShare: Double { frameCount == 0 ? 0 : Double(differingFrameCount) / Double(frameCount) }

  /// `152`, `0`, `<1e-6`
  static func text(_ distance: Double) -> String {
    distance > 0 && distance < invisibleDistance ? "<1e-6" : Format.significant(distance)
  }

  /// What a strategy shows beside its reference, as a sentence about the records of several sizes.
  static func sentence(_ challenger: String, _ deviations: [DeviationRecord]) -> String? {
    guard let reference = deviations.first?.reference else { return nil }
    guard !deviations.allSatisfy(\.isInvisible) else {
      return "\(challenger) shows what \(reference) shows: the same items in every frame, in the same places"
        + " to within 1e-6 points."
    }
    let largest = deviations.compactMap(\.largestDistance).max() ?? 0
    let mean = deviations.compactMap(\.meanDistance).max() ?? 0
    let share = deviations.map(\.differingShare).max() ?? 0
    guard largest > invisibleDistance else {
      let frames = "in \(Format.percent(share)) of the frames; what both show is in the same places."
      if deviations.allSatisfy({ $0.extraCount == 0 }) {
        return "\(challenger) leaves out items that \(reference) shows \(frames)"
      }
      if deviations.allSatisfy({ $0.missingCount == 0 }) {
        return "\(challenger) shows items that \(reference) does not \(frames)"
      }
      return "\(challenger) shows other items than \(reference) \(frames)"
    }
    return
      "\(challenger) strays from \(reference) by up to \(text(largest)) points (\(text(mean)) on average)"
      + (share > 0 ? ", and shows other items in \(Format.percent(share)) of the frames." : ".")
  }
}

extension FigureRow {
  /// How far the strategies stray from the first; empty where none says.
  static func deviations(_ records: [BenchmarkRecord]) -> [FigureRow] {
    guard let reference = records.lazy.compactMap(\.deviation?.reference).first else { return [] }
    func row(_ label: RichText, unit: String, _ text: (DeviationRecord) -> String?) -> FigureRow {
      FigureRow(
        label: label,
        figures: records.map { record in
          guard let deviation = record.deviation else {
            return record.id.strategy == reference ? .text("") : .absent("This strategy was not compared.")
          }
          return .text("\(text(deviation) ?? "")")
        }, fixedUnit: unit, hasRatio: false)
    }
    return [
      row("distance from \(reference), largest", unit: "points") {
        $0.largestDistance.map(DeviationRecord.text)
      },
      row("distance from \(reference), mean", unit: "points") { $0.meanDistance.map(DeviationRecord.text) },
      row("items \(reference) alone shows", unit: "per frame") {
        Format.count(Double($0.missingCount) / Double(max($0.frameCount, 1)))
      },
      row("items shown beyond those", unit: "per frame") {
        Format.count(Double($0.extraCount) / Double(max($0.frameCount, 1)))
      },
    ]
  }
}
