/// A growable array of plain values. Elements are accessed through a bare pointer, so the solver's loops need no bounds
/// or exclusivity checks. An emptied buffer keeps its memory.
struct Buffer<Element: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity = 8

  init() { base = Self.allocate(capacity) }

  /// Allocates memory that begins at a cache line, so an element as long as a cache line never spans two of them.
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

  /// Replaces the content with `newCount` copies of the element.
  mutating func fill(_ newCount: Int, with element: Element) {
    reserve(newCount)
    base.update(repeating: element, count: newCount)
    count = newCount
  }

  /// Adds uninitialized elements at the end.
  mutating func extend(by added: Int) {
    reserve(count + added)
    count += added
  }

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

  /// - Complexity: Amortized constant time per appended element, because the capacity at least doubles.
  @inline(never) mutating func reserve(_ needed: Int) {
    guard needed > capacity else { return }
    capacity = max(needed, 2 * capacity)
    let larger = Self.allocate(capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }

  /// Sorts by insertion, which is fast if the elements are nearly sorted. If they are not, a larger `gap` is faster:
  /// the sort first compares elements that are `gap` places apart, then reduces the gap down to 1 (Shell's sort).
  /// - Parameter gap: The first gap, from the series 1, 4, 13, 40, … Each following gap is a third of the one before.
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

  /// A view of all elements, valid until the buffer grows.
  var elements: UnsafeMutableBufferPointer<Element> { UnsafeMutableBufferPointer(start: base, count: count) }
}
