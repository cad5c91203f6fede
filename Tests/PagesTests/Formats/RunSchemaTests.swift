import Foundation
import FrameBench
import JSONSchemaCheck
import Testing

@testable import Markup
@testable import Measurements
@testable import Pages

/// Checks `docs/run.schema.json` and `docs/run-schema.md` against the documents that the program writes and reads.
@Suite struct RunSchemaTests {
  private let schema: JSONSchema
  private let page: String

  init() throws {
    let docs = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst() + "/docs/"
    schema = try JSONSchema(try Data(contentsOf: URL(fileURLWithPath: docs + "run.schema.json")))
    page = try String(contentsOfFile: docs + "run-schema.md", encoding: .utf8)
  }

  @Test(arguments: FormatFixture.storable) func writtenDocumentsAreValid(_ fixture: FormatFixture) throws {
    #expect(try schema.violations(in: fixture.document.encoded()) == [])
  }

  @Test func theSmallestDocumentIsValid() throws {
    #expect(try schema.violations(in: Fixtures.minimal.encoded()) == [])
  }

  @Test func everyFieldOfADocumentIsInTheSchemaAndTheOtherWayRound() throws {
    #expect(Absent.paths(in: Fixtures.maximal) == [], "Fixtures.maximal lacks a field: set it there")
    let data = try Fixtures.maximal.encoded()
    #expect(try schema.violations(in: data) == [], "add the field to docs/run.schema.json")
    let tree = try JSONSerialization.jsonObject(with: data)
    let written = Set(JSONPaths(tree).fields)
    #expect(Set(objects.flatMap(\.fields)).subtracting(written) == [], "the schema has a field too many")
  }

  @Test func anUnknownFieldIsInvalidEverywhere() {
    #expect(objects.count > 10)
    for object in objects { #expect(object.isClosed, "\(object.place) takes additional properties") }
  }

  @Test func aFieldIsRequiredExactlyWhereADocumentWithoutItIsRefused() throws {
    let tree = try JSONSerialization.jsonObject(with: try Fixtures.maximal.encoded())
    var required = Set<String>()
    for path in JSONPaths(tree).all where path.last?.isField == true && !path.contains(.field("counters")) {
      let mutated = try JSONSerialization.data(withJSONObject: path.removed(from: tree))
      let isValid = try schema.violations(in: mutated).isEmpty
      let isRead = (try? RunDocument(contentsOf: mutated)) != nil
      #expect(isValid == isRead, "without \(path.text)")
      if !isRead { required.insert(path.text) }
    }
    #expect(required.isSuperset(of: ["suite", "benchmarks[0].frame.pooled.p99"]))
    #expect(!required.contains("environment.cpuModel"), "it is optional")
  }

  @Test func whatIsOfTheWrongTypeIsInvalidAndRefused() throws {
    let tree = try JSONSerialization.jsonObject(with: try Fixtures.maximal.encoded())
    let paths = JSONPaths(tree).all.filter { $0.count < 7 }
    #expect(paths.count > 100)
    for path in paths {
      let wrong: Any = path.value(in: tree) is [String: Any] ? "text" : ["wrong": true]
      let mutated = try JSONSerialization.data(withJSONObject: path.replaced(in: tree, by: wrong))
      #expect(try !schema.violations(in: mutated).isEmpty, "\(path.text)")
      #expect(throws: RunDocumentError.self, "\(path.text)") { try RunDocument(contentsOf: mutated) }
    }
  }

  @Test func negativeNumbersAreRefusedExactlyWhereTheyAreInvalid() throws {
    let tree = try JSONSerialization.jsonObject(with: try Fixtures.maximal.encoded())
    var refused = Set<String>()
    for path in JSONPaths(tree).all where path.value(in: tree) is NSNumber {
      let mutated = try JSONSerialization.data(withJSONObject: path.replaced(in: tree, by: -3))
      let isValid = try schema.violations(in: mutated).isEmpty
      let isRead = (try? RunDocument(contentsOf: mutated)) != nil
      #expect(isValid == isRead, "\(path.text)")
      if !isRead { refused.insert(path.text) }
    }
    #expect(refused.isSuperset(of: ["durationSeconds", "benchmarks[0].frame.pooled.p99"]))
    #expect(!refused.contains("benchmarks[0].counters.tileChurn[0][0]"), "a scenario may count below 0")
  }

  @Test func thePageDescribesEveryFieldAsTheSchemaDoes() {
    for object in objects {
      for field in object.fields {
        let mark = object.required.contains(field) ? "" : " (optional)"
        let line = page.split(separator: "\n").first {
          $0.hasPrefix("| `\(field)`\(mark) |") && $0.hasSuffix("| \(object.descriptions[field] ?? "?") |")
        }
        #expect(line != nil, "docs/run-schema.md does not say of \(object.place).\(field) what the schema says")
      }
    }
  }

  @Test func theReaderKnowsWhichNumbersMayHaveFractions() {
    let fractional = objects.flatMap { object in object.fields.filter { object.fractional.contains($0) } }
    #expect(Set(fractional).isSubset(of: RunDocumentCheck.fractions.keys))
  }

  @Test func theSchemaIsOfTheVersionThatIsWritten() {
    let version = (schema.root["properties"] as? [String: [String: Any]])?["schemaVersion"]?["const"] as? Int
    #expect(version == RunDocument.currentSchemaVersion)
  }

  @Test(arguments: [
    #"{"type": "object", "propertyNames": {}}"#, #"{"type": "text"}"#, ##"{"$ref": "#/$defs/none"}"##,
    #"{"properties": {"a": {"items": {"multipleOf": 3}}}}"#, #"{"$defs": {"a": {"oneOf": []}}}"#, "[]",
    #"{"additionalProperties": true}"#, #"{"prefixItems": [{"format": "date"}]}"#,
  ]) func aSchemaThatTheValidatorDoesNotUnderstandIsRefused(_ text: String) {
    #expect(throws: (any Error).self) { try JSONSchema(Data(text.utf8)) }
  }

  private struct SchemaObject {
    var place: String
    var fields: [String]
    var required: [String]
    var isClosed: Bool
    var descriptions: [String: String]
    var fractional: Set<String>
  }

  /// All descriptions of objects in the schema. The first one describes the document.
  private var objects: [SchemaObject] {
    let definitions = schema.root["$defs"] as? [String: [String: Any]] ?? [:]
    let named = [("document", schema.root)] + definitions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return named.filter { $0.1["type"] as? String == "object" }.map { place, object in
      let properties = object["properties"] as? [String: [String: Any]] ?? [:]
      return SchemaObject(
        place: place, fields: properties.keys.sorted(), required: object["required"] as? [String] ?? [],
        isClosed: object["additionalProperties"] as? Bool == false,
        descriptions: properties.compactMapValues { $0["description"] as? String },
        fractional: Set(
          properties.filter { (($0.value["items"] as? [String: Any]) ?? $0.value)["type"] as? String == "number" }.keys)
      )
    }
  }
}

@Suite struct JSONSchemaTests {
  @Test(arguments: [
    (#"{"type": "integer"}"#, "3", "3.5"), (#"{"type": "integer"}"#, "3.0", "true"),
    (#"{"type": "boolean"}"#, "true", "1"), (#"{"type": "number"}"#, "0.5", "false"),
    (#"{"type": "string"}"#, "\"\"", "null"), (#"{"const": 1}"#, "1", "2"),
    (#"{"enum": ["a", "b"]}"#, "\"b\"", "\"c\""), (#"{"pattern": "^a+$"}"#, "\"aa\"", "\"ab\""),
    (#"{"minimum": 0}"#, "0", "-1"), (#"{"exclusiveMinimum": 0}"#, "0.1", "0"), (#"{"maximum": 1}"#, "1", "1.5"),
    (#"{"minItems": 1}"#, "[1]", "[]"), (#"{"maxItems": 1}"#, "[1]", "[1, 2]"),
    (#"{"items": {"type": "string"}}"#, "[\"a\"]", "[\"a\", 1]"),
    (#"{"prefixItems": [{"minimum": 0}], "items": {"minimum": 1}}"#, "[0, 1]", "[0, 0]"),
    (#"{"required": ["a"]}"#, #"{"a": 1}"#, "{}"),
    (#"{"properties": {"a": {"type": "string"}}}"#, #"{"a": "", "b": 1}"#, #"{"a": 1}"#),
    (#"{"properties": {"a": {}}, "additionalProperties": false}"#, #"{"a": 1}"#, #"{"b": 1}"#),
    (#"{"additionalProperties": {"type": "string"}}"#, #"{"a": ""}"#, #"{"a": 1}"#),
    (##"{"$ref": "#/$defs/a", "$defs": {"a": {"minimum": 0}}}"##, "0", "-1"),
  ]) func everyKeywordTellsValidFromInvalid(_ text: String, _ valid: String, _ invalid: String) throws {
    let schema = try JSONSchema(Data(text.utf8))
    #expect(try schema.violations(in: Data(valid.utf8)) == [])
    #expect(try schema.violations(in: Data(invalid.utf8)).count == 1)
  }
}
