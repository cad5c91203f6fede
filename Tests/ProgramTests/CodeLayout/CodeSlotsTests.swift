import Testing

@testable import Linking

struct CodeSlotsTests {
  private let hot = CodeBlock(symbol: "hot", size: 320, alignment: 16, fingerprint: 1)
  private let cold = CodeBlock(symbol: "cold", size: 100, alignment: 16, fingerprint: 2)
  private let wide = CodeBlock(symbol: "wide", size: 64, alignment: 64, fingerprint: 3)

  @Test func whatDidNotChangeLiesAtTheSameAddressesInBothBuilds() {
    let added = CodeBlock(symbol: "added", size: 65_536, alignment: 64, fingerprint: 4)
    let builds = [[hot, cold, wide], [added, edited(cold, size: 700), wide, hot]]
    let slots = CodeSlots(baseline: builds[0], candidate: builds[1])
    for order in 0..<50 {
      let baseline = addresses(slots, .baseline, builds[0], order)
      let candidate = addresses(slots, .candidate, builds[1], order)
      #expect(baseline["hot"] == candidate["hot"])
      #expect(baseline["wide"] == candidate["wide"])
      #expect(baseline["cold"] == candidate["cold"])
      #expect(baseline["end"] == candidate["end"])
    }
  }

  @Test func allOrdersAreDrawn() {
    let slots = CodeSlots(baseline: [hot, cold, wide], candidate: [hot, cold, wide])
    let orders = Set((0..<200).map { order in slots.symbols(of: .baseline, order: order).filter { $0.count < 5 } })
    #expect(orders.count == 6)
    #expect(slots.symbols(of: .baseline, order: 7) == slots.symbols(of: .candidate, order: 7))
    #expect(slots.paddingAssembly(of: .baseline) == slots.paddingAssembly(of: .candidate))
  }

  @Test func fourOrdersInARowTryAllQuartersOfACacheLine() {
    let others = (0..<9).map { CodeBlock(symbol: "other\($0)", size: 40 + 8 * $0, alignment: 16, fingerprint: 10 + $0) }
    let blocks = [hot, cold] + others
    let slots = CodeSlots(baseline: blocks, candidate: blocks)
    let quarters = (0..<200).map { order in addresses(slots, .baseline, blocks, order).mapValues { $0 % 64 / 16 } }
    for first in stride(from: 0, to: 200, by: 4) {
      for block in blocks { #expect(Set(quarters[first..<(first + 4)].map { $0[block.symbol] }).count == 4) }
    }
    // All 16 pairs of quarters of a cache line occur, so the places of the two functions are independent.
    #expect(Set(quarters.map { [$0["hot"], $0["cold"]] }).count == 16)
  }

  @Test func aRenamedFunctionKeepsItsPlace() {
    var renamed = hot
    renamed.symbol = "zzz"
    let slots = CodeSlots(baseline: [hot, cold, wide], candidate: [renamed, cold, wide])
    #expect(slots.slots.count == 3)
    let places = [Build.baseline, .candidate].map { side in
      slots.symbols(of: side, order: 3).firstIndex { ["hot", "zzz"].contains($0) }
    }
    #expect(places[0] == places[1])
  }

  @Test func equalCodeUnderSeveralNewNamesIsGivenAwayOnce() {
    let copies = ["a", "b", "c"].map { CodeBlock(symbol: $0, size: 16, alignment: 16, fingerprint: 9) }
    let renamed = ["x", "y"].map { CodeBlock(symbol: $0, size: 16, alignment: 16, fingerprint: 9) }
    let slots = CodeSlots(baseline: copies, candidate: renamed).slots
    #expect(slots.count == 3)
    #expect(slots.count { !$0.blocks.contains(nil) } == 2)
  }

  @Test func whatABuildLacksIsFilledUp() {
    let slots = CodeSlots(baseline: [hot], candidate: [hot, cold])
    let text = slots.paddingAssembly(of: .baseline)
    #expect(text.contains(".skip 100,0xcc"))
    #expect(!slots.paddingAssembly(of: .candidate).contains(".skip 100,0xcc"))
    for order in 0..<8 {
      #expect(
        addresses(slots, .baseline, [hot], order)["end"] == addresses(slots, .candidate, [hot, cold], order)["end"])
    }
  }

  @Test func sectionsFollowEachOtherAndStubsBeginInEachQuarterOfACacheLine() {
    let starts = SectionStart.all(textSize: 1_000_000, images: [])
    #expect(starts[0].name == ".text" && starts[1].name == ".plt")
    #expect(starts[1].address > starts[0].address + 1_000_000)
    #expect(starts.map(\.address) == Set(starts.map(\.address)).sorted())
    #expect((0..<4).map { starts[1].in(order: $0).address % 64 } == [0, 16, 32, 48])
    #expect((0..<4).allSatisfy { starts[2].in(order: $0) == starts[2] })
  }

  @Test func noNameOfAnImportIsReadAsAssembly() {
    for name in ["swift_retain", "$sSS5countSivg", "memcpy@GLIBC_2.14"] { #expect(Import.isPlain(name)) }
    for name in ["a\"@PLT\n.incbin \"/etc/passwd", "a b", "a\\n", "größe", "a;b"] { #expect(!Import.isPlain(name)) }
  }

  private func edited(_ block: CodeBlock, size: Int) -> CodeBlock {
    var block = block
    block.size = size
    block.fingerprint += 100
    return block
  }

  /// Returns the address at which a linker would place each block, keyed by symbol, and the end of the last block
  /// (`end`).
  private func addresses(_ slots: CodeSlots, _ side: Build, _ blocks: [CodeBlock], _ order: Int) -> [String: Int] {
    var sections = blocks.reduce(into: [:]) { $0[$1.symbol] = (size: $1.size, alignment: $1.alignment) }
    for text in slots.paddingAssembly(of: side).split(separator: ".section ") {
      guard let name = text.firstMatch(of: /\.text\.(\w+)/)?.1,
        let size = text.firstMatch(of: /\.skip (\d+)/).flatMap({ Int($0.1) }),
        let alignment = text.firstMatch(of: /\.balign (\d+)/).flatMap({ Int($0.1) })
      else { continue }
      sections[String(name)] = (size, alignment)
    }
    var address = 0
    var result: [String: Int] = [:]
    for symbol in slots.symbols(of: side, order: order) {
      guard let section = sections[symbol] else {
        Issue.record("\(symbol) is not there")
        continue
      }
      #expect(result[symbol] == nil)
      address = (address + section.alignment - 1) / section.alignment * section.alignment
      result[symbol] = address
      address += section.size
    }
    result["end"] = address
    return result
  }
}
