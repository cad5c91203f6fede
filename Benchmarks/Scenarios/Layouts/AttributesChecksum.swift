import CollectionLayout
import FrameBench

/// Hash over the output of a frame, bit for bit.
///
/// The way of hashing must stay the same: otherwise every earlier build would be reported as changed in behavior.
struct AttributesChecksum {
  private var checksum = Checksum()

  var value: UInt64 { checksum.value }

  mutating func add(_ word: UInt64) { checksum.combine(whole: word) }

  mutating func add(_ number: Double) { add(number.bitPattern) }

  /// Adds the item's place without its size.
  mutating func addPlace(_ attributes: LayoutAttributes) {
    add(UInt64(attributes.index))
    add(attributes.center.x)
    add(attributes.center.y)
  }

  mutating func add(_ attributes: LayoutAttributes) {
    addPlace(attributes)
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

extension [LayoutAttributes] {
  /// Hash over the indices and the centres of items of one size.
  var checksum: UInt64 {
    var checksum = AttributesChecksum()
    for attributes in self { checksum.addPlace(attributes) }
    return checksum.value
  }
}
