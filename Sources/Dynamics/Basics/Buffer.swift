/// A growable column of plain values. Its storage is reached through a bare pointer, so that the solver's loops need no
/// bounds or exclusivity checks, and stays when it is emptied.
struct Buffer<Element: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity = 8

  init() { base = Self.allocate(capacity) }

  /// Allocates at the beginning of a cache line, so that an element as long as a line has one to itself.
  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Element> {
    UnsafeMutableRawPointer.allocate(byteCount: capacity * MemoryLayout<Element>.stride, alignment: 64).bindMemory(
      to: Element.self, capacity: capacity)
  }

  deinit { base.deallocate() }

  @inline(__always) subscript(_ index: Int) -> Element {
    _read { yield base[index] }
    nonmutating _modify { yield &base[index] }
  }

  @inline(__always) subscript(_ index: Int32) -> Element {
    _read { yield base[Int(index)] }
    nonmutating _modify { yield &base[Int(index)] }
  }

  @inline(__always) mutating func append(_ element: Element) {
    if count == capacity { reserve(count + 1) }
    (base + count).initialize(to: element)
    count += 1
  }

  /// Makes it hold this many equal elements.
  mutating func fill(_ newCount: Int, with element: Element) {
    reserve(newCount)
    base.update(repeating: element, count: newCount)
    count = newCount
  }

  /// Adds uninitialized elements.
  mutating func extend(by added: Int) {
    reserve(count + added)
    count += added
  }

  /// Keeps the first elements only.
  mutating func truncate(to newCount: Int) {
    precondition(newCount <= count, "\(newCount) of \(count) elements")
    count = newCount
  }

  mutating func removeAll() { count = 0 }

  mutating func swapRemove(at index: Int) {
    precondition(index < count, "element \(index) of \(count)")
    count -= 1
    base[index] = base[count]
  }

  /// - Complexity: Amortised, as the room at least doubles.
  @inline(never) mutating func reserve(_ needed: Int) {
    guard needed > capacity else { return }
    capacity = max(needed, 2 * capacity)
    let larger = Self.allocate(capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }

  /// Sorts by insertion, which is fast for nearly sorted elements; for others, by larger gaps first (Shell's sort).
  /// - Parameter gap: The largest; each is a third of the one before.
  @inline(__always) func sort(gap: Int = 1, by precedes: (Element, Element) -> Bool) {
    var gap = gap
    while gap > 0 {
      for index in stride(from: gap, to: count, by: 1) {
        let element = base[index]
        var hole = index
        while hole >= gap, precedes(element, base[hole - gap]) {
          base[hole] = base[hole - gap]
          hole -= gap
        }
        base[hole] = element
      }
      gap /= 3
    }
  }

  /// The elements as a collection.
  var elements: UnsafeMutableBufferPointer<Element> { UnsafeMutableBufferPointer(start: base, count: count) }
}
