/// Holm's correction for many tests: the probability of any false alarm among them stays below the level,
/// however the tests depend on each other.
///
/// Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of
/// Statistics 6 (1979).
public enum Holm {
  /// Adjusted p-values in the order of the given ones: a test is significant at family level α where its
  /// adjusted value is at most α.
  public static func adjusted(_ pValues: [Double]) -> [Double] {
    precondition(pValues.allSatisfy { (0...1).contains($0) }, "p-values of \(pValues)")
    let order = pValues.indices.sorted { pValues[$0] < pValues[$1] }
    var adjusted = pValues
    var largest = 0.0
    for (rank, index) in order.enumerated() {
      largest = max(largest, min(1, pValues[index] * Double(pValues.count - rank)))
      adjusted[index] = largest
    }
    return adjusted
  }
}
