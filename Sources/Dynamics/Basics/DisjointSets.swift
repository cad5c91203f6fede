/// Numbers from 0 in sets that can be joined (union-find with path halving). The smallest number represents its set.
struct DisjointSets: ~Copyable {
  /// For each number, the next one on the way to the set's representative.
  private var parents = Buffer<Int32>()

  /// Makes room for this many numbers, each in a set of its own.
  mutating func reset(_ count: Int) {
    parents.fill(count, with: 0)
    for number in 0..<count { separate(Int32(number)) }
  }

  var count: Int { parents.count }

  /// Puts the number into a set of its own again.
  /// - Precondition: No other number is in the set, or all are separated.
  func separate(_ number: Int32) { parents[number] = number }

  func join(_ a: Int32, _ b: Int32) {
    let (rootA, rootB) = (root(a), root(b))
    parents[max(rootA, rootB)] = min(rootA, rootB)
  }

  /// The number that represents the set.
  func root(_ number: Int32) -> Int32 {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }
}
