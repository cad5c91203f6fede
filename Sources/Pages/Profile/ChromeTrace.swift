import Measurements
import TextFormat

/// A file in Chrome's trace format, which ui.perfetto.dev opens.
///
/// Format: "Trace Event Format" (Google, 2016), the JSON object form: complete events (X), counters (C),
/// instants (i) and metadata (M); `ts` and `dur` in microseconds.
package struct ChromeTrace {
  private let timeline: Timeline

  package init(_ timeline: Timeline) {
    self.timeline = timeline
  }

  /// The whole file: the frames of all spans, and phases only near the worst frames, where there are such.
  package func render() -> String {
    // Outer spans before what they contain, for viewers that nest in the order of the file.
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
    var arguments = [
      "\"frame\":\(span.frame)", "\"budgetMicroseconds\":\(microseconds(timeline.budgetNanoseconds))",
    ]
    if timeline.alignedNanoseconds.indices.contains(span.frame) {
      arguments.append(
        "\"leastOfRunsMicroseconds\":\(microseconds(timeline.alignedNanoseconds[span.frame]))")
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

  private func complete(
    _ name: String, _ category: String, _ start: Double, _ end: Double, _ arguments: String
  ) -> String {
    // From rounded ends: what is inside stays inside.
    let (from, to) = (start.rounded(), end.rounded())
    return "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"cat\":\"\(category)\",\"name\":\(JSONText.string(name)),"
      + "\"ts\":\(microseconds(from)),\"dur\":\(microseconds(to - from)),\"args\":\(arguments)}"
  }

  private func microseconds(_ nanoseconds: Double) -> String {
    JSONNumber.text(nanoseconds.rounded() / 1_000)
  }
}
