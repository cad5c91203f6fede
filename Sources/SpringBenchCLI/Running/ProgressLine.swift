import Foundation

/// One line on stderr, rewritten as the run goes on; nothing where stderr is no terminal.
struct ProgressLine {
  var console: Console

  func show(_ progress: RunProgress) {
    show(Self.text(progress))
  }

  func show(_ text: String) {
    guard console.showsProgress else { return }
    console.writeError("\r\u{1B}[K\(Self.clipped(text))")
  }

  func clear() {
    guard console.showsProgress else { return }
    console.writeError("\r\u{1B}[K")
  }

  static func text(_ progress: RunProgress) -> String {
    let left = progress.secondsLeft.map { ", \(duration($0)) left" } ?? ""
    let name = progress.current.map { " \($0.id) (\($0.job.pass.rawValue), run \($0.job.run))" } ?? ""
    return clipped("\(progress.percent)%\(left)\(name)")
  }

  private static func clipped(_ line: String) -> String {
    line.count > 79 ? String(line.prefix(78)) + "…" : line
  }

  static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
  }
}
