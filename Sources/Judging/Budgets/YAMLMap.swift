import Foundation
import TextFormat
import Yams

/// A mapping whose keys are known beforehand.
struct YAMLMap {
  let pairs: [(key: Node, value: Node)]
  private let node: Node
  private let name: String
  private let path: String

  /// - Parameter keys: The only ones that may occur; nil for any.
  init(_ node: Node, called name: String, keys: [String]?, path: String) throws(BudgetError) {
    guard let mapping = node.mapping else {
      throw BudgetError(
        path: path, place: node.place,
        message: "\(name) is \(node.shown); write keys and values, as in key: value")
    }
    pairs = mapping.map { ($0.key, $0.value) }
    (self.node, self.name, self.path) = (node, name, path)
    guard let keys else { return }
    for (key, _) in pairs where !keys.contains(key.string ?? "") {
      let remedy = Suggestion.remedy(for: key.string ?? "", among: keys, called: "the keys of \(name) are")
      throw BudgetError(path: path, place: key.place, message: "unknown key \(key.shown); \(remedy)")
    }
  }

  subscript(key: String) -> Node? { pairs.first { $0.key.string == key }?.value }

  func required(_ key: String, _ meaning: String) throws(BudgetError) -> Node {
    guard let value = self[key], !value.isNothing else {
      throw BudgetError(
        path: path, place: node.place, message: "\(name) lacks \"\(key)\": \(meaning)")
    }
    return value
  }
}

extension Node {
  /// Nothing stands behind the colon.
  var isNothing: Bool { scalar.map { $0.style == .plain && ["", "~", "null"].contains($0.string) } ?? false }

  var place: Place { mark.map { Place(line: $0.line, column: $0.column) } ?? Place(line: 1, column: 1) }

  /// As a message names it.
  var shown: String {
    switch self {
    case .scalar(let scalar): "\"\(scalar.string)\""
    case .mapping: "a mapping"
    case .sequence: "a list"
    case .alias: "an alias"
    }
  }
}

extension BudgetError {
  /// The parser's own errors, in a line.
  init(path: String, _ error: YamlError, in text: String) {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      self.init(
        path: path, place: Place(line: mark.line, column: mark.column),
        message: "this is not YAML: \(problem.trimmingCharacters(in: .whitespacesAndNewlines)); "
          + "check indentation, colons and quotes")
    case .duplicatedKeysInMapping(let duplicates, let context):
      let start = Place(line: context.mark.line, column: context.mark.column)
      let key = duplicates.first ?? ""
      self.init(
        path: path, place: Self.second(key, in: text, from: start) ?? start,
        message: "\"\(key)\" occurs more than once; remove one")
    default:
      let text = error.description.split(whereSeparator: \.isNewline).joined(separator: " ")
      self.init(path: path, place: nil, message: "this is not YAML: \(text); check the file")
    }
  }

  /// Where a key stands for the second time; the parser tells only where its mapping begins.
  private static func second(_ key: String, in text: String, from start: Place) -> Place? {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let found = lines.indices.dropFirst(start.line - 1).filter { index in
      let line = lines[index].drop { $0 == " " || $0 == "-" }
      return [key, "\"\(key)\"", "'\(key)'"].contains { line.hasPrefix($0 + ":") }
        && lines[index].count - line.count == start.column - 1
    }
    return found.dropFirst().first.map { Place(line: $0 + 1, column: start.column) }
  }
}
