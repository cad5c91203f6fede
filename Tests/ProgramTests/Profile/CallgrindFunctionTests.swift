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
    let functions = try CallgrindCalls(Data(Self.file.utf8)).withoutHarness()
    #expect(functions.version == "3.19.0")
    let cost = { (name: String) in functions.costs.first { $0.mangled == name } }
    #expect(cost("$s1a")?.own == 100 && cost("$s1a")?.total == 160)
    #expect(cost("helper")?.own == 40 && cost("helper")?.total == 60)
    #expect(cost("memcpy")?.own == 20 && cost("memcpy")?.library == "libc.so.6")
    #expect(cost("rec")?.own == 5 && cost("rec")?.total == 5)
    let profile = functions.profile(names: ["$s1a": "Layout.a()"], frameCount: 2)
    #expect(profile.functions.map(\.frame.function) == ["Layout.a()", "helper", "memcpy", "rec"])
    #expect(profile.total == 165)
  }

  @Test func theFileIsReadAgainAsTheSameInNamesOfTheSource() throws {
    let functions = try CallgrindCalls(Data(Self.file.utf8)).withoutHarness()
    let text = functions.text(names: ["$s1a": "Layout.a()", "rec": "again()"])
    #expect(text.contains("fn=(1) Layout.a()\n") && text.contains(" again()'2\n"))
    let again = try CallgrindCalls(Data(text.utf8)).withoutHarness()
    #expect(again.costs.map(\.own) == functions.costs.map(\.own))
    #expect(again.costs.map(\.total) == functions.costs.map(\.total))
    #expect(text.contains("totals: 165\n") && text.contains("summary: 165\n"))
  }

  /// A profile in which the harness calls a frame, the frame calls the harness, and the harness calls a phase.
  private static let nested = """
    events: Ir
    ob=(1) /bin/program
    fl=(1) a.swift
    fn=(1) main
    1 0
    cfn=(2) $s10FrameBench4loopF
    calls=1 0
    1 1000

    fn=(2)
    0 100
    cfn=(3) frame
    calls=10 5
    +2 800
    cob=(2) /lib/libc.so.6
    cfi=(2) string.c
    cfn=(4) memset
    calls=10 0
    * 100

    fn=(3)
    5 200
    cfn=(5) $s10FrameBench7measureF
    calls=10 0
    +1 600

    fn=(5)
    0 150
    cfn=(6) phase
    calls=10 0
    0 400
    cob=(2)
    cfi=(2)
    cfn=(4)
    calls=5 0
    0 50

    fn=(6)
    9 100
    fi=(3) inlined.swift
    70 50
    fe=(1)
    -60 50
    cob=(2)
    cfi=(2)
    cfn=(4)
    calls=20 0
    +1 200

    ob=(2)
    fl=(2)
    fn=(4)
    3 300
    +1 50

    totals: 1000
    """

  @Test func theHarnessAndWhatWorksForItAreTakenOut() throws {
    let file = try CallgrindCalls(Data(Self.nested.utf8)).withoutHarness()
    #expect(Set(file.functions.map(\.place.function)) == ["frame", "phase", "memset"])
    let functions = try CallgrindCalls(Data(Self.nested.utf8)).withoutHarness().costs
    let cost = { (name: String) in functions.first { $0.mangled == name } }
    #expect(cost("memset")?.own == 200 && cost("phase")?.own == 200 && cost("frame")?.own == 200)
    #expect(cost("phase")?.total == 400 && cost("frame")?.total == 600)
    #expect(file.functions.first { $0.place.function == "frame" }?.calls.map(\.callee.function) == ["phase"])
  }

  @Test func positionsAndInlinedFilesAreKept() throws {
    let file = try CallgrindCalls(Data(Self.nested.utf8)).withoutHarness()
    let text: String = file.text(spell: { $0 })
    let again = try CallgrindCalls(Data(text.utf8))
    let phase = try #require(again.functions.first { $0.place.function == "phase" })
    #expect(phase.costs.map(\.position) == [9, 70, 10])
    #expect(phase.costs.map(\.file) == ["a.swift", "inlined.swift", "a.swift"])
    #expect(phase.calls.map(\.line.position) == [11] && phase.calls.map(\.callee.file) == ["string.c"])
    #expect(phase.calls.map(\.callee.object) == ["/lib/libc.so.6"])
  }

  @Test func aCalleeIsWhereItsLinesSay() throws {
    let text = """
      ob=(1) /bin/program
      fl=(1) a.swift
      fn=(1) caller
      1 5
      cob=(2) /lib/libc.so.6
      cfi=(2) string.c
      cfn=(2) callee without a cost
      cfn=(3) neighbor
      calls=1 0
      * 10
      fi=(3) inlined.swift
      cfn=(4) inlined neighbor
      calls=1 0
      7 20
      """
    let callees = try CallgrindCalls(Data(text.utf8)).functions[0].calls.map(\.callee)
    #expect(callees.map(\.function) == ["neighbor", "inlined neighbor"])
    #expect(callees.map(\.object) == ["/bin/program", "/bin/program"])
    #expect(callees.map(\.file) == ["a.swift", "inlined.swift"])
  }

  @Test(arguments: ["", "rubbish", "fn=(1) a\n0 x\n", "fn=(1) a\n"]) func filesThatAreNoneAreRefused(_ text: String) {
    #expect(throws: InstructionFailure.self) { try CallgrindCalls(Data(text.utf8)) }
  }
}
