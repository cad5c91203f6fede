import Foundation
import FrameBench
import JSONSchemaCheck
import Testing

@testable import FrameReport

/// `docs/run.schema.json` and `docs/run-schema.md` against the documents that are written and read.
@Suite struct RunSchemaTests {
  private let schema: JSONSchema
  private let page: String

  init() throws {
    let docs =
      URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
      .dropFirst() + "/docs/"
    schema = try JSONSchema(try Data(contentsOf: URL(fileURLWithPath: docs + "run.schema.json")))
    page = try String(contentsOfFile: docs + "run-schema.md", encoding: .utf8)
  }

  @Test(arguments: FormatFixture.storable)
  func writtenDocumentsAreValid(_ fixture: FormatFixture) throws {
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
    for object in objects {
      #expect(object.isClosed, "\(object.place) takes additional properties")
    }
  }

  @Test func aFieldIsRequiredExactlyWhereADocumentWithoutItIsRefused() throws {
    let tree = try JSONSerialization.jsonObject(with: try Fixtures.maximal.encoded())
    for path in JSONPaths(tree).all where path.last?.isField == true && !path.contains(.field("counters")) {
      let mutated = try JSONSerialization.data(withJSONObject: path.removed(from: tree))
      let isValid = try schema.violations(in: mutated).isEmpty
      let isRead = (try? RunDocument(contentsOf: mutated)) != nil
      #expect(isValid == isRead, "without \(path.text)")
    }
  }

  @Test func whatIsOfTheWrongTypeIsInvalidAndRefused() throws {
    let tree = try JSONSerialization.jsonObject(with: try Fixtures.maximal.encoded())
    for path in JSONPaths(tree).all where path.count < 7 {
      let wrong: Any = path.value(in: tree) is [String: Any] ? "text" : ["wrong": true]
      let mutated = try JSONSerialization.data(withJSONObject: path.replaced(in: tree, by: wrong))
      #expect(try !schema.violations(in: mutated).isEmpty, "\(path.text)")
      #expect(throws: RunDocumentError.self, "\(path.text)") { try RunDocument(contentsOf: mutated) }
    }
  }

  @Test func negativeNumbersAreInvalidAndRefused() throws {
    let tree = try JSONSerialization.jsonObject(with: try Fixtures.maximal.encoded())
    for path in JSONPaths(tree).all where path.value(in: tree) is NSNumber {
      guard !path.contains(.field("counters")), path.last != .field("isDirty"),
        path.last != .field("isVirtualMachine")
      else { continue }
      let mutated = try JSONSerialization.data(withJSONObject: path.replaced(in: tree, by: -3))
      #expect(try !schema.violations(in: mutated).isEmpty, "\(path.text)")
      #expect(throws: RunDocumentError.self, "\(path.text)") { try RunDocument(contentsOf: mutated) }
    }
  }

  @Test func thePageDescribesEveryFieldAsTheSchemaDoes() {
    for object in objects {
      for field in object.fields {
        let mark = object.required.contains(field) ? "" : " (optional)"
        let line = page.split(separator: "\n").first {
          $0.hasPrefix("| `\(field)`\(mark) |") && $0.hasSuffix("| \(object.descriptions[field] ?? "?") |")
        }
        #expect(
          line != nil, "docs/run-schema.md does not say of \(object.place).\(field) what the schema says")
      }
    }
  }

  @Test func theReaderKnowsWhichNumbersMayHaveFractions() {
    let fractional = objects.flatMap { object in object.fields.filter { object.fractional.contains($0) } }
    #expect(Set(fractional) == MisfitNumber.fractionalFields)
  }

  @Test func theSchemaIsOfTheVersionThatIsWritten() {
    let version = (schema.root["properties"] as? [String: [String: Any]])?["schemaVersion"]?["const"] as? Int
    #expect(version == RunDocument.currentSchemaVersion)
  }

  @Test(
    arguments: [
      #"{"type": "object", "propertyNames": {}}"#, #"{"type": "text"}"#, ##"{"$ref": "#/$defs/none"}"##,
      #"{"properties": {"a": {"items": {"maximum": 3}}}}"#, #"{"$defs": {"a": {"enum": [1]}}}"#, "[]",
      #"{"additionalProperties": true}"#, #"{"prefixItems": [{"format": "date"}]}"#,
    ])
  func aSchemaThatTheValidatorDoesNotUnderstandIsRefused(_ text: String) {
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

  /// All descriptions of objects, the document's own first.
  private var objects: [SchemaObject] {
    let definitions = schema.root["$defs"] as? [String: [String: Any]] ?? [:]
    let named =
      [("document", schema.root)] + definitions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return named.filter { $0.1["type"] as? String == "object" }.map { place, object in
      let properties = object["properties"] as? [String: [String: Any]] ?? [:]
      return SchemaObject(
        place: place, fields: properties.keys.sorted(), required: object["required"] as? [String] ?? [],
        isClosed: object["additionalProperties"] as? Bool == false,
        descriptions: properties.compactMapValues { $0["description"] as? String },
        fractional: Set(
          properties.filter {
            (($0.value["items"] as? [String: Any]) ?? $0.value)["type"] as? String == "number"
          }
          .keys))
    }
  }
}
