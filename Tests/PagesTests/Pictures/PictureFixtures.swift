import Foundation
import FrameBench
import Statistics

@testable import Measurements

/// The documents for tests of pictures, by name.
enum PictureFixture: String, CaseIterable, Sendable {
  case realistic, crowded, zeros, troubled, oneStrategy, oneFrame, noFrames, allZero, allEqual, huge
  case fiftySeries, manySizes, hostile

  var document: RunDocument {
    switch self {
    case .realistic: PictureFixtures.realistic
    case .crowded: PictureFixtures.crowded
    case .zeros: PictureFixtures.zeros
    case .troubled: Fixtures.troubled
    case .oneStrategy: Fixtures.oneStrategy
    case .oneFrame: PictureFixtures.constant([250], frames: 1)
    case .noFrames: PictureFixtures.constant([], frames: 0)
    case .allZero: PictureFixtures.constant([0, 0], frames: 30)
    case .allEqual: PictureFixtures.constant([417, 417, 417], frames: 30)
    case .huge: PictureFixtures.constant([1e300, 3e17, 0.1], frames: 30)
    case .fiftySeries: PictureFixtures.fiftySeries
    case .manySizes: PictureFixtures.manySizes
    case .hostile: PictureFixtures.hostile
    }
  }
}

/// Documents for pictures, with frame costs like those of the spring scenarios. They are the same every time.
enum PictureFixtures {
  /// Three strategies at three sizes, along a scroll with three flings. The costs of tiled and exact rise while items
  /// come into view. The cost of naive is proportional to the number of items.
  static let realistic: RunDocument = {
    let naiveCosts: [(size: Int, cost: Double)] = [(100, 250), (1_000, 600), (10_000, 4_000)]
    var document = Fixtures.document(
      naiveCosts.flatMap { size, cost -> [BenchmarkRecord] in
        [
          record("naive", size, base: cost, perSpeed: 0.02 * cost, frames: 480, seed: 1),
          record("tiled", size, base: 150, perSpeed: 40, frames: 480, seed: 2),
          record("exact", size, base: 175, perSpeed: 52, frames: 480, seed: 3),
        ]
      }, frameCount: 480)
    document.stretches = naiveCosts.map { size, _ in
      StretchRecord(
        scenario: "springs", size: size,
        frameNames: (0..<480).map { $0 % 400 < 40 ? "drag" : $0 % 400 < 300 ? "fling" : "rest" })
    }
    return document
  }()

  /// Eight strategies, some with unreasonable names, at two sizes.
  static let crowded: RunDocument = {
    let names = [
      "naive", "tiled", "exact", "a-strategy-of-an-unreasonably-long-name-that-fits-no-picture-variant-one",
      "a-strategy-of-an-unreasonably-long-name-that-fits-no-picture-variant-two", "<b>&\"hostile\"</b>",
      "混合策略与很长的名字混合策略与很长的名字", "x",
    ]
    return Fixtures.document(
      [1_000, 2_000].flatMap { size in
        names.enumerated().map { index, name in
          record(name, size, base: 200 + 6 * Double(index), perSpeed: 30, frames: 300, seed: UInt64(index))
        }
      }, frameCount: 300
    ).withStretches(names)
  }()

  /// One strategy with frames that cost 0 after the clock's cost is subtracted, and with a stall.
  static let zeros: RunDocument = {
    var one = record("mine", 10, base: 30, perSpeed: 8, frames: 400, seed: 5)
    for index in one.frame.alignedNanoseconds.indices where index % 7 == 3 { one.frame.alignedNanoseconds[index] = 0 }
    one.frame.alignedNanoseconds[200] = 11_500_000
    return Fixtures.document([one], frameCount: 400)
  }()

  /// Returns a document with one strategy and one size for each element of `costs`. At each size, every frame costs the
  /// same in every run.
  static func constant(_ costs: [Double], frames: Int) -> RunDocument {
    let sized = costs.isEmpty ? [0] : costs
    return Fixtures.document(
      sized.enumerated().map { index, cost in
        var record = Fixtures.naive(10 * (index + 1))
        record.frame = TimeRecord(
          alignedNanoseconds: Array(repeating: cost, count: frames),
          pooled: PooledTimes(sampleCount: frames * 20, p50: cost, p90: cost, p99: cost, max: cost, mean: cost))
        if frames == 0 { record.phases = [] }
        return record
      }, frameCount: frames)
  }

  static let fiftySeries: RunDocument = {
    Fixtures.document(
      [100, 1_000].flatMap { size in
        (0..<50).map { index in
          record(
            "strategy-\(index)", size, base: 150 * pow(1.07, Double(index)), perSpeed: 40, frames: 40,
            seed: UInt64(index))
        }
      }, frameCount: 40)
  }()

  /// Sizes so close together that their labels do not fit side by side.
  static let manySizes: RunDocument = {
    let sizes = Array(stride(from: 1_000_000, through: 1_900_000, by: 50_000)) + [1_000_000_000_000]
    return Fixtures.document(
      sizes.map { record("naive", $0, base: 0.01 * Double(min($0, 1 << 40)), perSpeed: 5, frames: 20, seed: 1) },
      frameCount: 20)
  }()

  /// Names that would act as markup or script, or as a path out of a folder.
  static let hostile: RunDocument = {
    let names = [
      "</title><script>alert(1)</script>", "]]><!--", "\" onload=\"alert(1)", "${x}`**[a](javascript:b)",
      "&lt;\u{1}\u{FFFE}",
    ]
    var document = Fixtures.document(
      [10, 20].flatMap { size in
        names.enumerated().map { index, name in
          var record = record(name, size, base: 200, perSpeed: 30, frames: 40, seed: UInt64(index))
          record.id.scenario = "../<img src=x onerror=alert(1)>|\n# h"
          record.counters["<b>\(name)|"] = CountSeries(Array(repeating: 1, count: 40))
          return record
        }
      }, frameCount: 40)
    document = document.withStretches(names)
    document.suite = "</title><script>alert(2)</script>"
    document.environment.cpuModel = "<script>alert(3)</script>"
    document.failures = [
      BenchmarkFailure(
        id: BenchmarkID(scenario: "s", strategy: "<svg onload=alert(4)>", size: 1),
        reason: "</p><iframe src=https://example.com></iframe>",
        standardError: "</code></pre><script>alert(5)</script>\n```\n# x")
    ]
    document.warnings = [
      Warning("<a href=javascript:alert(6)>x</a> [y](javascript:alert(7)) ![z](https://example.com/z.png)")
    ]
    return document
  }()

  static func record(_ strategy: String, _ size: Int, base: Double, perSpeed: Double, frames: Int = 1_200, seed: UInt64)
    -> BenchmarkRecord
  {
    var noise = SplitMix64(seed: seed)
    let aligned = (0..<frames).map { frame -> Double in
      let fling = Double(frame % 400) / 400
      let speed = fling < 0.1 ? fling * 10 : exp(-4 * (fling - 0.1))
      let entering = noise.uniform(in: 0...1) < speed * 0.6 ? 1.0 : 0
      let cost = base + perSpeed * (speed * 2 + entering * 2.5) + 0.012 * base * noise.uniform(in: 0...1)
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
        sampleCount: frames * 20, p50: at(0.5) * 1.05, p90: at(0.9) * 1.12, p99: at(0.99) * 1.5, max: at(1) + 34_500,
        mean: at(0.5) * 1.08))
    return record
  }
}

extension RunDocument {
  /// Returns a copy in which the benchmarks of the first scenario have short stretches with these names in rotation.
  func withStretches(_ names: [String]) -> RunDocument {
    var document = self
    document.stretches = Set(benchmarks.map(\.id.size)).sorted().map { size in
      StretchRecord(
        scenario: benchmarks[0].id.scenario, size: size,
        frameNames: (0..<options.frameCount).map { names[$0 / 7 % names.count] })
    }
    return document
  }
}
