import FoundationEssentials

/// Puts the counts between marks together into frames and phases.
struct InstructionFrames {
  /// Cost of a mark, measured by frames that do nothing.
  struct Overhead: Equatable {
    /// Instructions added to a frame without phases.
    var frame: Int
    /// Instructions that a phase adds to its own count.
    var phase: Int
    /// Instructions that a phase adds to the count around it.
    var aroundPhase: Int
  }

  /// The count of a frame or a phase without the phases inside it.
  private struct Level {
    var own = 0
    var childCount = 0
    var children = 0
  }

  let overhead: Overhead
  /// One value per recorded frame.
  private(set) var frames: [Int] = []
  /// By slot, then frame.
  private(set) var phases: [[Int]] = []

  init(_ counts: [MarkedCount]) throws(InstructionCountError) {
    overhead = try Self.overhead(counts)
    phases = Array(repeating: [], count: FrameState.capacity)
    var open: [Level] = [Level()]
    var phaseCounts = Array(repeating: 0, count: FrameState.capacity)
    for item in counts {
      open[open.count - 1].own += item.count
      switch item.mark {
      case .phaseBegins:
        open.append(Level())
      case .phaseEnds(let slot):
        guard open.count > 1 else { throw .malformed("a phase ends that did not begin") }
        let net = net(open.removeLast(), base: overhead.phase)
        phaseCounts[slot] += net
        open[open.count - 1].children += net
        open[open.count - 1].childCount += 1
      case .frameEnds(let kind):
        guard open.count == 1 else { throw .malformed("a frame ends inside a phase") }
        if kind == .recorded {
          frames.append(net(open[0], base: overhead.frame))
          for slot in phases.indices { phases[slot].append(phaseCounts[slot]) }
        }
        open[0] = Level()
        for slot in phaseCounts.indices { phaseCounts[slot] = 0 }
      }
    }
    guard !frames.isEmpty else { throw .malformed("no frame was counted") }
  }

  /// Subtracts the overhead level by level and never goes below zero, so that phases never add up to more
  /// than the frame or phase around them.
  private func net(_ level: Level, base: Int) -> Int {
    max(0, level.own - base - level.childCount * overhead.aroundPhase) + level.children
  }

  /// Medians over the frames that do nothing; all but the first of those cost the same.
  private static func overhead(_ counts: [MarkedCount]) throws(InstructionCountError) -> Overhead {
    var outside = 0
    var inside: Int?
    var (empty, around, phase): ([Int], [Int], [Int]) = ([], [], [])
    for (index, item) in counts.enumerated() {
      switch item.mark {
      case .phaseBegins: outside += item.count
      case .phaseEnds: inside = item.count
      case .frameEnds(let kind):
        outside += item.count
        if kind == .empty { empty.append(outside) }
        if kind == .emptyPhase {
          guard let inside, index >= 2 else { throw .malformed("no phase in the frame of an empty phase") }
          around.append(outside)
          phase.append(inside)
        }
        outside = 0
        inside = nil
      }
    }
    guard let empty = empty.median, let around = around.median, let phase = phase.median else {
      throw .malformed("the frames that do nothing are missing")
    }
    return Overhead(frame: empty, phase: phase, aroundPhase: max(0, around - empty))
  }
}

extension InstructionRecord {
  /// Reads the file that callgrind wrote while a worker ran in the pass that counts instructions.
  ///
  /// - Parameters:
  ///   - phaseNames: Those of the worker's reply, in its order.
  ///   - frameCount: Number of frames that the worker was asked to count.
  package init(
    callgrindFile data: Data, phaseNames: [String], frameCount: Int
  ) throws(InstructionCountError) {
    let file = try CallgrindFile(data)
    let counted = try InstructionFrames(file.counts)
    guard counted.frames.count == frameCount else {
      throw .malformed("\(counted.frames.count) frames instead of \(frameCount)")
    }
    self.init(
      source: .callgrind, version: file.version, frames: CountSeries(counted.frames),
      phases: zip(phaseNames, counted.phases).map { PhaseInstructions(name: $0, frames: CountSeries($1)) },
      frameOverhead: counted.overhead.frame)
  }
}

extension [Int] {
  var median: Int? { isEmpty ? nil : sorted()[count / 2] }
}
