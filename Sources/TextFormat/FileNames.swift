/// File names that are safe for every file system and link, each unique.
package struct FileNames {
  private let allowed: String
  private var taken: Set<String> = []

  /// - Parameter others: Characters that stay, beside ASCII letters, digits, `_` and `-`.
  package init(allowing others: String = "") {
    allowed = "_-" + others
  }

  /// The parts joined by hyphens, 120 characters at the most, and a number behind them where the name was
  /// taken.
  package mutating func next(_ parts: String...) -> String {
    let safe = parts.joined(separator: "-").map { character in
      character.isASCII && (character.isLetter || character.isNumber || allowed.contains(character))
        ? character : "-"
    }
    let stem = String(safe.prefix(120))
    // Compared without case, because some file systems do.
    var name = stem
    var copy = 2
    while !taken.insert(name.lowercased()).inserted {
      name = "\(stem)~\(copy)"
      copy += 1
    }
    return name
  }
}
