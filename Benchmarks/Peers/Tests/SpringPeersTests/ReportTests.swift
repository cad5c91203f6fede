import ArgumentParser
import Foundation
import Testing

@testable import SpringPeers

@Suite struct ReportTests {
  @Test(arguments: [
    (0.0, "0"), (0.1456, "0.146"), (9.996, "10.0"), (12.34, "12.3"), (366.1, "366"), (1256.9, "1,257"),
    (1_234_567, "1,234,567"), (-1234, "-1,234"), (0.001, "0.0010"), (1e-9, "1.0e-09"), (.nan, "nan"),
    (.infinity, "inf"),
  ]) func figuresHaveThreeDigitsThatCount(value: Double, text: String) {
    let shown = Figure.significant(value)
    #expect(shown == text || (value == 0.001 && shown == "1.0e-03"))
  }

  @Test func aTableLinesUp() {
    var table = MarkdownTable(["engine", "a"])
    table.append(["x", "12,345"])
    #expect(
      table.render() == """
        | engine |      a |
        | ------ | -----: |
        | x      | 12,345 |
        """)
  }

  private static let machine = Machine(
    processor: "Example 9000", coreCount: 6, core: nil, system: "Example OS", kernel: nil, vectors: "AVX2",
    compiler: "Clang 1", box2DVersion: "2.4.0", chipmunkVersion: "7.0.3", box2DPackage: "2.4.1-3", chipmunkPackage: nil,
    commit: "abc1234", isDebugBuild: false)

  private func report() -> PeersReport {
    let costs: [Contestant: [Double]] = [
      .bareLoopY: [1, 1, 1], .engineRangeY: [1.1, 1.1, 1.1], .bareLoopXY: [2, 2, 2], .engineRangeXY: [2.2, 2.2, 2.2],
      .chipmunkFewest: [500, 700, 600], .box2DUsual: [3000, 3000, 3000],
    ]
    let contestants: [Contestant] = [
      .bareLoopY, .engineRangeY, .bareLoopXY, .engineRangeXY, .chipmunkFewest, .box2DUsual,
    ]
    let heats = [
      Race.Heat(size: 10_000, work: .solve, costs: costs),
      Race.Heat(size: 10_000, work: .frame, costs: costs.mapValues { $0.map { 3 * $0 } }),
    ]
    return PeersReport(
      machine: Self.machine, options: Race.Options(sizes: [10_000], roundCount: 3, contestants: contestants),
      clockCost: 21,
      checks: [
        PeerCheck(
          contestant: .box2DUsual,
          trajectories: [
            Trajectory(damping: 0.8, displacements: [100, -1], expected: [100, -3.25]),
            Trajectory(damping: 0.1, displacements: [100, -1], expected: [100, -2]),
          ], scroll: ScrollAgreement(largestDifference: 12.5, largestDisplacement: 400))
      ], heats: heats, claims: Claim.all(heats))
  }

  /// Returns the text without the blanks that align its columns.
  private func squeezed(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }

  @Test func theReportSaysWhereHowAndWhatWasMeasured() {
    let text = squeezed(report().render())
    for part in [
      "Example 9000, 6 cores · not bound to a core", "AVX2 vectors", "Box2D 2.4.0 (package 2.4.1-3) · Chipmunk 7.0.3 ·",
      "commit abc1234", "3 rounds", "21 ns a pair of reads", "| Chipmunk, 1 iteration | x, y | 600 |",
      "| Chipmunk, 1 iteration | x, y | 1,800 |", "| ÷ this engine, two lists (x, y) | 10,000 |",
      "| Chipmunk, 1 iteration (x, y) | 273 (250–295) |", "| ÷ bare C loop (y) | 10,000 |",
      "| this engine, list (y) | 1.10 (1.10–1.10) |",
      "| Box2D, 8/3 iterations (x, y) | 2.25 | 4.00 | 1 of 1 | 1.00 | 20.0 | 1 of 1 | 12.5 | 100 |",
    ] { #expect(text.contains(part), "\(part)\n\(text)") }
    #expect(!text.contains("debug build"))
    #expect(text.components(separatedBy: "## ").count == 7)
  }

  @Test func theClaimsStandAboveTheTables() throws {
    let text = report().render()
    let claims = try #require(text.range(of: "## What is claimed"))
    let tables = try #require(text.range(of: "## Steps"))
    #expect(claims.lowerBound < tables.lowerBound)
    #expect(squeezed(text).contains("| ≤ 1.10 | y 1.10, x and y 1.10 | held |"))
  }

  @Test func theVerdictStandsAboveAllElse() throws {
    var report = report()
    #expect(report.render().hasPrefix("# The same springs on other engines\n\n**All 3 claims hold.**\n"))
    let slow = Array(repeating: 1.5, count: 9)
    report.claims[0].parts[0].ratio = Ratio(slow, to: Array(repeating: 1, count: 9))
    report.claims[0].firstParts = report.claims[0].parts
    let text = report.render()
    #expect(text.contains("\n\n**1 of 3 claims missed. A step of this engine ÷ of a bare C loop"))
    #expect(text.contains("y 1.50 [1.50–1.50], x and y 1.10; the limit is ≤ 1.10.**\n"))
    #expect(text.contains("- Measured twice: A step of this engine"))
    report.claims[0].parts[0].ratio = Ratio([1.5], to: [1])
    #expect(report.render().contains("**None of 3 claims is missed, but 1 inconclusive. A step of this engine"))
  }

  @Test func theDocumentHasTheFiguresOfTheReport() throws {
    let report = report()
    let text = try PeersDocument(report, date: Date(timeIntervalSince1970: 0)).json()
    let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    func value(_ keys: String...) -> Any? { keys.reduce(document as Any?) { ($0 as? [String: Any])?[$1] } }
    #expect(document["commit"] as? String == "abc1234" && document["date"] as? String == "1970-01-01T00:00:00Z")
    #expect(value("claims", "bareLoop", "ratios", "oneAxis", "median") as? Double == 1.1)
    #expect(value("claims", "bareLoop", "limit") as? Double == 1.1)
    #expect(value("claims", "bareLoop", "kind") as? String == "atMost")
    #expect(value("claims", "box2D", "verdict") as? String == "held")
    #expect(value("lists", "10000", "frame", "costs", "chipmunkFewest") as? Double == 1_800)
    let ratio = value("lists", "10000", "solve", "ratios", "chipmunkFewest/engineRangeXY", "median") as? Double
    #expect(ratio == 600 / 2.2)
    #expect(document["order"] as? [String] == report.claims.map(\.key))
  }

  @Test func aDebugBuildIsNamedOne() {
    var report = report()
    report.machine.isDebugBuild = true
    #expect(report.render().contains("A debug build: none of the figures mean anything"))
  }

  @Test func whatDidNotRunHasADashAndNoClaim() {
    var report = report()
    report.claims = []
    report.heats = [Race.Heat(size: 50, work: .solve, costs: [.engineRangeY: [1]])]
    let text = squeezed(report.render())
    #expect(!text.contains("What is claimed") && !text.contains("Frames of a scroll"))
    #expect(text.contains("| Box2D, 8/3 iterations | x, y | – |"))
  }

  @Test func thisMachineIsNamed() {
    let machine = Machine.current(core: 2)
    #expect(machine.core == 2 && machine.coreCount > 0 && !machine.vectors.isEmpty)
    #expect(machine.box2DVersion.hasPrefix("2.4") && machine.chipmunkVersion.hasPrefix("7."))
  }
}

@Suite struct PeersCommandTests {
  @Test(arguments: [
    ["--sizes", "0"], ["--sizes", "10,,20"], ["--sizes", "abc"], ["--sizes", "10,10"], ["--sizes", ""],
    ["--sizes", "99999999999999999999"], ["--rounds", "0"], ["--rounds", "-3"], ["--output", ""], ["--json", ""],
    ["--json", "folder/"], ["--output", "folder/"], ["--seed", "-1"], ["--nonsense"],
  ]) func aBadCommandLineIsRefused(arguments: [String]) {
    #expect(throws: (any Error).self) { try PeersCommand.parse(arguments) }
  }

  @Test func anEngineThatStraysEndsTheRunWithExitCodeOne() throws {
    let good = PeerCheck(contestant: .objects, trajectories: [], scroll: ScrollAgreement())
    try PeersCommand.verify([good])
    let bad = PeerCheck(
      contestant: .box2DUsual,
      trajectories: [Trajectory(damping: 0.8, displacements: [100, 100], expected: [100, 91])],
      scroll: ScrollAgreement())
    let error = #expect(throws: PeersError.self) { try PeersCommand.verify([good, bad]) }
    let text = try #require(error?.description)
    #expect(text.contains("Box2D, 8/3 iterations: a spring of damping 0.8 strays 9.00 points"))
    #expect(text.contains("the limit is 4.00"))
    #expect(error.map { PeersCommand.exitCode(for: $0) } == .failure)
    #expect(ExitCode.failure.rawValue == 1)
  }

  @Test func theDefaultsAreTheIssues() throws {
    let command = try PeersCommand.parse([])
    #expect(try command.parsedSizes() == [100, 1_000, 10_000, 100_000])
    #expect(command.output == "results/peers.md")
  }

  @Test func theReportIsWrittenIntoAFolderThatWasNotThere() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("peers-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("new/peers.md")
    let command = try PeersCommand.parse(["--output", file.path])
    try command.write("first, and longer\n", to: command.output, named: "--output")
    try command.write("second\n", to: command.output, named: "--output")
    #expect(try String(contentsOf: file, encoding: .utf8) == "second\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/new") == ["peers.md"])
  }

  @Test func aFileThatCannotBeWrittenIsNamedWithTheRemedy() throws {
    let command = try PeersCommand.parse(["--output", "/proc/nowhere/peers.md"])
    let error = #expect(throws: PeersError.self) { try command.write("text", to: command.output, named: "--output") }
    #expect(error?.description.contains("--output \"/proc/nowhere/peers.md\"") == true)
  }
}
