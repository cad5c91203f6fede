import Foundation
import FrameBench

/// The instruction counts of frames and phases, computed from the counts between marks that the worker sets
/// (`InstructionMark`).
package struct InstructionFrames {
  /// The counts of a frame or a phase. `own` excludes the phases inside it.
  private struct Level {
    var slot = 0
    var own = 0
    var inside: [Level] = []
  }

  /// The instructions that the marks add to a frame without phases, to a phase, and around a phase. They are medians
  /// over frames that do nothing or measure an empty phase, which the worker runs only for this purpose.
  package let overhead: (frame: Int, phase: Int, aroundPhase: Int)
  /// The instructions of each recorded frame.
  package private(set) var frames: [Int] = []
  /// The instructions of each phase, by its slot (its index in `FrameState`) and then by frame.
  package private(set) var phases = Array(repeating: [Int](), count: FrameState.capacity)

  package init(_ counts: [MarkedCount]) throws(InstructionFailure) {
    let levels = try Self.levels(counts)
    let emptyPhase = levels[.emptyPhase, default: []]
    guard emptyPhase.allSatisfy({ !$0.inside.isEmpty }) else {
      throw .malformed("no phase in the frame of an empty phase")
    }
    guard let frame = Self.median(levels[.empty, default: []]), let around = Self.median(emptyPhase),
      let phase = Self.median(emptyPhase.map { $0.inside[0] })
    else { throw .malformed("the frames that do nothing are missing") }
    overhead = (frame, phase, max(0, around - frame))
    for level in levels[.recorded, default: []] {
      var phaseCounts = Array(repeating: 0, count: FrameState.capacity)
      frames.append(net(level, base: frame, &phaseCounts))
      for slot in phases.indices { phases[slot].append(phaseCounts[slot]) }
    }
    guard !frames.isEmpty else { throw .malformed("no frame was counted") }
  }

  private static func levels(_ counts: [MarkedCount]) throws(InstructionFailure) -> [InstructionMark.Kind: [Level]] {
    var found: [InstructionMark.Kind: [Level]] = [:]
    var open = [Level()]
    for item in counts {
      open[open.count - 1].own += item.count
      switch item.mark {
      case .phaseBegins: open.append(Level())
      case .phaseEnds(let slot):
        guard open.count > 1 else { throw .malformed("a phase ends that did not begin") }
        open[open.count - 1].slot = slot
        let phase = open.removeLast()
        open[open.count - 1].inside.append(phase)
      case .frameEnds(let kind):
        guard open.count == 1 else { throw .malformed("a frame ends inside a phase") }
        found[kind, default: []].append(open[0])
        open[0] = Level()
      case .frameRestarts(let isEnded):
        if isEnded { _ = found[.recorded]?.popLast() }
        open = open.map { _ in Level() }
      }
    }
    return found
  }

  /// Returns the count of a frame or phase without the overhead, never below zero. The overhead of each phase is
  /// subtracted separately, so that phases never add up to more than the frame or the phase around them.
  /// - Parameter outer: The slots of the phases around this one. A phase inside itself is not counted twice.
  private func net(_ level: Level, base: Int, _ phaseCounts: inout [Int], in outer: Set<Int> = []) -> Int {
    var net = max(0, level.own - base - level.inside.count * overhead.aroundPhase)
    for phase in level.inside {
      let own = self.net(phase, base: overhead.phase, &phaseCounts, in: outer.union([phase.slot]))
      if !outer.contains(phase.slot) { phaseCounts[phase.slot] += own }
      net += own
    }
    return net
  }

  private static func median(_ levels: [Level]) -> Int? {
    levels.isEmpty ? nil : levels.map(\.own).sorted()[levels.count / 2]
  }
}

/// A mark, and the number of instructions executed since the previous mark.
package struct MarkedCount: Equatable {
  package var mark: InstructionMark
  package var count: Int

  /// Returns the counts at the marks in a file that callgrind wrote with `--combine-dumps=yes`, and callgrind's
  /// version.
  ///
  /// Only three kinds of lines are read (valgrind's manual, "Callgrind Format Specification"):
  /// `creator: callgrind-3.19.0`, `desc: Trigger: Client Request: NAME` and `totals: N`.
  package static func all(inCallgrindFile data: Data) throws(InstructionFailure) -> (
    version: String?, counts: [MarkedCount]
  ) {
    let creator = Array("creator: callgrind-".utf8)
    let trigger = Array("desc: Trigger: ".utf8)
    let request = Array("Client Request: ".utf8)
    let totals = Array("totals: ".utf8)
    func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    var version: String?
    var counts: [MarkedCount] = []
    var mark: InstructionMark?
    for line in [UInt8](data).split(separator: UInt8(ascii: "\n")) {
      if line.starts(with: totals) {
        guard let open = mark else { continue }
        guard let count = Int(text(line.dropFirst(totals.count))), count >= 0 else {
          throw .unreadable("no count in \"\(text(line.prefix(60)))\"")
        }
        counts.append(MarkedCount(mark: open, count: count))
        mark = nil
      } else if line.starts(with: trigger) {
        let reason = line.dropFirst(trigger.count)
        mark = reason.starts(with: request) ? InstructionMark.named[text(reason.dropFirst(request.count))] : nil
      } else if version == nil, line.starts(with: creator) {
        version = text(line.dropFirst(creator.count))
      }
    }
    return (version, counts)
  }
}

extension InstructionMark {
  /// The marks by their names in callgrind's file.
  package static let named: [String: InstructionMark] = {
    let ends = (0..<FrameState.capacity).map(InstructionMark.phaseEnds)
    let restarts = [false, true].map(InstructionMark.frameRestarts)
    let all = [.phaseBegins, .frameEnds(.recorded), .frameEnds(.empty), .frameEnds(.emptyPhase)] + ends + restarts
    return Dictionary(uniqueKeysWithValues: all.map { (String(cString: $0.name), $0) })
  }()
}

extension InstructionRecord {
  /// Reads the file that callgrind wrote while a worker ran in the pass that counts instructions.
  package init(callgrindFile data: Data, phaseNames: [String], frameCount: Int) throws(InstructionFailure) {
    let (version, counts) = try MarkedCount.all(inCallgrindFile: data)
    let counted = try InstructionFrames(counts)
    guard counted.frames.count == frameCount else {
      throw .malformed("\(counted.frames.count) frames instead of \(frameCount)")
    }
    self.init(
      source: .callgrind, version: version, frames: CountSeries(counted.frames),
      phases: zip(phaseNames, counted.phases).map { PhaseInstructions(name: $0, frames: CountSeries($1)) },
      frameOverhead: counted.overhead.frame)
  }
}
