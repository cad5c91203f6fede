// What the standard library lacks.

extension Range<Int> {
  /// The first number for which the predicate holds; the range's end if there is none.
  /// - Precondition: It also holds for all numbers of the range after that.
  /// - Complexity: O(log of the length).
  @inlinable @inline(__always) package func partitioningIndex(where belongsInSecondPart: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if belongsInSecondPart(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The position of an element by its key; nil if no element has it.
  /// - Precondition: Keys ascend.
  @inlinable @inline(__always) package func position(of key: Int, in keys: (Int) -> Int) -> Int? {
    let position = partitioningIndex { keys($0) >= key }
    return position < upperBound && keys(position) == key ? position : nil
  }
}

extension Array<Int> {
  /// Nil if the array does not contain the number.
  /// - Precondition: The numbers ascend.
  @inlinable package func position(of number: Int) -> Int? { indices.position(of: number) { self[$0] } }
}

extension ClosedRange<Double> {
  /// Widens the range to the value, if it is outside.
  @inlinable @inline(__always) package mutating func include(_ value: Double) {
    self = Swift.min(lowerBound, value)...Swift.max(upperBound, value)
  }
}

extension UnsafeMutablePointer where Pointee: ~Copyable {
  /// A value in memory of its own, which `release()` frees.
  @inlinable package static func holding(_ value: consuming Pointee) -> UnsafeMutablePointer<Pointee> {
    let pointer = UnsafeMutablePointer<Pointee>.allocate(capacity: 1)
    pointer.initialize(to: value)
    return pointer
  }

  @inlinable package func release() { deinitialize(count: 1).deallocate() }
}
