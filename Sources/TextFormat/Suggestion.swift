/// Suggests what the user may have meant.
package enum Suggestion {
  /// Returns the known word nearest to `word`, if a typing error explains the difference: one letter, or up to a third
  /// of the known word's letters. Otherwise returns the first known word that begins with `word` and a slash. Nil if
  /// there is none.
  package static func nearest(to word: String, among known: [String]) -> String? {
    let scored = known.map { ($0, distance(word.lowercased(), $0.lowercased())) }
    guard let best = scored.min(by: { $0.1 < $1.1 }), best.1 <= max(1, best.0.count / 3) else {
      return known.first { $0.hasPrefix(word + "/") }
    }
    return best.0
  }

  /// Returns the list of known words, preceded by "did you mean …?" if one of them is near.
  package static func remedy(for word: String, among known: [String], called name: String) -> String {
    let all = "\(name): \(known.joined(separator: ", "))"
    return nearest(to: word, among: known).map { "did you mean \"\($0)\"? \(all)" } ?? all
  }

  /// Returns the distance of Damerau and Levenshtein: how many letters to insert, delete, replace or swap with a
  /// neighbor. No letter is swapped twice.
  package static func distance(_ left: String, _ right: String) -> Int {
    let a = Array(left)
    let b = Array(right)
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
