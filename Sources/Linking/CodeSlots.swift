import CProcessControl
import Statistics

/// Layouts of the code of two builds, in which unchanged code has the same addresses in both.
///
/// Every function of either build gets a slot with the length of its longer version. Both builds have the same slots in
/// the same order. A build that has shorter code for a slot, or none, fills the rest with padding. So unchanged code
/// has the same addresses in both builds, even if other code was added, removed or has grown.
///
/// Each link order draws two things at random, equally for both builds: the order of the slots, and the quarter of a
/// cache line in which each function begins. Compilers align functions to 16 bytes, so any commit may move functions to
/// another quarter, and a loop that crosses the border of a line may take twice as long. In each group of four orders
/// (0 to 3, 4 to 7, ...), every function begins once in each quarter. So the mean over the orders also evens out the
/// effect of an edit that moves a loop within its function.
///
/// The method comes from Curtsinger and Berger, "Stabilizer" (ASPLOS 2013). Stabilizer randomizes the layout of one
/// build at run time.
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

  /// Returns the quarter of a cache line, 0 to 3, in which the code of each slot begins in a link order. Each quarter
  /// gets the same number of slots, or one more. Orders 0 to 3 share a random assignment of the slots to quarters, and
  /// each order moves every slot to the next quarter. Orders 4 to 7 share another random assignment, and so on.
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

  /// Returns assembly for the padding between functions, with a section for each piece of padding. All its bytes are
  /// breakpoint instructions, because padding is never executed.
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
      // Padding after the shorter version of a function begins exactly at the end of its code.
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
/// function calls a new import, the stubs of other imports move. In 11 benchmarks, such a move made unchanged code 1.5
/// to 3.8% slower. To keep the order, the first object file of each link names all imports that both builds have.
package struct Import: Hashable {
  package var name: String
  /// Whether the symbol is called through a stub (`.plt`). Otherwise it is reached through a pointer (`.got`).
  package var isCalled: Bool

  /// The symbol of the code section that refers to all imports that both builds have.
  package static let symbol = "springbench_imports"
  private static let size = 8

  package static func byteCount(_ imports: [Import]) -> Int { imports.count * size + 64 }

  package static func assembly(_ imports: [Import]) -> String {
    let references = imports.map { item in
      item.isCalled ? "call \"\(item.name)\"@PLT" : "movq \"\(item.name)\"@GOTPCREL(%rip), %rax"
    }
    return Linking.assembly(
      section: symbol, alignment: 64, references.map { "\($0)\n.balign \(size),0xcc" }.joined(separator: "\n"))
  }

  /// Returns the imports that all programs have, in the order of their names.
  package static func common(_ images: [ELFImage]) -> [Import] {
    let sets = images.map(all)
    return sets.dropFirst().reduce(sets.first ?? []) { $0.intersection($1) }.sorted {
      ($0.name, $0.isCalled ? 0 : 1) < ($1.name, $1.isCalled ? 0 : 1)
    }
  }

  /// Whether a name can be written into assembly as it is. A build can give a symbol any name, even one with a quote,
  /// after which the assembler would read a directive.
  static func isPlain(_ name: String) -> Bool {
    name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "_.$@".contains($0) }
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
        let name = symbols[relocation.symbol].name
        return isPlain(name) ? Import(name: name, isCalled: isCalled) : nil
      })
  }
}

/// The address at which a section of the program begins.
package struct SectionStart: Equatable {
  package var name: String
  package var address: Int

  /// The names of the sections for code, data, and the stubs and pointers for imports, in the order of their addresses.
  private static let names = [".text", ".plt", ".data.rel.ro", ".got", ".data", ".rodata", ".got.plt", ".bss"]
  private static let pageSize = 4_096

  /// Returns the addresses at which the sections begin in both builds. Without fixed addresses, an additional import in
  /// one build would move all sections behind the stubs (`.plt`).
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

  /// Returns the beginning of the section in a link order. From one order to the next, the stubs for calls into
  /// libraries (`.plt`) move by a quarter of a cache line. An additional import moves them by as much, so a mean over
  /// four orders hardly depends on the number of imports.
  package func `in`(order: Int) -> SectionStart {
    SectionStart(name: name, address: name == ".plt" ? address + order % 4 * 16 : address)
  }
}

package enum Build: Int, CaseIterable, Sendable { case baseline, candidate }
