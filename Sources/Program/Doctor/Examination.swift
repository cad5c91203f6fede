/// All that is known of a machine when it is judged.
struct Examination: Sendable {
  var files: SystemFiles
  var machine: Machine
  var live: LiveFigures
  /// `release` or `debug`.
  var buildConfiguration: String
  /// Folders with programs, as in the environment's PATH.
  var path: String

  init(
    files: SystemFiles, machine: Machine, live: LiveFigures, buildConfiguration: String, path: String
  ) {
    self.files = files
    self.machine = machine
    self.live = live
    self.buildConfiguration = buildConfiguration
    self.path = path
  }

  /// What was measured first, then what may cause it, then what is merely missing.
  var findings: [Finding] {
    measuredFindings + programFindings + loadFindings + processorFindings + kernelFindings + toolFindings
  }

  /// `0.12%`, `8.5%`, `230%`: from a fraction.
  static func percent(_ fraction: Double) -> String {
    let percent = fraction * 100
    if abs(percent) < 0.005 { return "0%" }
    return "\(decimal(percent, places: abs(percent) < 1 ? 2 : abs(percent) < 10 ? 1 : 0))%"
  }

  /// Without zeros at its end.
  static func decimal(_ value: Double, places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
  }

  /// `13.5 µs` from nanoseconds.
  static func duration(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1_000: "\(decimal(nanoseconds, places: 1)) ns"
    case ..<1_000_000: "\(decimal(nanoseconds / 1e3, places: 1)) µs"
    case ..<1_000_000_000: "\(decimal(nanoseconds / 1e6, places: 1)) ms"
    default: "\(decimal(nanoseconds / 1e9, places: 1)) s"
    }
  }
}
