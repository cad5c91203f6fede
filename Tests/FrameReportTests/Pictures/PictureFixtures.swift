import Foundation
import FrameBench

/// Documents with frames like those that the spring scenarios cost, for pictures. The same every time.
enum PictureFixtures {
  /// Three strategies at three sizes along a scroll with three flings: tiled and exact cost more while
  /// items come into view, naive in proportion to the items.
  static var realistic: RunDocument {
    let naiveCosts: [(size: Int, cost: Double)] = [(100, 250), (1_000, 600), (10_000, 4_000)]
    return Fixtures.document(
      naiveCosts.flatMap { size, cost -> [BenchmarkRecord] in
        [
          record("naive", size, base: cost, perSpeed: 0.02 * cost, seed: 1),
          record("tiled", size, base: 150, perSpeed: 40, seed: 2),
          record("exact", size, base: 175, perSpeed: 52, seed: 3),
        ]
      })
  }

  /// Eight strategies, some with unreasonable names, at two sizes.
  static var crowded: RunDocument {
    let names = [
      "naive", "tiled", "exact", "a-strategy-of-an-unreasonably-long-name-that-fits-no-picture-variant-one",
      "a-strategy-of-an-unreasonably-long-name-that-fits-no-picture-variant-two", "<b>&\"hostile\"</b>",
      "混合策略与很长的名字混合策略与很长的名字", "x",
    ]
    return Fixtures.document(
      [1_000, 2_000].flatMap { size in
        names.enumerated().map { index, name in
          record(
            name, size, base: 200 + 6 * Double(index), perSpeed: 30, frames: 300, seed: UInt64(index))
        }
      }, frameCount: 300)
  }

  /// Frames that read 0 after the clock's cost is taken off, a stall, one strategy.
  static var zeros: RunDocument {
    var one = record("mine", 10, base: 30, perSpeed: 8, frames: 400, seed: 5)
    for index in one.frame.alignedNanoseconds.indices where index % 7 == 3 {
      one.frame.alignedNanoseconds[index] = 0
    }
    one.frame.alignedNanoseconds[200] = 11_500_000
    return Fixtures.document([one], frameCount: 400)
  }

  static func record(
    _ strategy: String, _ size: Int, base: Double, perSpeed: Double, frames: Int = 1_200, seed: UInt64
  ) -> BenchmarkRecord {
    var noise = Noise(state: seed)
    let aligned = (0..<frames).map { frame -> Double in
      let fling = Double(frame % 400) / 400
      let speed = fling < 0.1 ? fling * 10 : exp(-4 * (fling - 0.1))
      let entering = noise.next() < speed * 0.6 ? 1.0 : 0
      let cost = base + perSpeed * (speed * 2 + entering * 2.5) + 0.012 * base * noise.next()
      return (cost * 10).rounded() / 10
    }
    let sorted = aligned.sorted()
    func at(_ share: Double) -> Double { sorted[Int(share * Double(frames - 1))] }
    var record = Fixtures.naive(size, frames: frames)
    record.id.strategy = strategy
    record.checksum = strategy == "tiled" ? "03be7c55e1a00064" : "9c4e1f0a77d20064"
    record.frame = TimeRecord(
      alignedNanoseconds: aligned,
      pooled: PooledTimes(
        sampleCount: frames * 20, p50: at(0.5) * 1.05, p90: at(0.9) * 1.12, p99: at(0.99) * 1.5,
        max: at(1) + 34_500, mean: at(0.5) * 1.08))
    return record
  }

  /// SplitMix64, as numbers from 0 up to 1.
  private struct Noise {
    var state: UInt64

    mutating func next() -> Double {
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return Double((bits ^ (bits >> 31)) >> 11) / Double(1 << 53)
    }
  }
}
