/// The generator SplitMix64 (Steele, Lea and Flood 2014), after Vigna's public-domain `splitmix64.c`. This type also
/// converts the bits to numbers, so that a seed gives the same numbers with every toolchain.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// - Parameter seed: Any number, including 0. Equal seeds give equal sequences.
  public init(seed: UInt64) { state = seed }

  /// Returns a number that is uniform over all 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number that is uniform in the range, in 2⁵³ steps. Only rounding can make it equal to the upper bound.
  public mutating func uniform(in range: ClosedRange<Double>) -> Double {
    let unit = Double(next() >> 11) * 0x1p-53
    return min(range.lowerBound + (range.upperBound - range.lowerBound) * unit, range.upperBound)
  }

  /// Returns true with this probability: never for 0, always for 1.
  public mutating func chance(_ probability: Double) -> Bool { uniform(in: 0...1) < probability }

  /// Shuffles n elements by the method of Fisher and Yates. The remainders of random numbers make some orders more
  /// likely than others, but by a fraction of less than n²·2⁻⁶⁴.
  public mutating func shuffle<Element>(_ elements: inout [Element]) {
    for last in elements.indices.reversed().dropLast() { elements.swapAt(last, Int(next() % UInt64(last + 1))) }
  }
}
