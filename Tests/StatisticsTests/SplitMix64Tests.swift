import Statistics
import Testing

struct SplitMix64Tests {
  @Test func theGeneratorGivesThePublishedNumbers() {
    var generator = SplitMix64(seed: 1_234_567)
    let published: [UInt64] = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
    #expect((0..<3).map { _ in generator.next() } == published)
  }

  @Test func uniformNumbersStayInTheirRange() {
    var generator = SplitMix64(seed: 3)
    let numbers = (0..<1_000).map { _ in generator.uniform(in: -2...5) }
    #expect(numbers.allSatisfy { (-2.0...5.0).contains($0) })
    #expect((numbers.min() ?? 0) < -1.9 && (numbers.max() ?? 0) > 4.9)
    #expect(generator.uniform(in: 7...7) == 7)
  }

  @Test func whatIsImpossibleNeverHappensAndWhatIsCertainAlwaysDoes() {
    var generator = SplitMix64(seed: 4)
    #expect((0..<1_000).allSatisfy { _ in !generator.chance(0) })
    #expect((0..<1_000).allSatisfy { _ in generator.chance(1) })
  }

  @Test func shufflingKeepsTheElementsAndReachesEveryOrder() {
    var generator = SplitMix64(seed: 5)
    var orders: Set<[Int]> = []
    for _ in 0..<200 {
      var elements = [1, 2, 3]
      generator.shuffle(&elements)
      #expect(elements.sorted() == [1, 2, 3])
      orders.insert(elements)
    }
    #expect(orders.count == 6)
    var none: [Int] = []
    generator.shuffle(&none)
    #expect(none.isEmpty)
  }
}
