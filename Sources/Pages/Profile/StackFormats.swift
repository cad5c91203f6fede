import Measurements
import TextFormat

/// Stacks as one line each, `a;b;c 12`, as Brendan Gregg's flamegraph.pl and its many relatives read them.
package enum FoldedStacks {
  /// - Parameter value: A whole number; stacks of none are left out.
  package static func render(_ stacks: [ProfileStack], value: (ProfileStack) -> Int) -> String {
    var sums: [String: Int] = [:]
    for stack in stacks {
      let line = stack.frames.map { name($0) }.joined(separator: ";")
      sums[line.isEmpty ? "[unknown]" : line, default: 0] += value(stack)
    }
    return sums.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
  }

  /// A semicolon would end the name, and a line feed the line.
  static func name(_ frame: CallFrame) -> String {
    let text = frame.function.map { character -> Character in
      character == ";" ? ":" : character.isNewline ? " " : character
    }
    return text.isEmpty ? "[unknown]" : String(text)
  }
}

/// A file for speedscope.app.
///
/// Format: https://www.speedscope.app/file-format-schema.json, profiles of type "sampled".
package struct Speedscope {
  private let name: String
  private let exporter: String

  /// - Parameters:
  ///   - name: Of the file, in the viewer.
  ///   - exporter: The program that wrote it, `springbench@0.1.0`.
  package init(name: String, exporter: String) {
    self.name = name
    self.exporter = exporter
  }

  /// - Parameters:
  ///   - unit: `nanoseconds`, `bytes` or `none`.
  ///   - value: What a stack weighs in that unit.
  package func render(
    _ stacks: [ProfileStack], unit: String, value: (ProfileStack) -> Double
  ) -> String {
    var indices: [CallFrame: Int] = [:]
    var frames: [String] = []
    var samples: [String] = []
    var weights: [Double] = []
    for stack in stacks {
      let sample = stack.frames.map { frame in
        if let index = indices[frame] { return index }
        indices[frame] = frames.count
        frames.append(Self.object(frame))
        return frames.count - 1
      }
      samples.append("[" + sample.map(String.init).joined(separator: ",") + "]")
      weights.append(value(stack))
    }
    let weightTexts = weights.map { JSONNumber.text($0) }
    let profile = """
      {"type":"sampled","name":\(JSONText.string(name)),"unit":"\(unit)","startValue":0,\
      "endValue":\(JSONNumber.text(weights.reduce(0, +))),
      "samples":[\(samples.joined(separator: ",\n"))],
      "weights":[\(weightTexts.joined(separator: ","))]}
      """
    return """
      {"$schema":"https://www.speedscope.app/file-format-schema.json","name":\(JSONText.string(name)),\
      "exporter":\(JSONText.string(exporter)),"activeProfileIndex":0,
      "shared":{"frames":[\(frames.joined(separator: ",\n"))]},
      "profiles":[\(profile)]}

      """
  }

  private static func object(_ frame: CallFrame) -> String {
    var fields = ["\"name\":\(JSONText.string(frame.function))"]
    if let file = frame.file { fields.append("\"file\":\(JSONText.string(file))") }
    if let line = frame.line, line > 0, frame.file != nil { fields.append("\"line\":\(line)") }
    return "{\(fields.joined(separator: ","))}"
  }
}

/// Numbers to a thousandth.
enum JSONNumber {
  static func text(_ value: Double) -> String {
    precondition(value.isFinite && abs(value) < 1e15, "a number \(value) in JSON")
    let thousandths = Int((value * 1_000).rounded())
    let (whole, rest) = abs(thousandths).quotientAndRemainder(dividingBy: 1_000)
    let sign = thousandths < 0 ? "-" : ""
    guard rest != 0 else { return "\(sign)\(whole)" }
    let digits = String(String(1_000 + rest).dropFirst())
    return "\(sign)\(whole).\(digits)"
  }
}
