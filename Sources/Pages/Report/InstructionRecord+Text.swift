import FrameBench
import Measurements
import TextFormat

extension FigureRow {
  /// Instructions of frames and phases; empty where no strategy has any.
  static func instructions(_ records: [BenchmarkRecord]) -> [FigureRow] {
    byCallgrind(records) + byHardware(records)
  }

  private static func byCallgrind(_ records: [BenchmarkRecord]) -> [FigureRow] {
    let counted = records.compactMap(\.instructions)
    guard let note = InstructionRecord.note(counted) else { return [] }
    var frame = row("\(strong: "instructions per frame") (a model)", records.map(\.instructions)) {
      $0.frames
    }
    frame.labelNote = note
    return [frame]
      + records.instructionPhaseNames.map { name in
        row(
          "… of which in \(code: name)", records.map(\.instructions),
          otherwise: "This strategy has no phase \(name)."
        ) { record in record.phases.first { $0.name == name }?.frames }
      }
  }

  private static func byHardware(_ records: [BenchmarkRecord]) -> [FigureRow] {
    guard let note = InstructionRecord.note(records.compactMap(\.hardwareInstructions)) else { return [] }
    var row = row("instructions per frame, by the processor", records.map(\.hardwareInstructions)) {
      $0.frames
    }
    row.labelNote = note
    return [row]
  }

  private static func row(
    _ label: RichText, _ counted: [InstructionRecord?],
    otherwise reason: String = "No frame was counted.", _ series: (InstructionRecord) -> CountSeries?
  ) -> FigureRow {
    FigureRow(
      label: label,
      figures: counted.map { record in
        guard let record else { return .absent("Instructions were not counted; a warning says why.") }
        return series(record).map(Figure.init(count:)) ?? .absent(reason)
      })
  }
}

extension InstructionRecord {
  /// Who counted, how many frames, and what the figure is not; nil where nobody counted.
  static func note(_ records: [InstructionRecord]) -> RichText? {
    guard let first = records.first else { return nil }
    let counts = Set(records.map(\.frameCount)).sorted()
    let frames = Format.list(counts.map { Format.plural($0, "frame") })
    switch first.source {
    case .callgrind:
      return """
        Counted by callgrind (valgrind\(first.version.map { " \($0)" } ?? "")) over the first \(frames): \
        instructions outside the kernel, as a processor without AVX-512 executes them. A model of the machine, \
        not time.
        """
    case .hardware:
      return """
        Counted by the processor over the first \(frames): instructions of the frame's thread outside the \
        kernel. Not time, and it varies a little from run to run.
        """
    }
  }
}

extension [BenchmarkRecord] {
  /// Phases that were counted, in the order in which frames run them.
  fileprivate var instructionPhaseNames: [String] {
    var names: [String] = []
    for phase in compactMap(\.instructions).flatMap(\.phases) where !names.contains(phase.name) {
      names.append(phase.name)
    }
    return names
  }
}
