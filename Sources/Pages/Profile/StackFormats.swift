import Measurements
import TextFormat

/// Stacks in the folded format, one line each: `a;b;c 12`. Brendan Gregg's flamegraph.pl and similar tools read it.
package enum FoldedStacks {
  /// - Parameter value: Returns a stack's number. Equal stacks share a line with their sum. Sums of 0 are left out.
  package static func render(_ stacks: [ProfileStack], value: (ProfileStack) -> Int) -> String {
    sums(stacks, value).filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
  }

  package static func sums(_ stacks: [ProfileStack], _ value: (ProfileStack) -> Int) -> [String: Int] {
    stacks.reduce(into: [:]) { sums, stack in
      let line = stack.frames.map(name).joined(separator: ";")
      sums[line.isEmpty ? "[unknown]" : line, default: 0] += value(stack)
    }
  }

  /// The name without semicolons and line breaks. A semicolon would end the name, and a line break the line.
  private static func name(_ frame: CallFrame) -> String {
    let text = frame.function.map { character -> Character in
      character == ";" ? ":" : character.isNewline ? " " : character
    }
    return text.isEmpty ? "[unknown]" : String(text)
  }
}

/// A file for speedscope.app with a profile of type "sampled" (https://www.speedscope.app/file-format-schema.json).
package enum Speedscope {
  package static func render(
    _ stacks: [ProfileStack], name: String, exporter: String, nanoseconds: (ProfileStack) -> Double
  ) -> String {
    let frames = stacks.flatMap(\.frames).unique
    let indices = Dictionary(uniqueKeysWithValues: zip(frames, frames.indices.map(String.init)))
    let samples = stacks.map { JSONText.array($0.frames.compactMap { indices[$0] }) }
    let weights = stacks.map(nanoseconds)
    let profile = """
      {"type":"sampled","name":\(JSONText.string(name)),"unit":"nanoseconds","startValue":0,\
      "endValue":\(JSONText.thousandths(weights.reduce(0, +))),
      "samples":[\(samples.joined(separator: ",\n"))],
      "weights":[\(weights.map(JSONText.thousandths).joined(separator: ","))]}
      """
    return """
      {"$schema":"https://www.speedscope.app/file-format-schema.json","name":\(JSONText.string(name)),\
      "exporter":\(JSONText.string(exporter)),"activeProfileIndex":0,
      "shared":{"frames":[\(frames.map(object).joined(separator: ",\n"))]},
      "profiles":[\(profile)]}

      """
  }

  private static func object(_ frame: CallFrame) -> String {
    let line = frame.file == nil ? nil : frame.line.flatMap { $0 > 0 ? "\($0)" : nil }
    return JSONText.compact([
      ("name", JSONText.string(frame.function)), ("file", JSONText.text(frame.file)), ("line", line),
    ])
  }
}

extension JSONText {
  package static func thousandths(_ value: Double) -> String {
    precondition(value.isFinite && abs(value) < 1e15, "a number \(value) in JSON")
    return number((value * 1_000).rounded() / 1_000)
  }
}

/// A file in Chrome's trace format ("Trace Event Format", Google, 2016), which ui.perfetto.dev opens. It contains
/// complete events (X), counters (C), instants (i) and metadata (M). `ts` and `dur` are in microseconds.
package struct ChromeTrace {
  package let timeline: Timeline

  /// Returns the complete file with all frames. If the timeline lists worst frames, only frames near them have phases.
  package func render() -> String {
    // Outer spans come first, because some viewers nest spans in the order of the file.
    let spans = timeline.spans.sorted {
      ($0.start, $1.end, $0.phase == nil ? 0 : 1) < ($1.start, $0.end, $1.phase == nil ? 0 : 1)
    }
    var frames: [Int: (start: Double, end: Double)] = [:]
    for span in spans where span.phase == nil { frames[span.frame] = (span.start, span.end) }
    var events = [
      #"{"ph":"M","pid":1,"tid":1,"name":"process_name","args":{"name":\#(JSONText.string(timeline.name))}}"#,
      #"{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"frames and phases"}}"#,
    ]
    for span in spans {
      guard let phase = span.phase else {
        events += [frame(span)] + marks(span) + counters(span)
        continue
      }
      guard timeline.keepsDetail(span.frame), let frame = frames[span.frame] else { continue }
      // Reading the clock takes time, so the last phase may seem to end after its frame.
      let end = min(span.end, frame.end)
      guard span.start >= frame.start, end >= span.start else { continue }
      events.append(complete(phase, "phase", span.start, end, #"{"frame":\#(span.frame)}"#))
    }
    return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" + events.joined(separator: ",\n") + "\n]}\n"
  }

  private func frame(_ span: Timeline.Span) -> String {
    let costs = timeline.alignedNanoseconds
    let isWorst = timeline.worstFrames?.contains(span.frame)
    let arguments = JSONText.compact([
      ("frame", "\(span.frame)"), ("budgetMicroseconds", microseconds(timeline.budgetNanoseconds)),
      ("leastOfRunsMicroseconds", costs.indices.contains(span.frame) ? microseconds(costs[span.frame]) : nil),
      ("missesBudget", "\(timeline.misses(span.frame))"), ("isWorst", isWorst.map { "\($0)" }),
    ])
    return complete("frame \(span.frame)", isWorst == true ? "frame,worst" : "frame", span.start, span.end, arguments)
  }

  private func marks(_ span: Timeline.Span) -> [String] {
    let rank = timeline.worstFrames?.firstIndex(of: span.frame).map { "worst frame \($0 + 1)" }
    return [timeline.misses(span.frame) ? "budget missed" : nil, rank].compactMap(\.self).map { name in
      #"{"ph":"i","pid":1,"tid":1,"s":"p","cat":"mark","name":"\#(name)","#
        + #""ts":\#(microseconds(span.start)),"args":{"frame":\#(span.frame)}}"#
    }
  }

  private func counters(_ span: Timeline.Span) -> [String] {
    timeline.counters.filter { $0.values.indices.contains(span.frame) }.map { counter in
      #"{"ph":"C","pid":1,"name":\#(JSONText.string(counter.name)),"#
        + #""ts":\#(microseconds(span.start)),"args":{"value":\#(counter.values[span.frame])}}"#
    }
  }

  private func complete(_ name: String, _ category: String, _ start: Double, _ end: Double, _ arguments: String)
    -> String
  {
    // Rounds both ends, so inner spans stay within outer ones.
    let (from, to) = (start.rounded(), end.rounded())
    return #"{"ph":"X","pid":1,"tid":1,"cat":"\#(category)","name":\#(JSONText.string(name)),"#
      + #""ts":\#(microseconds(from)),"dur":\#(microseconds(to - from)),"args":\#(arguments)}"#
  }

  private func microseconds(_ nanoseconds: Double) -> String { JSONText.thousandths(nanoseconds.rounded() / 1_000) }
}
