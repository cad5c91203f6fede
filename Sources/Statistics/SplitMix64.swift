/// The generator SplitMix64 (Steele, Lea and Flood 2014), after Vigna's public-domain `splitmix64.c`. Implemented here,
/// with the conversion of bits to numbers, so that a seed means the same scroll with every toolchain.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// - Parameter seed: Any number, 0 too; equal seeds give equal sequences.
  public init(seed: UInt64) { state = seed }

  /// Uniform over all 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Uniform in the range, of 2⁵³ steps; the upper bound is reached by rounding at most.
  public mutating func uniform(in range: ClosedRange<Double>) -> Double {
    let unit = Double(next() >> 11) * 0x1p-53
    return min(range.lowerBound + (range.upperBound - range.lowerBound) * unit, range.upperBound)
  }

  /// True with that probability: never for 0, always for 1.
  public mutating func chance(_ probability: Double) -> Bool { uniform(in: 0...1) < probability }

  /// Fisher and Yates; the bias of the remainder is below 2⁻⁶⁰ for the short lists shuffled here.
  public mutating func shuffle<Element>(_ elements: inout [Element]) {
    for last in elements.indices.reversed().dropLast() { elements.swapAt(last, Int(next() % UInt64(last + 1))) }
  }
}
