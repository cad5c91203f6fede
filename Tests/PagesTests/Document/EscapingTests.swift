import Foundation
import Statistics
import Testing

@testable import Formats
@testable import Markup
@testable import Pages
@testable import TextFormat

/// Tests that generated names with special characters do no harm in any output that other programs read.
@Suite struct EscapingTests {
  private static let pieces =
    Array("\\'\"`$*_[]()<>&|#@!:;,%=+-~/.{}^? \t").map(String.init) + [
      "\n", "\r", "\r\n", "\u{1B}[2J", "\u{1B}]0;t\u{07}", "\u{9B}31m", "\u{301}", "\u{200D}", "é", "🌀", "a", "7", "=1",
      "@team", "#12", "GH-3", "https://x.org", "www.x.org", "![i](http://x)", "<img src=x>", "<!--", "-->", "```",
      "::error::x", "##[error]x", "$(id)", "';id;'", "\n::add-mask::x\n", "</summary>",
    ]

  /// Generated names, which are the same in every run of the tests.
  private static let names: [String] = {
    var generator = SplitMix64(seed: 18)
    return (0..<3_000).map { _ in
      (0..<Int.random(in: 1...9, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }
  }()

  @Test func anAddressDoesNotMoveWhenANameIsAdded() {
    func files(_ names: [String]) -> [String: String] {
      var files = FileNames()
      return Dictionary(uniqueKeysWithValues: names.map { ($0, files.next($0)) })
    }
    let (before, after) = (files(["добавить", "удалить"]), files(["вставить", "добавить", "удалить"]))
    #expect(before == after.filter { before.keys.contains($0.key) })
    #expect(Set(after.values).count == 3 && after.values.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    #expect(files(["list/tiled"]) == ["list/tiled": "list-tiled"])
    #expect(HTMLRenderer.anchor("добавить") != HTMLRenderer.anchor("удалить"))
    #expect(HTMLRenderer.anchor("Growth and headroom") == "s-growth-and-headroom")
  }

  @Test func aShellReadsBackWhatWasQuoted() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "printf '%s\\0' \(ShellWord.quoted(Self.names))"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let words = data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    #expect(words.map { Array($0.utf8) } == Self.names.map { Array($0.utf8) })
  }

  @Test func whatIsPastedIsOneLineAndSteersNoTerminal() {
    let controls = ShellWord.quoted(Self.names).unicodeScalars.filter { $0.properties.generalCategory == .control }
    #expect(controls.isEmpty)
  }

  @Test func anExpressionOfANameMatchesItAlone() throws {
    for name in Self.names.prefix(300) {
      let expression = try Regex(RegexText.whole(name)).matchingSemantics(.unicodeScalar)
      #expect(name.wholeMatch(of: expression) != nil, "\(name.debugDescription)")
    }
  }

  @Test func aTerminalAndAJobObeyNothing() {
    for name in Self.names {
      let text = TerminalText.safe("a \(name)\n\(name)\n", keepsColor: false, isWorkflow: true)
      for line in text.unicodeScalars.split(separator: "\n") {
        #expect(!line.contains { $0.properties.generalCategory == .control && $0 != "\t" && $0 != "\r" })
        #expect(!line.drop { $0.properties.isWhitespace }.starts(with: "::".unicodeScalars))
        #expect(!line.indices.contains { line[$0...].starts(with: "##[".unicodeScalars) })
      }
    }
    #expect(
      TerminalText.safe("\u{1B}[1;31mred\u{1B}[0m\u{1B}[2J", keepsColor: true, isWorkflow: false)
        == "\u{1B}[1;31mred\u{1B}[0m [2J")
    #expect(TerminalText.safe("::x\n a::b", keepsColor: false, isWorkflow: false) == "::x\n a::b")
  }

  @Test func workflowCommandsAreOneLineEach() {
    for name in Self.names {
      let command = WorkflowCommand(title: name, message: name, path: name, line: 1)
      let lines = WorkflowCommand.render(errors: [command], warnings: []) { _ in command }.unicodeScalars.split(
        separator: "\n")
      #expect(lines.count == 1 && lines[0].starts(with: "::error file=".unicodeScalars))
      #expect(!lines[0].contains("\r") && !lines[0].contains("\u{1B}"))
    }
  }

  @Test func aSpreadsheetComputesNoCell() {
    for name in Self.names {
      let line = CSVText.line([name])
      let cell = line.unicodeScalars.first == "\"" ? line.unicodeScalars.dropFirst() : line.unicodeScalars[...]
      if let first = cell.first, Double(name) == nil { #expect(!"=+-@\t\r".unicodeScalars.contains(first)) }
    }
    #expect(CSVText.line(["-1.5", "+3", "-x", "=1+1"]) == "-1.5,+3,'-x,'=1+1\r\n")
  }

  @Test func plainTextOfMarkdownIsNothingElse() {
    for name in Self.names {
      let lines = [Block.paragraph(.text(name)), .list([.text(name)])].markdown()
      // A special character after a backslash is plain text, so it does not count.
      let rest = lines.replacing(#/\\[!-\/:-@\[-`{-~]/#.matchingSemantics(.unicodeScalar), with: "\u{B7}")
      let scalars = rest.unicodeScalars
      #expect(!scalars.contains { "`*[]$".unicodeScalars.contains($0) }, "\(rest.debugDescription)")
      let link = #/<[A-Za-z!\/?]|@[A-Za-z0-9]|#[0-9]|:\/\/|www\./#.matchingSemantics(.unicodeScalar)
      #expect(rest.firstMatch(of: link) == nil, "\(rest.debugDescription)")
      #expect(!scalars.contains("\r") && !scalars.contains("\u{1B}"))
    }
  }

  @Test func aSummaryAndACellStayInTheirPlace() {
    for name in Self.names {
      let table = Table([RichText.text(name), .code(name)], [.left("a") { $0 }])
      let text = [Block.details(summary: name, [.table(table)])].markdown()
      let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == 10, "\(text.debugDescription)")
      #expect(String(lines[1]).components(separatedBy: "</summary>").count == 2)
    }
  }
}
