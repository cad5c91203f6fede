import Foundation
import Testing

/// Compares text with a file under `Golden/`. `UPDATE_GOLDEN=1 swift test` writes the files anew. Read the difference
/// before you commit it.
enum Golden {
  static func expect(_ text: String, matches name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")
    let file = folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    if let difference = firstDifference(text, expected) {
      Issue.record("Golden/\(name), \(difference)", sourceLocation: sourceLocation)
    }
  }

  /// Returns the first difference, or nil if the texts are the same.
  static func firstDifference(_ text: String, _ expected: String) -> String? {
    guard text != expected else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
    for index in 0..<max(lines.count, expectedLines.count) {
      let line = index < lines.count ? String(lines[index]) : nil
      let expectedLine = index < expectedLines.count ? String(expectedLines[index]) : nil
      if line != expectedLine {
        return """
          line \(index + 1):
          expected: \(expectedLine ?? "the end")
          rendered: \(line ?? "the end")
          """
      }
    }
    return "the texts differ in their line ends"
  }
}
