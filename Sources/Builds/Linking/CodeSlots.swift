import CProcessControl
import Statistics

/// Layouts of code for two builds together.
///
/// Every function of either build gets a slot, as long as the longer of its two versions. Both builds fill the same
/// slots in the same order, with padding if a build has no code for a slot, or shorter code. So unchanged code has the
/// same addresses in both builds, even if other code was added, removed or has grown.
///
/// Two things are random in each link order, and the same for both builds. One is the order of the slots. The other is
/// the quarter of a cache line in which each function begins. Compilers align functions to 16 bytes, so any commit may
/// move functions to another quarter, and a loop that crosses the border of a line may take twice as long. Four
/// consecutive orders use all four quarters. So it is also random, equally in both builds, where the loops of an edited
/// function begin.
///
/// The method is that of Curtsinger and Berger, "Stabilizer" (ASPLOS 2013), which randomizes layouts at run time, for
/// one build.
package struct CodeSlots: Sendable, Equatable {
  /// A place in the layout that at least one build fills with code.
  package struct Slot: Sendable, Equatable {
    /// The code in the slot, by build; nil if a build has none.
    package var blocks: [CodeBlock?]

    /// The name by which slots are ordered before they are shuffled.
    package var name: String { present.first?.symbol ?? "" }
    package var size: Int { present.map(\.size).max() ?? 0 }
    package var alignment: Int { present.map(\.alignment).max() ?? 1 }

    private var present: [CodeBlock] { blocks.compactMap(\.self) }
  }

  package let slots: [Slot]

  /// Pairs blocks of the same name. Then pairs the remaining blocks that have the same code, because a function may
  /// have been renamed or moved.
  package init(baseline: [CodeBlock], candidate: [CodeBlock]) {
    var slots = baseline.map { Slot(blocks: [$0, nil]) }
    let places = Dictionary(slots.indices.map { (slots[$0].name, $0) }) { first, _ in first }
    var unmatched: [CodeBlock] = []
    for block in candidate {
      if let place = places[block.symbol] { slots[place].blocks[1] = block } else { unmatched.append(block) }
    }
    var alone: [[Int]: [Int]] = [:]
    for place in slots.indices.reversed() where slots[place].blocks[1] == nil {
      if let block = slots[place].blocks[0] { alone[Self.content(block), default: []].append(place) }
    }
    for block in unmatched {
      if let place = alone[Self.content(block)]?.popLast() {
        slots[place].blocks[1] = block
      } else {
        slots.append(Slot(blocks: [nil, block]))
      }
    }
    self.slots = slots.sorted { $0.name < $1.name }
  }

  /// Returns a key that is equal for the same code under different names.
  private static func content(_ block: CodeBlock) -> [Int] { [block.size, block.fingerprint] }

  /// Returns the symbols of a build in a link order, for lld's `--symbol-ordering-file`.
  /// - Parameter order: The number of the link order, from 0.
  package func symbols(of build: Build, order: Int) -> [String] {
    let quarters = quarters(order: order)
    var random = SplitMix64(seed: UInt64(order) + 1)
    var shuffled = Array(slots.indices)
    random.shuffle(&shuffled)
    var used = [0, 0, 0, 0]
    return shuffled.flatMap { index in
      let quarter = quarters[index]
      defer { used[quarter] += 1 }
      return [
        Self.beginning(quarter, used[quarter]), slots[index].blocks[build.rawValue]?.symbol,
        padding(slots[index], build) > 0 ? Self.filling(index) : nil,
      ].compactMap(\.self)
    }
  }

  /// Returns the quarter of a cache line, 0 to 3, in which each slot's code begins. All quarters have equally many
  /// slots. In the next order each slot has the next quarter.
  private func quarters(order: Int) -> [Int] {
    var random = SplitMix64(seed: 1 << 32 + UInt64(order / 4))
    var shuffled = Array(slots.indices)
    random.shuffle(&shuffled)
    var quarters = shuffled
    for (rank, index) in shuffled.enumerated() { quarters[index] = (rank + order) % 4 }
    return quarters
  }

  /// An upper bound for the bytes of all slots, in any order.
  package var size: Int {
    slots.reduce(0) { $0 + ($1.size + 48 + ($1.alignment > 16 ? $1.alignment : 0) + 63) / 64 * 64 }
  }

  /// Returns assembly for the padding between functions, with a section for each piece. The bytes are breakpoint
  /// instructions, because padding is never executed.
  package func paddingAssembly(of build: Build) -> String {
    var text = ""
    func add(_ name: String, size: Int, alignment: Int) {
      text += assembly(section: name, alignment: alignment, ".skip \(size),0xcc")
    }
    for quarter in 0..<4 {
      for number in 0..<((slots.count + 3) / 4) {
        add(Self.beginning(quarter, number), size: quarter * 16, alignment: 64)
      }
    }
    for (index, slot) in slots.enumerated() where padding(slot, build) > 0 {
      // Padding after a shorter version begins exactly at the end of the code.
      let alignment = slot.blocks[build.rawValue] == nil ? slot.alignment : 1
      add(Self.filling(index), size: padding(slot, build), alignment: alignment)
    }
    return text
  }

  private static func beginning(_ quarter: Int, _ number: Int) -> String { "springbench_quarter\(quarter)_\(number)" }

  private static func filling(_ index: Int) -> String { "springbench_padding_\(index)" }

  private func padding(_ slot: Slot, _ build: Build) -> Int { slot.size - (slot.blocks[build.rawValue]?.size ?? 0) }
}

/// Returns assembly for a section of code, for clang. The flag `R` keeps the linker from dropping the section.
private func assembly(section name: String, alignment: Int, _ content: String) -> String {
  """
  .section .text.\(name),"axR",@progbits
  .balign \(alignment)
  .globl \(name)
  \(name):
  \(content)
  .type \(name),@function
  .size \(name),.-\(name)

  """
}

/// A symbol that a program imports from a library.
///
/// The linker creates stubs and pointers for imports in the order in which it meets the symbols. So if an edited
/// function calls another import, the stubs of other imports move. This made the unchanged phase `query` 1.5 to 3.8%
/// slower in 11 benchmarks. An object file that comes first and names all imports of both builds keeps the order the
/// same.
package struct Import: Hashable {
  package var name: String
  /// Whether the symbol is called through a stub (`.plt`). Otherwise it is reached through a pointer (`.got`).
  package var isCalled: Bool

  /// The symbol of the section that names all common imports.
  package static let symbol = "springbench_imports"
  private static let size = 8

  package static func byteCount(_ imports: [Import]) -> Int { imports.count * size + 64 }

  package static func assembly(_ imports: [Import]) -> String {
    let references = imports.map { item in
      item.isCalled ? "call \"\(item.name)\"@PLT" : "movq \"\(item.name)\"@GOTPCREL(%rip), %rax"
    }
    return Builds.assembly(
      section: symbol, alignment: 64, references.map { "\($0)\n.balign \(size),0xcc" }.joined(separator: "\n"))
  }

  /// Returns the imports that all programs have, in the order of their names.
  package static func common(_ images: [ELFImage]) -> [Import] {
    let sets = images.map(all)
    return sets.dropFirst().reduce(sets.first ?? []) { $0.intersection($1) }.sorted {
      ($0.name, $0.isCalled ? 0 : 1) < ($1.name, $1.isCalled ? 0 : 1)
    }
  }

  private static func all(_ image: ELFImage) -> Set<Import> {
    let symbols = image.symbols(".dynsym", names: ".dynstr")
    let tables = [".rela.plt", ".rela.dyn"].compactMap { image.section($0) }
    let relocations = tables.flatMap { image.entries(Elf64_Rela.self, of: $0) }
    return Set(
      relocations.compactMap { relocation in
        let isCalled = relocation.kind == R_X86_64_JUMP_SLOT
        guard isCalled || relocation.kind == R_X86_64_GLOB_DAT, symbols.indices.contains(relocation.symbol),
          !symbols[relocation.symbol].isWeak
        else { return nil }
        return Import(name: symbols[relocation.symbol].name, isCalled: isCalled)
      })
  }
}

/// The address at which a section of the program begins.
package struct SectionStart: Equatable {
  package var name: String
  package var address: Int

  /// The sections of code, of its data, and of the pointers and stubs that it uses, in the order of their addresses.
  private static let names = [".text", ".plt", ".data.rel.ro", ".got", ".data", ".rodata", ".got.plt", ".bss"]
  private static let pageSize = 4_096

  /// Returns the beginnings of all sections, the same for both builds. Otherwise an additional imported function in one
  /// build would move everything behind it.
  /// - Parameter textSize: An upper bound of the bytes of `.text`.
  package static func all(textSize: Int, images: [ELFImage]) -> [SectionStart] {
    var end = 0x40_0000
    return names.map { name in
      let size = name == ".text" ? textSize : images.compactMap { $0.section(name)?.bytes.count }.max() ?? 0
      let alignments = images.compactMap { $0.section(name)?.header.sh_addralign }
      let alignment = alignments.reduce(pageSize) { max($0, Int(clamping: $1)) }
      let address = (end + alignment - 1) / alignment * alignment
      end = address + size + size / 16 + pageSize
      return SectionStart(name: name, address: address)
    }
  }

  /// Returns the beginning of the section in a link order. Stubs begin in another quarter of a cache line in each
  /// order, as functions do, because an additional import would move them by a quarter.
  package func `in`(order: Int) -> SectionStart {
    SectionStart(name: name, address: name == ".plt" ? address + order % 4 * 16 : address)
  }
}

package enum Build: Int, CaseIterable, Sendable { case baseline, candidate }
