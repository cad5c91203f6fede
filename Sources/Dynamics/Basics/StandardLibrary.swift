// Functions that the standard library lacks.

extension Range<Int> {
  /// Returns the first number for which the predicate holds, or the end of the range if there is none.
  /// - Precondition: If the predicate holds for a number, it also holds for all larger numbers of the range.
  /// - Complexity: O(log of the length).
  @inlinable @inline(__always) package func partitioningIndex(where belongsInSecondPart: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if belongsInSecondPart(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns the number in the range for which `keys` returns `key`, or nil if there is none.
  /// - Precondition: The results of `keys` ascend over the range.
  @inlinable @inline(__always) package func position(of key: Int, in keys: (Int) -> Int) -> Int? {
    let position = partitioningIndex { keys($0) >= key }
    return position < upperBound && keys(position) == key ? position : nil
  }
}

extension Array<Int> {
  /// Returns the position of a number, or nil if the array does not contain it.
  /// - Precondition: The numbers ascend.
  @inlinable package func position(of number: Int) -> Int? { indices.position(of: number) { self[$0] } }
}

extension ClosedRange<Double> {
  /// Extends the range to the value if the value is outside.
  @inlinable @inline(__always) package mutating func include(_ value: Double) {
    self = Swift.min(lowerBound, value)...Swift.max(upperBound, value)
  }
}

extension UnsafeMutablePointer where Pointee: ~Copyable {
  /// Moves a value to newly allocated memory, which `release()` frees.
  @inlinable package static func holding(_ value: consuming Pointee) -> UnsafeMutablePointer<Pointee> {
    let pointer = UnsafeMutablePointer<Pointee>.allocate(capacity: 1)
    pointer.initialize(to: value)
    return pointer
  }

  @inlinable package func release() { deinitialize(count: 1).deallocate() }
}
