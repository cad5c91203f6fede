import FrameBench
import Measurements

/// How far a run has come.
struct RunProgress {
  /// What runs now.
  private(set) var current: (id: BenchmarkID, job: RunJob)?
  private var remaining: [Int]
  private var finished: [Int]
  private var seconds: [Double]
  private var passSeconds: [PassKey: Double] = [:]
  private var began: ContinuousClock.Instant?

  init(schedule: RunSchedule, benchmarkCount: Int) {
    remaining = Array(repeating: 0, count: benchmarkCount)
    for job in schedule.jobs { remaining[job.benchmark] += 1 }
    finished = Array(repeating: 0, count: benchmarkCount)
    seconds = Array(repeating: 0, count: benchmarkCount)
  }

  mutating func begin(_ job: RunJob, _ id: BenchmarkID) {
    current = (id, job)
    began = ContinuousClock.now
  }

  mutating func end(_ job: RunJob) {
    finished[job.benchmark] += 1
    remaining[job.benchmark] -= 1
    guard let began else { return }
    let taken = (ContinuousClock.now - began) / .seconds(1)
    seconds[job.benchmark] += taken
    passSeconds[PassKey(job), default: 0] += taken
  }

  /// A run that is not needed any more.
  mutating func skip(_ job: RunJob) { remaining[job.benchmark] -= 1 }

  /// Time that the runs of a pass of a benchmark took so far.
  func seconds(_ job: RunJob) -> Double { passSeconds[PassKey(job), default: 0] }

  private struct PassKey: Hashable {
    var benchmark: Int
    var pass: MeasurementPass

    init(_ job: RunJob) { (benchmark, pass) = (job.benchmark, job.pass) }
  }

  /// The rest of a benchmark will not run.
  mutating func abandon(_ benchmark: Int) { remaining[benchmark] = 0 }

  /// Whole percent, by the number of runs.
  var percent: Int {
    let done = finished.reduce(0, +)
    let all = done + remaining.reduce(0, +)
    return all == 0 ? 100 : done * 100 / all
  }

  /// By how long each benchmark's runs took so far; nil until each has had one.
  var secondsLeft: Double? {
    var left = 0.0
    for index in remaining.indices where remaining[index] > 0 {
      guard finished[index] > 0 else { return nil }
      left += seconds[index] / Double(finished[index]) * Double(remaining[index])
    }
    return left
  }
}

extension RunProgress {
  /// For a line that is rewritten.
  var text: String {
    let left = secondsLeft.map { ", \(ProgressLine.duration($0)) left" } ?? ""
    let name = current.map { " \($0.id) (\($0.job.pass.rawValue), run \($0.job.run))" } ?? ""
    return "\(percent)%\(left)\(name)"
  }
}
