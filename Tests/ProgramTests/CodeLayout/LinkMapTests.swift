import Testing

@testable import Linking

struct LinkMapTests {
  private let map = """
                 VMA              LMA     Size Align Out     In      Symbol
                 2e0              2e0       1c     1 .interp
                 2e0              2e0       1c     1         <internal>:(.interp)
              1fd280           1fd280   732dde    64 .text
              2e9f00           2e9f00      14a    64         a b/k.c.o:(.text.step.avx2)
              2e9f00           2e9f00      14a     1                 step.avx2
              2ea530           2ea530       37    16         libx.a(m.o):(.text)
              2ea530           2ea530       37     1                 $s4mine1fyyF
              2ea540           2ea540       10     1                 operator new(unsigned long)
              930060           930060       17     4 .init
              930060           930060       17     4         crti.o:(.init)
              930060           930060       17     4                 _init

    """

  @Test func sectionsAreReadWithTheirSymbols() {
    let sections = LinkMap(Array(map.utf8)).sections
    #expect(sections.map(\.output) == [".interp", ".text", ".text", ".init"])
    #expect(
      LinkMap(Array(map.utf8)).sections.filter { $0.output == ".text" } == [
        LinkMap.Section(
          output: ".text", input: "a b/k.c.o:(.text.step.avx2)", address: 0x2e9f00, size: 0x14a, alignment: 64,
          symbols: ["step.avx2"]),
        LinkMap.Section(
          output: ".text", input: "libx.a(m.o):(.text)", address: 0x2ea530, size: 0x37, alignment: 16,
          symbols: ["$s4mine1fyyF", "operator new(unsigned long)"]),
      ])
  }

  @Test func whatIsNoMapHasNoSections() {
    #expect(LinkMap(Array("ld: unknown option\n\n  \n0 0 0\n".utf8)).sections.isEmpty)
    #expect(LinkMap([]).sections.isEmpty)
  }
}
