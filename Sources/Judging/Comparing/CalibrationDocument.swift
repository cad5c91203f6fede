import Foundation
import FrameBench

/// The results of comparisons on one machine between builds whose true difference is known.
package struct CalibrationDocument: Codable, Sendable, Equatable {
  package static let currentSchemaVersion = 1

  package var schemaVersion = CalibrationDocument.currentSchemaVersion
  /// The phase to which a known amount of work was added ("planted").
  package var phase: String
  package var secondsPerBenchmark: Double
  /// The seed of all random numbers: for the order of the comparisons, and in each comparison.
  package var seed: UInt64
  /// The results, ordered by benchmark, then planted slow-down, then tolerance.
  package var cells: [CalibrationCell]
  package var conditions: CalibrationConditions?

  package init(phase: String, secondsPerBenchmark: Double, seed: UInt64, cells: [CalibrationCell]) {
    (self.phase, self.secondsPerBenchmark, self.seed, self.cells) = (phase, secondsPerBenchmark, seed, cells)
  }

  /// Returns nil if the data is not a calibration of this schema version, or if a count or slow-down is out of range.
  package init?(contentsOf data: Data) {
    guard let document = try? JSONDecoder().decode(CalibrationDocument.self, from: data),
      document.schemaVersion == Self.currentSchemaVersion,
      document.cells.allSatisfy({ cell in
        let counts = [cell.trialCount, cell.foundCount, cell.falseAlarmCount]
        return counts.allSatisfy((0...1_000_000).contains) && (0...1_000).contains(cell.planted)
      })
    else { return nil }
    self = document
  }

  /// The smallest tolerance that raised no false alarm between equal builds. Nil if every tolerance raised one, or no
  /// equal builds were compared.
  package var suggestedTolerance: Double? {
    // Work that is added to one phase may slow down the next. So an alarm is certainly false only if nothing was added.
    let certain = cells.filter { $0.planted == 0 }
    let loud = Set(certain.filter { $0.falseAlarmCount > 0 }.map(\.tolerance))
    return certain.map(\.tolerance).filter { !loud.contains($0) }.min()
  }
}

/// Where and how a calibration was made.
package struct CalibrationConditions: Codable, Sendable, Equatable {
  /// The start of the calibration: UTC, ISO 8601.
  package var startedAt: String
  /// The wall time of all comparisons together, in whole seconds.
  package var durationSeconds = 0.0
  /// The command line, without the program's path.
  package var arguments: [String]
  /// The name of the machine, as in `run.json`.
  package var machine: String
  /// The processor, as the system names it; nil if the system does not name it.
  package var cpuModel: String?
  /// The number of cores that the calibration could use at once: those that it was allowed to run on, or fewer if a
  /// quota limited its CPU time.
  package var coreCount: Int
  /// Load averages over one minute, one per trial. A trial compares all benchmarks with all planted slow-downs. The
  /// averages include the load of the calibration itself.
  package var loadAverages: [Double] = []
  /// The number of link orders (orders of its functions) in which each comparison measured the program. Nil means that
  /// the program was measured as it was built.
  package var layoutCount: Int?

  package init(startedAt: String, arguments: [String], machine: String, cpuModel: String?, coreCount: Int) {
    (self.startedAt, self.arguments, self.machine) = (startedAt, arguments, machine)
    (self.cpuModel, self.coreCount) = (cpuModel, coreCount)
  }
}

/// The comparisons of one benchmark with one planted slow-down, judged at one tolerance.
package struct CalibrationCell: Codable, Sendable, Hashable {
  package var id: BenchmarkID
  /// The planted slow-down as a fraction of the phase's time; 0 if both builds are the same.
  package var planted: Double
  /// Changes up to this fraction are ignored: 0.01 is 1%.
  package var tolerance: Double
  /// The number of comparisons. Every comparison is judged at all tolerances.
  package var trialCount = 0
  /// The number of comparisons that reported the phase as regressed.
  package var foundCount = 0
  /// The number of comparisons with a false change: an improvement, or a regression of anything but the planted phase
  /// and the whole frame. Without planted work, any change is false.
  package var falseAlarmCount = 0
  /// The sum of the measured changes of the phase over all comparisons. Each change is a fraction.
  package var changeSum = 0.0
  /// The wall time of all comparisons together, in seconds.
  package var seconds = 0.0
  package var longestSeconds = 0.0

  package init(id: BenchmarkID, planted: Double, tolerance: Double) {
    (self.id, self.planted, self.tolerance) = (id, planted, tolerance)
  }

  /// Counts one comparison, whose rows were judged at this tolerance and which took `seconds` of wall time.
  package mutating func add(_ rows: [ComparisonRow], phase: String, seconds: Double) {
    trialCount += 1
    self.seconds += seconds
    longestSeconds = max(longestSeconds, seconds)
    let planted = rows.first { $0.phase == phase && $0.metric == .frameTime && $0.isMean }
    changeSum += planted?.change ?? 0
    if rows.contains(where: { $0.phase == phase && $0.verdict == .regressed }) { foundCount += 1 }
    let isFalse = rows.contains { row in
      let isPlanted = self.planted > 0 && (row.phase == phase || row.phase == nil)
      return row.verdict == .improved || row.verdict == .regressed && !isPlanted
    }
    if isFalse { falseAlarmCount += 1 }
  }
}
