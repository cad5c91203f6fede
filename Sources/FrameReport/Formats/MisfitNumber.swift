import Foundation

/// Finds a number that does not fit the field it stands in: `JSONDecoder` says neither that nor where.
enum MisfitNumber {
  /// Fields whose numbers may have fractions; all others are whole.
  static let fractionalFields: Set<String> = [
    "alignedNanoseconds", "durationSeconds", "largestDistance", "loadAverage", "max", "mean", "meanDistance",
    "p50", "p90", "p99",
    "pairCostNanoseconds", "resolutionNanoseconds",
  ]

  /// Path of the first number that should be a whole one and is not; nil where there is none.
  static func path(in tree: Any) -> String? { path(in: tree, at: "", field: "") }

  private static func path(in tree: Any, at place: String, field: String) -> String? {
    switch tree {
    case let object as [String: Any]:
      for (key, value) in object.sorted(by: { $0.key < $1.key }) {
        let inner = place.isEmpty ? key : "\(place).\(key)"
        if let path = path(in: value, at: inner, field: key) { return path }
      }
      return nil
    case let array as [Any]:
      for (index, value) in array.enumerated() {
        if let path = path(in: value, at: "\(place)[\(index)]", field: field) { return path }
      }
      return nil
    case let number as NSNumber where !fractionalFields.contains(field):
      let limit = field == "seed" ? 0x1p64 : 0x1p63
      let value = number.doubleValue
      return value == value.rounded() && value < limit && value >= -0x1p63 ? nil : place
    default:
      return nil
    }
  }
}
