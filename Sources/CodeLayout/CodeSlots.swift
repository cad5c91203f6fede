import Statistics

/// A layout of code for two builds at once.
///
/// Every function of either build gets a slot, as long as the longer of its two versions. Both builds fill the
/// same slots in the same order, and padding where a build has nothing, or something shorter. So code that did
/// not change lies at the same addresses in both builds, whatever was added, removed or grew elsewhere. The
/// order is drawn by a seed: what it does to the times is the same for both builds, and differs from seed to
/// seed.
///
/// After Curtsinger and Berger, "Stabilizer" (ASPLOS 2013), which randomises layouts at run time; slots make
/// the draws of two builds equal.
public struct CodeSlots: Sendable, Equatable {
  /// One place. At least one of the builds has something there.
  struct Slot: Sendable, Equatable {
    var baseline: CodeBlock?
    var candidate: CodeBlock?

    /// By which slots are brought into an order before they are shuffled.
    var name: String { baseline?.symbol ?? candidate?.symbol ?? "" }
    var size: Int { max(baseline?.size ?? 0, candidate?.size ?? 0) }
    var alignment: Int { max(baseline?.alignment ?? 1, candidate?.alignment ?? 1) }
  }

  /// Which of the two builds.
  public enum Side: Sendable, CaseIterable {
    case baseline, candidate
  }

  let slots: [Slot]

  /// Blocks belong together where their names are the same, else where their code is: then a function was
  /// renamed or moved to another module.
  public init(baseline: [CodeBlock], candidate: [CodeBlock]) {
    var slots = baseline.map { Slot(baseline: $0) }
    let places = Dictionary(slots.indices.map { (slots[$0].name, $0) }) { first, _ in first }
    var unmatched: [CodeBlock] = []
    for block in candidate {
      if let place = places[block.symbol] { slots[place].candidate = block } else { unmatched.append(block) }
    }
    var alone: [Content: [Int]] = [:]
    for place in slots.indices.reversed() where slots[place].candidate == nil {
      if let block = slots[place].baseline { alone[Content(block), default: []].append(place) }
    }
    for block in unmatched {
      if let place = alone[Content(block)]?.popLast() {
        slots[place].candidate = block
      } else {
        slots.append(Slot(candidate: block))
      }
    }
    self.slots = slots.sorted { $0.name < $1.name }
  }

  private struct Content: Hashable {
    var size: Int
    var fingerprint: Int

    init(_ block: CodeBlock) {
      size = block.size
      fingerprint = block.fingerprint
    }
  }

  /// Symbols in the order in which the linker is to place what they name, for `--symbol-ordering-file`.
  public func symbols(of side: Side, seed: UInt64) -> [String] {
    var random = SplitMix64(seed: seed)
    var order = Array(slots.indices)
    random.shuffle(&order)
    return order.flatMap { index in
      [block(slots[index], side)?.symbol, padding(slots[index], side) > 0 ? Self.paddingName(index) : nil]
        .compactMap(\.self)
    }
  }

  /// What fills the slots of a build, as assembly for clang: a section for each, of breakpoints, since nothing
  /// ever runs there, and with a flag that keeps the linker from dropping it.
  public func paddingAssembly(of side: Side) -> String {
    slots.indices.filter { padding(slots[$0], side) > 0 }.map { index in
      let name = Self.paddingName(index)
      // What follows a shorter version begins where it ended.
      let alignment = block(slots[index], side) == nil ? slots[index].alignment : 1
      return """
        .section .text.\(name),"axR",@progbits
        .balign \(alignment)
        .globl \(name)
        \(name):
        .skip \(padding(slots[index], side)),0xcc
        .type \(name),@function
        .size \(name),\(padding(slots[index], side))

        """
    }.joined()
  }

  private func block(_ slot: Slot, _ side: Side) -> CodeBlock? {
    side == .baseline ? slot.baseline : slot.candidate
  }

  private func padding(_ slot: Slot, _ side: Side) -> Int { slot.size - (block(slot, side)?.size ?? 0) }

  private static func paddingName(_ index: Int) -> String { "springbench_padding_\(index)" }
}
