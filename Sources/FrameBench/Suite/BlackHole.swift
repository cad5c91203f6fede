import CFrameClock

/// Makes the optimizer assume that the value is used, so that it keeps the work that computes the value. A call costs
/// one store to memory.
@inlinable @inline(__always) public func blackHole<Value>(_ value: Value) {
  withUnsafePointer(to: value) { frame_clock_use($0) }
}

/// Returns the value, but hides from the optimizer which value it is, so that nothing that depends on it is computed at
/// compile time.
@inlinable @inline(__always) public func identity<Value>(_ value: Value) -> Value {
  var value = value
  withUnsafeMutablePointer(to: &value) { frame_clock_use($0) }
  return value
}
