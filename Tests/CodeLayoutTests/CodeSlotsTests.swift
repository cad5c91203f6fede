import Testing

@testable import CodeLayout

struct CodeSlotsTests {
  private let hot = CodeBlock(symbol: "hot", size: 320, alignment: 64, fingerprint: 1)
  private let cold = CodeBlock(symbol: "cold", size: 100, alignment: 16, fingerprint: 2)
  private let other = CodeBlock(symbol: "other", size: 64, alignment: 64, fingerprint: 3)

  @Test func whatDidNotChangeLiesAtTheSameAddressesInBothBuilds() {
    var longer = cold
    longer.size = 700
    longer.fingerprint = 20
    let added = CodeBlock(symbol: "added", size: 65_536, alignment: 64, fingerprint: 4)
    let slots = CodeSlots(baseline: [hot, cold, other], candidate: [added, longer, other, hot])
    for seed: UInt64 in 1...50 {
      let baseline = addresses(slots, .baseline, [hot, cold, other], seed)
      let candidate = addresses(slots, .candidate, [added, longer, other, hot], seed)
      #expect(baseline["hot"] == candidate["hot"])
      #expect(baseline["other"] == candidate["other"])
      #expect(baseline["cold"] == candidate["cold"])
      #expect(baseline["end"] == candidate["end"])
    }
  }

  @Test func seedsDrawAllOrders() {
    let slots = CodeSlots(baseline: [hot, cold, other], candidate: [hot, cold, other])
    let orders = Set((1...200).map { slots.symbols(of: .baseline, seed: $0) })
    #expect(orders.count == 6)
    #expect(slots.symbols(of: .baseline, seed: 7) == slots.symbols(of: .candidate, seed: 7))
    #expect(slots.paddingAssembly(of: .baseline).isEmpty)
  }

  @Test func aRenamedFunctionKeepsItsPlace() {
    var renamed = hot
    renamed.symbol = "zzz"
    let slots = CodeSlots(baseline: [hot, cold, other], candidate: [renamed, cold, other])
    #expect(slots.slots.count == 3)
    let places = [CodeSlots.Side.baseline, .candidate].map { side in
      slots.symbols(of: side, seed: 3).firstIndex { ["hot", "zzz"].contains($0) }
    }
    #expect(places[0] == places[1])
  }

  @Test func equalCodeUnderSeveralNewNamesIsGivenAwayOnce() {
    let copies = ["a", "b", "c"].map { CodeBlock(symbol: $0, size: 16, alignment: 16, fingerprint: 9) }
    let renamed = ["x", "y"].map { CodeBlock(symbol: $0, size: 16, alignment: 16, fingerprint: 9) }
    let slots = CodeSlots(baseline: copies, candidate: renamed).slots
    #expect(slots.count == 3)
    #expect(slots.count { $0.baseline != nil && $0.candidate != nil } == 2)
  }

  @Test func paddingIsAsLongAsWhatIsMissing() {
    let slots = CodeSlots(baseline: [hot], candidate: [hot, cold])
    let text = slots.paddingAssembly(of: .baseline)
    #expect(text.contains(".skip 100,0xcc"))
    #expect(text.contains(".balign 16"))
    #expect(slots.symbols(of: .baseline, seed: 1).count == 2)
    #expect(slots.paddingAssembly(of: .candidate).isEmpty)
  }

  /// Where a linker would place blocks, in the order of the slots.
  private func addresses(
    _ slots: CodeSlots, _ side: CodeSlots.Side, _ blocks: [CodeBlock], _ seed: UInt64
  ) -> [String: Int] {
    let known = Dictionary(uniqueKeysWithValues: blocks.map { ($0.symbol, $0) })
    let padding = slots.paddingAssembly(of: side).split(separator: ".section ").reduce(
      into: [String: (size: Int, alignment: Int)]()
    ) { sections, text in
      guard let name = text.firstMatch(of: /\.text\.(\w+)/)?.1,
        let size = text.firstMatch(of: /\.skip (\d+)/).flatMap({ Int($0.1) }),
        let alignment = text.firstMatch(of: /\.balign (\d+)/).flatMap({ Int($0.1) })
      else { return }
      sections[String(name)] = (size, alignment)
    }
    var address = 0
    var result: [String: Int] = [:]
    for symbol in slots.symbols(of: side, seed: seed) {
      let alignment = known[symbol]?.alignment ?? padding[symbol]?.alignment ?? 1
      address = (address + alignment - 1) / alignment * alignment
      result[symbol] = address
      address += known[symbol]?.size ?? padding[symbol]?.size ?? 0
    }
    result["end"] = address
    return result
  }
}
