import CollectionLayout

/// FNV-1a over what a frame shows, bit for bit.
struct AttributesChecksum {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0x0000_0100_0000_01b3
  }

  mutating func add(_ number: Double) { add(number.bitPattern) }

  mutating func add(_ attributes: LayoutAttributes) {
    add(UInt64(attributes.index))
    add(attributes.center.x)
    add(attributes.center.y)
    add(attributes.size.width)
    add(attributes.size.height)
  }

  mutating func add(_ look: AnimatedAttributes) {
    add(look.attributes)
    add(look.alpha)
    add(look.scale)
    add(look.rotation)
  }
}
