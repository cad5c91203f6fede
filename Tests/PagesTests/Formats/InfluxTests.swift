import FrameBench
import Testing

@testable import Formats
@testable import Markup
@testable import Measurements
@testable import Pages

@Suite struct InfluxTests {
  @Test(arguments: FormatFixture.allCases) func everyLineIsAPointOfTheLineProtocol(_ fixture: FormatFixture) throws {
    let text = try ReportFormat.influx.render(fixture.document)
    let points = try text.split(separator: "\n").map { try LinePoint(parsing: $0) }
    for point in points {
      #expect(["springbench_frame", "springbench_phase"].contains(point.measurement))
      #expect(point.tags.map(\.0) == point.tags.map(\.0).sorted())
      #expect(point.timestamp == 1_795_243_632_000_000_000)
      #expect(Set(point.fields.map(\.0)).count == point.fields.count, "a field stands twice")
    }
    #expect(Set(points.map(\.series)).count == points.count, "two points overwrite each other")
    #expect(points.isEmpty == fixture.document.benchmarks.isEmpty)
  }

  @Test func everyFigureOfTheFlatRowsIsThere() throws {
    let document = Fixtures.twins
    let points = try ReportFormat.influx.render(document).split(separator: "\n").map { try LinePoint(parsing: $0) }
    #expect(points.reduce(0) { $0 + $1.fields.count } == FlatRows(document).rows.count)
  }

  @Test func tagsAndFieldsReadAsTheyWereWritten() throws {
    let text = try ReportFormat.influx.render(Fixtures.fewFrames)
    let point = try LinePoint(parsing: try #require(text.split(separator: "\n").first))
    let tags = Dictionary(uniqueKeysWithValues: point.tags)
    #expect(
      tags == [
        "build": "release", "items": "100", "machine": "amd-epyc-4c", "scenario": "springs", "strategy": "naive",
        "suite": "springs",
      ])
    let fields = Dictionary(uniqueKeysWithValues: point.fields)
    #expect(fields["activeItems_total"] == .integer(2_400))
    #expect(fields["activeItems_mean"] == .float(100))
    #expect(fields["checksum_total"] == .string(Fixtures.naive(100).checksum))
  }

  @Test func aFieldHasTheSameTypeInEveryDocument() throws {
    var types: [String: String] = [:]
    var whole = Fixtures.maximal
    whole.benchmarks[0].deviation?.largestDistance = 3
    for document in [Fixtures.maximal, whole, Fixtures.troubled, Fixtures.fewFrames] {
      for line in try ReportFormat.influx.render(document).split(separator: "\n") {
        for (name, value) in try LinePoint(parsing: line).fields {
          #expect(types[name, default: value.type] == value.type, "\(name)")
          types[name] = value.type
        }
      }
    }
    #expect(types.count > 30)
  }

  @Test func aDocumentWithoutATimeIsRefused() {
    var document = Fixtures.minimal
    document.startedAt = "yesterday"
    #expect(throws: RunDocumentError.self) { try ReportFormat.influx.render(document) }
  }
}

/// A point of the line protocol, read as strictly as docs.influxdata.com describes it. A backslash escapes commas,
/// equals signs and spaces, and does not occur elsewhere.
private struct LinePoint {
  enum Value: Hashable {
    case float(Double)
    case integer(Int)
    case string(String)

    var type: String {
      switch self {
      case .float: "float"
      case .integer: "integer"
      case .string: "string"
      }
    }
  }

  struct Malformed: Error { var reason: String }

  var measurement: String
  var tags: [(String, String)] = []
  var fields: [(String, Value)] = []
  var timestamp: Int
  /// The measurement and the tags, which distinguish points of the same time.
  var series: String

  init(parsing line: Substring) throws {
    guard line.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else { throw Malformed(reason: "a control character") }
    var rest = line.unicodeScalars[...]
    measurement = try Self.key(&rest)
    while rest.first == "," {
      rest.removeFirst()
      let name = try Self.key(&rest)
      guard rest.popFirst() == "=" else { throw Malformed(reason: "tag \(name) has no value") }
      tags.append((name, try Self.key(&rest)))
    }
    series = String(line.unicodeScalars[..<rest.startIndex])
    repeat {
      guard let mark = rest.popFirst(), mark == (fields.isEmpty ? " " : ",") else {
        throw Malformed(reason: "no fields in \(line)")
      }
      let name = try Self.key(&rest)
      guard rest.popFirst() == "=" else { throw Malformed(reason: "field \(name) has no value") }
      fields.append((name, try Self.value(&rest)))
    } while rest.first == ","
    guard rest.popFirst() == " ", let time = Int(String(rest)) else { throw Malformed(reason: "no timestamp") }
    timestamp = time
  }

  private static func key(_ rest: inout Substring.UnicodeScalarView) throws -> String {
    var text = ""
    while let scalar = rest.first, !",= ".unicodeScalars.contains(scalar) {
      rest.removeFirst()
      if scalar == "\\" {
        guard let escaped = rest.popFirst(), ",= ".unicodeScalars.contains(escaped) else {
          throw Malformed(reason: "a backslash that escapes nothing")
        }
        text.unicodeScalars.append(escaped)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    guard !text.isEmpty else { throw Malformed(reason: "an empty key") }
    return text
  }

  private static func value(_ rest: inout Substring.UnicodeScalarView) throws -> Value {
    if rest.first == "\"" { return .string(try quoted(&rest)) }
    let text = String(rest.prefix { $0 != "," && $0 != " " })
    rest = rest.dropFirst(text.unicodeScalars.count)
    if text.hasSuffix("i"), let integer = Int(text.dropLast()) { return .integer(integer) }
    guard let number = Double(text), number.isFinite, text.first.map({ "-0123456789".contains($0) }) == true else {
      throw Malformed(reason: "\(text) is no value")
    }
    return .float(number)
  }

  private static func quoted(_ rest: inout Substring.UnicodeScalarView) throws -> String {
    rest.removeFirst()
    var text = ""
    while let scalar = rest.popFirst(), scalar != "\"" {
      guard let next = scalar == "\\" ? rest.popFirst() : scalar else { break }
      text.unicodeScalars.append(next)
    }
    return text
  }
}
