/// Integers from 0, divided into sets that can be joined (union-find with path halving). Each set is represented by its
/// smallest number.
struct DisjointSets: ~Copyable {
  /// The parent of each number: another number of the set that is closer to the representative. A representative is its
  /// own parent.
  private var parents = Buffer<Int32>()

  /// Puts each number below `count` into a set of its own.
  mutating func reset(_ count: Int) {
    parents.fill(count, with: 0)
    for number in 0..<count { separate(Int32(number)) }
  }

  var count: Int { parents.count }

  /// Puts the number back into a set of its own.
  /// - Precondition: The caller also separates all other numbers of the set, because this number may be their parent.
  func separate(_ number: Int32) { parents[number] = number }

  func join(_ a: Int32, _ b: Int32) {
    let (rootA, rootB) = (root(a), root(b))
    parents[max(rootA, rootB)] = min(rootA, rootB)
  }

  /// Returns the representative of the number's set.
  func root(_ number: Int32) -> Int32 {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }
}
