/// The contacts of a frame in layers, against what pulls their bodies.
struct UpwardOrder: ~Copyable {
  /// Of contacts, the lowest first.
  private(set) var indices = Buffer<Int32>()
  private var layers = Buffer<UInt32>()
  private var sortedIndices = Buffer<Int32>()
  private var sortedLayers = Buffer<UInt32>()
  private var starts = Buffer<Int32>()

  init() {}

  /// Sorts them by layers of a point, and those of one layer as they were: by digits, so that a heap in disorder takes
  /// no longer, and so that the order within one heap does not depend on another.
  mutating func sort(
    _ pressing: borrowing Buffer<Int32>, of contacts: borrowing Buffer<Contact>,
    _ bodies: borrowing RigidBodies
  ) {
    indices.removeAll()
    layers.removeAll()
    var differing: UInt32 = 0
    for index in 0..<pressing.count {
      let contact = contacts[pressing[index]]
      let layer = Self.layer(bodies.height(contact.a) + bodies.height(contact.b))
      indices.append(pressing[index])
      layers.append(layer)
      differing |= layer ^ layers[0]
    }
    for shift in stride(from: UInt32(0), to: 32, by: 8) where differing >> shift & 0xff != 0 {
      sort(byDigitAt: shift)
    }
  }

  private static func layer(_ height: Double) -> UInt32 {
    guard height.isFinite else { return 0 }
    return UInt32(bitPattern: Int32(min(max(height.rounded(.down), -0x1p31), 0x1p31 - 1))) ^ 0x8000_0000
  }

  private mutating func sort(byDigitAt shift: UInt32) {
    func digit(_ layer: UInt32) -> Int { Int(layer >> shift & 0xff) }
    starts.fill(257, with: 0)
    sortedIndices.fill(indices.count, with: 0)
    sortedLayers.fill(indices.count, with: 0)
    for index in 0..<indices.count { starts[digit(layers[index]) + 1] += 1 }
    for digit in 0..<256 { starts[digit + 1] += starts[digit] }
    for index in 0..<indices.count {
      let digit = digit(layers[index])
      let place = starts[digit]
      starts[digit] += 1
      sortedIndices[place] = indices[index]
      sortedLayers[place] = layers[index]
    }
    swap(&indices, &sortedIndices)
    swap(&layers, &sortedLayers)
  }

  /// Makes room for this many.
  mutating func reserve(_ count: Int) {
    indices.reserve(count)
    layers.reserve(count)
    sortedIndices.reserve(count)
    sortedLayers.reserve(count)
    starts.reserve(257)
  }
}

extension RigidBodies {
  /// Against what pulls the body, points; 0 of what nothing pulls, such as boundaries.
  func height(_ slot: Int32) -> Double {
    Vector(dx: poses[slot].x, dy: poses[slot].y).rise(against: traits[slot].acceleration)
  }
}
