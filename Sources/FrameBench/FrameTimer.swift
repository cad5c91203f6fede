/// Measures the phases of a frame. (Placeholder signature.)
public struct FrameTimer {
  @inlinable
  public mutating func measure<R>(_ phase: Phase, _ body: () throws -> R) rethrows -> R {
    try body()
  }
  @inlinable public mutating func record(_ counter: Counter, _ value: Int) {}
  @inlinable public mutating func endFrame() {}
}
