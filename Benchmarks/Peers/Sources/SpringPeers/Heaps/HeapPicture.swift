import Foundation

/// An SVG of a heap coming to rest on each engine: the frame time, the deepest overlap and the energy over time.
struct HeapPicture {
  let courses: [HeapCourse]

  private static let colors: [HeapContestant: String] = [.engine: "#0a7d4f", .box2D: "#c2410c", .chipmunk: "#4f46e5"]
  private static let (width, panelHeight, left, top, gap) = (760.0, 130.0, 64.0, 46.0, 44.0)

  private struct Panel {
    var title: String
    var value: (HeapCourse.Frame) -> Double
  }

  private static var panels: [Panel] {
    [
      Panel(title: "time of a frame, microseconds") { $0.nanoseconds / 1_000 },
      Panel(title: "deepest overlap, points") { $0.overlap },
      Panel(title: "energy, percent of the start") { 100 * $0.energy },
    ]
  }

  func render() -> String {
    let height = Self.top + Double(Self.panels.count) * (Self.panelHeight + Self.gap)
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(number(Self.width)) \(number(height))\" "
        + "font-family=\"sans-serif\" font-size=\"12\">", "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
      "<text x=\"\(number(Self.left))\" y=\"18\" font-size=\"14\">\(courses.first?.heap.name ?? ""), seconds</text>",
    ]
    for (index, course) in courses.enumerated() {
      let x = Self.left + 220 * Double(index)
      lines.append("<text x=\"\(number(x))\" y=\"36\" fill=\"\(color(course))\">\(course.contestant.name)</text>")
    }
    for (index, panel) in Self.panels.enumerated() {
      lines += draw(panel, top: Self.top + Double(index) * (Self.panelHeight + Self.gap) + 18)
    }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func color(_ course: HeapCourse) -> String { Self.colors[course.contestant] ?? "black" }

  private func draw(_ panel: Panel, top: Double) -> [String] {
    let most = max(courses.flatMap { $0.frames.map(panel.value) }.max() ?? 1, 1e-9)
    let plotWidth = Self.width - Self.left - 16
    func y(_ value: Double) -> Double { top + Self.panelHeight * (1 - value / most) }
    var lines = ["<text x=\"\(number(Self.left))\" y=\"\(number(top - 6))\">\(panel.title)</text>"]
    for share in [0, 0.5, 1.0] {
      lines.append(
        "<line x1=\"\(number(Self.left))\" x2=\"\(number(Self.left + plotWidth))\" y1=\"\(number(y(share * most)))\" "
          + "y2=\"\(number(y(share * most)))\" stroke=\"#ddd\"/>")
      lines.append(
        "<text x=\"\(number(Self.left - 6))\" y=\"\(number(y(share * most) + 4))\" text-anchor=\"end\">"
          + "\(Figure.significant(share * most))</text>")
    }
    for course in courses {
      let last = Double(max(course.frames.count - 1, 1))
      let points = course.frames.enumerated().map { index, frame in
        "\(number(Self.left + plotWidth * Double(index) / last)),\(number(y(panel.value(frame))))"
      }
      lines.append("<polyline fill=\"none\" stroke=\"\(color(course))\" points=\"\(points.joined(separator: " "))\"/>")
    }
    let frameCount = courses.first?.frames.count ?? 0
    for second in stride(from: 0, through: frameCount / 60, by: 2) where frameCount > 1 {
      let x = Self.left + plotWidth * Double(60 * second) / Double(frameCount - 1)
      guard x <= Self.left + plotWidth + 1 else { continue }
      lines.append(
        "<text x=\"\(number(x))\" y=\"\(number(top + Self.panelHeight + 14))\" text-anchor=\"middle\">\(second)</text>")
    }
    return lines
  }

  private func number(_ value: Double) -> String { String(format: "%.1f", value) }
}
