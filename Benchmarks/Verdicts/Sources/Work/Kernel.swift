/// The kinds of work that are measured. All tools call the same functions of this library.
public enum Kernel: String, CaseIterable, Sendable {
  case parse, springs, sort

  /// Fresh work with its data.
  public func makeWork() -> any Work {
    switch self {
    case .parse: Parsing()
    case .springs: Springs()
    case .sort: Sorting()
    }
  }
}

/// One kind of work with its data, which is always the same.
public protocol Work: AnyObject {
  /// Does all of it once, in some microseconds; allocates nothing.
  func call()
  /// The checksum of the last call's results for the usual amount of work; extra work does not change it.
  var checksum: UInt64 { get }
}

/// Numbers that look random and are the same everywhere: Knuth's MMIX generator.
struct Numbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// From 0 up to, but not including, `bound`.
  mutating func next(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}
