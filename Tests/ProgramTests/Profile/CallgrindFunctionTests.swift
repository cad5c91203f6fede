import Foundation
import Testing

@testable import Execution
@testable import FrameBench
@testable import Platform

@Suite struct CallgrindFunctionTests {
  private static let file = """
    # callgrind format
    version: 1
    creator: callgrind-3.19.0
    events: Ir

    ob=(1) /bin/program
    fl=(1) ???
    fn=(1) $s1a
    0 100
    cfn=(2) helper
    calls=3 0
    0 60
    cfn=(3) $s10FrameBench5timerF
    calls=1 0
    0 9

    fn=(2)
    0 40
    cob=(2) /lib/libc.so.6
    cfn=(4) memcpy
    calls=2 0
    0 20

    ob=(2)
    fn=(4)
    +1 20

    ob=(1)
    fn=(3)
    0 9

    fn=(5) rec'2
    0 5
    cfn=(6) rec
    calls=1 0
    0 5

    totals: 174
    """

  @Test func costsAreOwnAndWithWhatIsCalled() throws {
    let costs = try CallgrindCosts(Data(Self.file.utf8))
    #expect(costs.version == "3.19.0")
    let functions = costs.functions
    #expect(functions["$s1a"] == .init(own: 100, total: 169) && functions["helper"] == .init(own: 40, total: 60))
    #expect(functions["memcpy"] == .init(library: "libc.so.6", own: 20, total: 20))
    #expect(functions["rec"] == .init(own: 5, total: 5))
    let profile = costs.profile(names: ["$s1a": "Layout.a()"], frameCount: 2)
    #expect(
      profile.functions.map(\.frame.function) == ["Layout.a()", "helper", "memcpy", "$s10FrameBench5timerF", "rec"])
    #expect(profile.total == 174)
  }

  @Test func theFileIsReadAgainAsTheSameInNamesOfTheSource() throws {
    let text = CallgrindCosts.text(Data(Self.file.utf8), names: ["$s1a": "Layout.a()", "rec": "again()"])
    #expect(text.contains("fn=(1) Layout.a()\n") && text.contains("fn=(5) again()'2\n"))
    let (old, new) = (try CallgrindCosts(Data(Self.file.utf8)), try CallgrindCosts(Data(text.utf8)))
    #expect(new.functions["Layout.a()"] == old.functions["$s1a"] && new.functions["again()"] == old.functions["rec"])
    #expect(new.functions["memcpy"] == old.functions["memcpy"] && text.contains("totals: 174"))
    #expect(
      CallgrindCosts.text(Data("cfn=(7) $s1aTA".utf8), names: ["$s1aTA": "a()"]) == "cfn=(7) partial apply for a()")
  }

  @Test(arguments: ["", "rubbish", "fn=(1) a\n0 x\n", "fn=(1) a\n"]) func filesThatAreNoneAreRefused(_ text: String) {
    #expect(throws: InstructionFailure.self) { try CallgrindCosts(Data(text.utf8)) }
  }
}
