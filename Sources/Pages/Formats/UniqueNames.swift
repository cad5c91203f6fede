/// Names in the spelling that a format allows, told apart where two become the same.
struct UniqueNames {
  private var spellings: [String: String] = [:]
  private var taken: Set<String>
  private let spell: (String) -> String
  private let separator: String

  /// - Parameters:
  ///   - taken: Spellings that have another meaning already.
  ///   - separator: Stands before the number that tells names apart.
  init(taken: Set<String> = [], separator: String, spell: @escaping (String) -> String) {
    self.taken = taken
    self.separator = separator
    self.spell = spell
  }

  /// The spelling of a name; the same one every time. Names of different kinds are different names.
  mutating func callAsFunction(_ name: String, kind: String = "") -> String {
    let key = "\(kind)/\(name)"
    if let known = spellings[key] { return known }
    let plain = spell(name)
    var candidate = plain
    var number = 2
    while !taken.insert(candidate).inserted {
      candidate = "\(plain)\(separator)\(number)"
      number += 1
    }
    spellings[key] = candidate
    return candidate
  }

  /// `springEvaluations` → `spring-evaluations`: letters a to z and digits, joined by single hyphens.
  static func slug(_ name: String) -> String {
    var words: [String] = []
    var isInWord = false
    for scalar in name.unicodeScalars {
      switch scalar {
      case "A"..."Z":
        let continues = isInWord && words.last.map { $0.last?.isUppercase ?? false } ?? false
        if continues {
          words[words.count - 1].unicodeScalars.append(scalar)
        } else {
          words.append(String(scalar))
        }
        isInWord = true
      case "a"..."z", "0"..."9":
        if isInWord {
          words[words.count - 1].unicodeScalars.append(scalar)
        } else {
          words.append("\(scalar)")
        }
        isInWord = true
      default:
        isInWord = false
      }
    }
    return words.isEmpty ? "unnamed" : words.joined(separator: "-").lowercased()
  }
}
