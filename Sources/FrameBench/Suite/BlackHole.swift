import CFrameClock

/// Uses a value, as far as the optimiser knows, so that the work behind it is not removed. Costs a store.
@inlinable @inline(__always) public func blackHole<Value>(_ value: Value) {
  withUnsafePointer(to: value) { frame_clock_use($0) }
}

/// Returns the value, which the optimiser then no longer knows: code that follows cannot be computed beforehand.
@inlinable @inline(__always) public func identity<Value>(_ value: Value) -> Value {
  var value = value
  withUnsafeMutablePointer(to: &value) { frame_clock_use($0) }
  return value
}
