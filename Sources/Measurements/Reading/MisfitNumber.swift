import Foundation

/// Finds a number that does not fit its field: `JSONDecoder` says neither what is wrong nor where.
enum MisfitNumber {
  /// Fields whose numbers may have fractions; all others are whole.
  static let fractionalFields: Set<String> = [
    "budgetNanoseconds", "budgetShare", "passSecondsLimit", "fastest", "hitchTimeRatio", "layoutSpread",
    "p50Nanoseconds",
    "p99Nanoseconds",
    "precision", "share",
    "slowest",
    "alignedNanoseconds", "durationSeconds", "largestDistance", "loadAverage", "max", "mean", "meanDistance",
    "p50", "p90", "p99",
    "pairCostNanoseconds", "resolutionNanoseconds",
  ]

  /// Path of the first number that should be whole and is not; nil if there is none.
  static func path(in tree: Any) -> String? {
    path(in: tree, at: "", field: "") { value, field in
      guard let number = value as? NSNumber, !fractionalFields.contains(field) else { return false }
      let limit = field == "seed" ? 0x1p64 : 0x1p63
      let value = number.doubleValue
      return value != value.rounded() || value >= limit || value < -0x1p63
    }
  }

  /// Path of a number that no parser accepts, such as 1e400; nil if it is not in the data.
  static func path(ofLiteral literal: String, in data: Data) -> String? {
    let text = String(decoding: data, as: UTF8.self)
    for range in text.ranges(of: literal) {
      // Replaces the number by a unique string, so that the rest can be parsed.
      let mark = "a number was here: \(UUID())"
      guard
        let tree = try? JSONSerialization.jsonObject(
          with: Data(text.replacingCharacters(in: range, with: "\"\(mark)\"").utf8)),
        let path = path(in: tree, at: "", field: "", where: { value, _ in value as? String == mark })
      else { continue }
      return path
    }
    return nil
  }

  private static func path(
    in tree: Any, at place: String, field: String, where isSought: (Any, String) -> Bool
  ) -> String? {
    switch tree {
    case let object as [String: Any]:
      for (key, value) in object.sorted(by: { $0.key < $1.key }) {
        let inner = place.isEmpty ? key : "\(place).\(key)"
        if let path = path(in: value, at: inner, field: key, where: isSought) { return path }
      }
      return nil
    case let array as [Any]:
      for (index, value) in array.enumerated() {
        if let path = path(in: value, at: "\(place)[\(index)]", field: field, where: isSought) { return path }
      }
      return nil
    default:
      return isSought(tree, field) ? place : nil
    }
  }
}
