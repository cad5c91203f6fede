import FrameBench
import Testing

@testable import Formats
@testable import Markup
@testable import Measurements
@testable import Pages

@Suite struct CSVTests {
  @Test(arguments: FormatFixture.allCases) func recordsReadAsTheFlatRows(_ fixture: FormatFixture) throws {
    let records = try parse(try ReportFormat.csv.render(fixture.document))
    #expect(
      records.first == [
        "id", "metric", "phase", "statistic", "value", "unit", "text", "low", "high", "scenario", "strategy", "size",
        "commit", "machine",
      ])
    let rows = FlatRows(fixture.document).rows
    #expect(records.count == rows.count + 1)
    for (record, row) in zip(records.dropFirst(), rows) {
      #expect(record[0] == row.id.description && record[1] == row.metric && record[2] == row.phase ?? "")
      #expect(record[9...11] == [row.id.scenario, row.id.strategy, "\(row.id.size)"])
      #expect(record[12] == row.commit ?? "" && record[13] == row.machine)
      #expect(record[3] == row.statistic.rawValue && record[5] == row.unit)
      switch row.value {
      case .number(let number):
        #expect(number.isFinite ? Double(record[4]) == number : record[4].isEmpty)
        #expect(record[6].isEmpty)
      case .text(let text): #expect(record[4].isEmpty && record[6] == text)
      }
    }
  }

  @Test func aQuoteThatBearsAnAccentIsAQuoteStill() throws {
    var record = Fixtures.minimal.benchmarks[0]
    record.id.strategy = "a\"\u{301},b"
    let records = try parse(try ReportFormat.csv.render(Fixtures.document([record], frameCount: 24)))
    #expect(records[1][0].unicodeScalars.elementsEqual("springs/a\"\u{301},b/50".unicodeScalars))
  }

  private struct Malformed: Error {}

  /// Checks RFC 4180 strictly: every record ends in CR LF and has as many fields as the first one.
  private func parse(_ text: String) throws -> [[String]] {
    var rest = text.unicodeScalars[...]
    var records: [[String]] = []
    var record: [String] = []
    while !rest.isEmpty {
      record.append(rest.first == "\"" ? try quoted(&rest) : plain(&rest))
      if rest.first == "," {
        rest.removeFirst()
        continue
      }
      guard rest.popFirst() == "\r", rest.popFirst() == "\n" else { throw Malformed() }
      guard record.count == records.first?.count ?? record.count else { throw Malformed() }
      records.append(record)
      record = []
    }
    guard record.isEmpty else { throw Malformed() }
    return records
  }

  private func plain(_ rest: inout Substring.UnicodeScalarView) -> String {
    let field = rest.prefix { !"\",\r\n".unicodeScalars.contains($0) }
    rest = rest[field.endIndex...]
    return String(field)
  }

  private func quoted(_ rest: inout Substring.UnicodeScalarView) throws -> String {
    rest.removeFirst()
    var field = ""
    while let scalar = rest.popFirst() {
      if scalar == "\"" {
        guard rest.first == "\"" else { return field }
        rest.removeFirst()
      }
      field.unicodeScalars.append(scalar)
    }
    throw Malformed()
  }
}
