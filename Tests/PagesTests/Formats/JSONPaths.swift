import Foundation
import FrameBench

@testable import Measurements

/// One step of a path into a tree of `JSONSerialization`.
enum JSONStep: Hashable {
  case field(String)
  case index(Int)

  var isField: Bool { if case .field = self { true } else { false } }
}

/// The paths to all places in a tree, in a fixed order. Only the first two items of a list are visited.
struct JSONPaths {
  private(set) var all: [[JSONStep]] = []

  init(_ tree: Any) { visit(tree, []) }

  /// The names of fields. Names of counters are excluded, because they are data.
  var fields: [String] {
    all.filter { !$0.dropLast().contains(.field("counters")) }.compactMap { path in
      if case .field(let name)? = path.last { name } else { nil }
    }
  }

  private mutating func visit(_ tree: Any, _ path: [JSONStep]) {
    if !path.isEmpty { all.append(path) }
    if let object = tree as? [String: Any] {
      for key in object.keys.sorted() { object[key].map { visit($0, path + [.field(key)]) } }
    } else if let array = tree as? [Any] {
      for (index, item) in array.prefix(2).enumerated() { visit(item, path + [.index(index)]) }
    }
  }
}

extension [JSONStep] {
  var text: String {
    reduce("") { text, step in
      switch step {
      case .field(let name): text.isEmpty ? name : "\(text).\(name)"
      case .index(let index): "\(text)[\(index)]"
      }
    }
  }

  func value(in tree: Any) -> Any? {
    guard let first else { return tree }
    let inner: Any? =
      switch first {
      case .field(let name): (tree as? [String: Any])?[name]
      case .index(let index): (tree as? [Any])?[index]
      }
    return inner.flatMap { Array(dropFirst()).value(in: $0) }
  }

  func removed(from tree: Any) -> Any { changed(tree) { _ in nil } ?? tree }

  func replaced(in tree: Any, by value: Any) -> Any { changed(tree) { _ in value } ?? tree }

  private func changed(_ tree: Any, _ change: (Any) -> Any?) -> Any? {
    guard let first else { return change(tree) }
    let rest = Array(dropFirst())
    switch first {
    case .field(let name):
      guard var object = tree as? [String: Any], let inner = object[name] else { return tree }
      object[name] = rest.changed(inner, change)
      return object
    case .index(let index):
      guard var array = tree as? [Any], array.indices.contains(index) else { return tree }
      if let inner = rest.changed(array[index], change) { array[index] = inner } else { array.remove(at: index) }
      return array
    }
  }
}

/// Finds the empty parts of a value by reflection, so fields that are added later are covered.
enum Absent {
  /// Returns the paths of optionals that are nil and of lists that are empty.
  static func paths(in value: Any, at path: String = "") -> [String] {
    // The JSON of these two types does not contain their fields.
    if value is CountSeries || value is BenchmarkID { return [] }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional { return mirror.children.first.map { paths(in: $0.value, at: path) } ?? [path] }
    let isList = mirror.displayStyle == .collection || mirror.displayStyle == .dictionary
    if isList && mirror.children.isEmpty { return [path] }
    return mirror.children.enumerated().prefix(isList ? 1 : .max).flatMap { index, child in
      paths(in: child.value, at: path + "." + (child.label ?? String(index)))
    }
  }
}
