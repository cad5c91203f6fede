import Measurements
import TextFormat

/// Stacks as one line each, `a;b;c 12`, as Brendan Gregg's flamegraph.pl and its many relatives read them.
enum FoldedStacks {
  /// - Parameter value: A whole number; stacks with 0 are left out.
  static func render(_ stacks: [ProfileStack], value: (ProfileStack) -> Int) -> String {
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
enum Speedscope {
  /// - Parameters:
  ///   - name: The file's name in the viewer.
  ///   - exporter: The program that wrote it, `springbench@0.1.0`.
  ///   - unit: `nanoseconds`, `bytes` or `none`.
  ///   - value: Weight of a stack in that unit.
  static func render(
    _ stacks: [ProfileStack], name: String, exporter: String, unit: String, value: (ProfileStack) -> Double
  ) -> String {
    var indices: [CallFrame: Int] = [:]
    var frames: [String] = []
    var samples: [String] = []
    var weights: [Double] = []
    for stack in stacks {
      let sample = stack.frames.map { frame in
        if let index = indices[frame] { return index }
        indices[frame] = frames.count
        frames.append(object(frame))
        return frames.count - 1
      }
      samples.append("[" + sample.map(String.init).joined(separator: ",") + "]")
      weights.append(value(stack))
    }
    let profile = """
      {"type":"sampled","name":\(JSONText.string(name)),"unit":"\(unit)","startValue":0,\
      "endValue":\(JSONText.thousandths(weights.reduce(0, +))),
      "samples":[\(samples.joined(separator: ",\n"))],
      "weights":[\(weights.map(JSONText.thousandths).joined(separator: ","))]}
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

extension JSONText {
  static func thousandths(_ value: Double) -> String {
    precondition(value.isFinite && abs(value) < 1e15, "a number \(value) in JSON")
    return number((value * 1_000).rounded() / 1_000)
  }
}

/// A file in Chrome's trace format, which ui.perfetto.dev opens.
///
/// Format: "Trace Event Format" (Google, 2016), the JSON object form: complete events (X), counters (C),
/// instants (i) and metadata (M); `ts` and `dur` in microseconds.
struct ChromeTrace {
  let timeline: Timeline

  /// The whole file: the frames of all spans, and phases only near the worst frames, if there are any.
  func render() -> String {
    // Outer spans first, for viewers that nest in the order of the file.
    let spans = timeline.spans.sorted {
      ($0.start, $1.end, $0.phase == nil ? 0 : 1) < ($1.start, $0.end, $1.phase == nil ? 0 : 1)
    }
    var frames: [Int: (start: Double, end: Double)] = [:]
    for span in spans where span.phase == nil { frames[span.frame] = (span.start, span.end) }
    var events = metadata
    for span in spans {
      guard let phase = span.phase else {
        events.append(frame(span))
        events += marks(span) + counters(span)
        continue
      }
      guard timeline.keepsDetail(span.frame), let frame = frames[span.frame] else { continue }
      // Reading the clock takes time, so that the last phase may seem to outlast its frame.
      let end = min(span.end, frame.end)
      guard span.start >= frame.start, end >= span.start else { continue }
      events.append(complete(phase, "phase", span.start, end, "{\"frame\":\(span.frame)}"))
    }
    return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" + events.joined(separator: ",\n") + "\n]}\n"
  }

  private var metadata: [String] {
    [
      "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"process_name\",\"args\":{\"name\":\(JSONText.string(timeline.name))}}",
      "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"frames and phases\"}}",
    ]
  }

  private func frame(_ span: Timeline.Span) -> String {
    var arguments = ["\"frame\":\(span.frame)", "\"budgetMicroseconds\":\(microseconds(timeline.budgetNanoseconds))"]
    if timeline.alignedNanoseconds.indices.contains(span.frame) {
      arguments.append("\"leastOfRunsMicroseconds\":\(microseconds(timeline.alignedNanoseconds[span.frame]))")
    }
    arguments.append("\"missesBudget\":\(timeline.misses(span.frame))")
    let isWorst = timeline.worstFrames?.contains(span.frame) ?? false
    if timeline.worstFrames != nil { arguments.append("\"isWorst\":\(isWorst)") }
    return complete(
      "frame \(span.frame)", isWorst ? "frame,worst" : "frame", span.start, span.end,
      "{\(arguments.joined(separator: ","))}")
  }

  private func marks(_ span: Timeline.Span) -> [String] {
    func instant(_ name: String) -> String {
      "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"s\":\"p\",\"cat\":\"mark\",\"name\":\"\(name)\","
        + "\"ts\":\(microseconds(span.start)),\"args\":{\"frame\":\(span.frame)}}"
    }
    var marks: [String] = []
    if timeline.misses(span.frame) { marks.append(instant("budget missed")) }
    if let worst = timeline.worstFrames, let rank = worst.firstIndex(of: span.frame) {
      marks.append(instant("worst frame \(rank + 1)"))
    }
    return marks
  }

  private func counters(_ span: Timeline.Span) -> [String] {
    timeline.counters.compactMap { counter in
      guard counter.values.indices.contains(span.frame) else { return nil }
      return "{\"ph\":\"C\",\"pid\":1,\"name\":\(JSONText.string(counter.name)),"
        + "\"ts\":\(microseconds(span.start)),\"args\":{\"value\":\(counter.values[span.frame])}}"
    }
  }

  private func complete(_ name: String, _ category: String, _ start: Double, _ end: Double, _ arguments: String)
    -> String
  {
    // Rounds both ends, so that inner spans stay inside.
    let (from, to) = (start.rounded(), end.rounded())
    return "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"cat\":\"\(category)\",\"name\":\(JSONText.string(name)),"
      + "\"ts\":\(microseconds(from)),\"dur\":\(microseconds(to - from)),\"args\":\(arguments)}"
  }

  private func microseconds(_ nanoseconds: Double) -> String { JSONText.thousandths(nanoseconds.rounded() / 1_000) }
}
