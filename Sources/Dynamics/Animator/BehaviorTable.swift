/// A hash table from items to the behaviors that move them, with open addressing. A `Dictionary` protects itself
/// against keys that an attacker has chosen to collide. This protection costs more than a spring's step. The table does
/// not need it, because its keys are addresses.
struct BehaviorTable: ~Copyable {
  private struct Entry: BitwiseCopyable {
    /// The address of the item; 0 if the entry is free.
    var item: UInt = 0
    var behavior: Unmanaged<AttachmentBehavior>?
  }

  private var entries: UnsafeMutablePointer<Entry>
  /// A power of two, at least twice the number of behaviors.
  private var capacity = 16
  private var count = 0

  init() { entries = Self.allocate(capacity) }
  deinit { entries.deallocate() }

  var isEmpty: Bool { count == 0 }

  /// Returns the behavior of the item, or nil if there is none. The table does not keep the behavior alive.
  @inline(__always) subscript(_ item: ObjectIdentifier) -> Unmanaged<AttachmentBehavior>? {
    guard count > 0 else { return nil }
    return entries[index(of: UInt(bitPattern: item))].behavior
  }

  /// - Precondition: The behavior's item has no behavior in the table yet.
  mutating func insert(_ behavior: AttachmentBehavior) {
    if 2 * (count + 1) > capacity { grow() }
    let item = UInt(bitPattern: ObjectIdentifier(behavior.item))
    let index = index(of: item)
    precondition(entries[index].item == 0, "\(behavior.itemName) has a behavior already")
    entries[index] = Entry(item: item, behavior: .passUnretained(behavior))
    count += 1
  }

  mutating func remove(_ behavior: AttachmentBehavior) {
    var hole = index(of: UInt(bitPattern: ObjectIdentifier(behavior.item)))
    guard entries[hole].item != 0 else { return }
    count -= 1
    // A search ends at a free entry. So a later entry moves into the hole if a search for it would pass the hole.
    var index = hole
    while true {
      index = (index + 1) & (capacity - 1)
      guard entries[index].item != 0 else { break }
      let distance = (index &- home(of: entries[index].item)) & (capacity - 1)
      guard distance >= (index &- hole) & (capacity - 1) else { continue }
      entries[hole] = entries[index]
      hole = index
    }
    entries[hole] = Entry()
  }

  /// Returns the index of the item's entry, or of the free entry where the item would be inserted.
  @inline(__always) private func index(of item: UInt) -> Int {
    var index = home(of: item)
    while entries[index].item != item, entries[index].item != 0 { index = (index + 1) & (capacity - 1) }
    return index
  }

  /// Returns the preferred index of an item. Fibonacci hashing spreads evenly spaced addresses over the table.
  @inline(__always) private func home(of item: UInt) -> Int {
    Int(truncatingIfNeeded: (item &* 0x9e37_79b9_7f4a_7c15) >> 32) & (capacity - 1)
  }

  private mutating func grow() {
    let (old, oldCapacity) = (entries, capacity)
    capacity *= 2
    entries = Self.allocate(capacity)
    for index in 0..<oldCapacity where old[index].item != 0 { entries[self.index(of: old[index].item)] = old[index] }
    old.deallocate()
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    entries.initialize(repeating: Entry(), count: capacity)
    return entries
  }
}
