import CollectionLayout
import FrameBench

/// Over what a frame shows, bit for bit.
///
/// Word by word, as ever: another way of hashing would call every build before it changed in behaviour.
struct AttributesChecksum {
  private var checksum = Checksum()

  var value: UInt64 { checksum.value }

  mutating func add(_ word: UInt64) { checksum.combine(whole: word) }

  mutating func add(_ number: Double) { add(number.bitPattern) }

  /// Where the item is, and not how large.
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
  /// Over the indices and the centres of items of one size.
  var checksum: UInt64 {
    var checksum = AttributesChecksum()
    for attributes in self { checksum.addPlace(attributes) }
    return checksum.value
  }
}
