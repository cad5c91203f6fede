import Foundation
import FrameBench

@testable import Measurements

/// One step into a tree of `JSONSerialization`.
enum JSONStep: Hashable {
  case field(String)
  case index(Int)

  var isField: Bool { if case .field = self { true } else { false } }
}

/// Every place in a tree, in a fixed order; of lists only the first two items.
struct JSONPaths {
  private(set) var all: [[JSONStep]] = []

  init(_ tree: Any) { visit(tree, []) }

  /// Names of fields, without those of counters, which are not fields.
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

/// The parts of a value that are empty, found by reflection: a field that somebody adds is found too.
enum Absent {
  /// Paths of optionals that are nil and of lists that are empty.
  static func paths(in value: Any, at path: String = "") -> [String] {
    // They are text there.
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
