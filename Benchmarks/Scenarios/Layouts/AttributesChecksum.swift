import CollectionLayout
import FrameBench

/// A hash over the bits of a frame's output.
///
/// The algorithm must not change, because comparisons with earlier builds would then report changed behavior.
struct AttributesChecksum {
  private var checksum = Checksum()

  var value: UInt64 { checksum.value }

  mutating func add(_ word: UInt64) { checksum.combine(whole: word) }

  mutating func add(_ number: Double) { add(number.bitPattern) }

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
  /// A hash over the indices and the centers. It leaves out the sizes, which are equal for all items.
  var checksum: UInt64 {
    var checksum = AttributesChecksum()
    for attributes in self { checksum.addPlace(attributes) }
    return checksum.value
  }
}
