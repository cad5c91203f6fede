import Dynamics
import Foundation
import Testing

final class PlacedItem: DynamicItem {
  var center: Point
  let size = Size(width: 50, height: 50)

  init(at center: Point) { self.center = center }
}

/// Compiles the example of the library's documentation, and tests that it does what the text says.
@Suite struct TutorialTests {
  @Test func theExampleBringsTheItemToItsAnchor() throws {
    let animator = DynamicAnimator()
    let item = PlacedItem(at: Point(x: 0, y: 100))
    try animator.addBehavior(
      AttachmentBehavior(item: item, attachedToAnchor: .zero, length: 0, damping: 0.8, frequency: 1))
    for _ in 0..<600 { animator.step(by: 1.0 / 60) }
    #expect(abs(item.center.y) < 0.01 && item.center.x == 0)
  }

  @Test func theExampleIsThatOfTheDocumentation() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appendingPathComponent("Sources/Dynamics/Dynamics.docc/Dynamics.md"), encoding: .utf8)
    let compiled = try lines(String(contentsOfFile: #filePath, encoding: .utf8))
    let example = lines(page.components(separatedBy: "```swift\n")[1].components(separatedBy: "```")[0])
    #expect(example.count > 8 && example.filter { !compiled.contains($0) } == [])
  }

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}
