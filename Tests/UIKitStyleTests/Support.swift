import CollectionLayout
import Dynamics
import Testing
import UIKit

final class Numbers: NSObject, UICollectionViewDataSource {
  var counts: [Int]

  init(_ counts: Int...) { self.counts = counts }

  func numberOfSections(in collectionView: UICollectionView) -> Int { counts.count }

  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
    counts[section]
  }

  func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell {
    collectionView.dequeueReusableCell(withReuseIdentifier: "number", for: indexPath)
  }
}

/// A pseudorandom generator that returns the same numbers in every run.
struct Script {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// Returns a number between 0 and 1.
  mutating func next() -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Double(state >> 11) / Double(1 << 53)
  }

  mutating func next(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * next()
  }

  mutating func next(below count: Int) -> Int { min(count - 1, Int(next() * Double(count))) }
}

let phone = CGRect(x: 0, y: 0, width: 320, height: 568)
let phoneSize = Size(width: 320, height: 568)

/// Returns options for lines that are exactly full on the phone. UIKit spreads the items of other lines, but
/// `FlowLayout` does not.
func fullLines(_ itemSize: Size = Size(width: 44, height: 44)) -> FlowOptions {
  var options = FlowOptions()
  options.itemSize = itemSize
  options.sectionInset = EdgeInsets(top: 10, left: 30, bottom: 10, right: 30)
  return options
}

func stepBoth(_ view: UICollectionView, _ ready: CollectionView) throws {
  view.step(by: 1 / 60)
  view.layoutIfNeeded()
  ready.step(by: 1 / 60)
  try ready.prepareLayout()
}

/// Returns the largest difference between the same item in two views, in center, size (points), scale, rotation
/// (radians), alpha or z index. For an item that only one view shows, the difference is the distance by which the item
/// extends into that view.
func difference(_ one: UICollectionView, _ other: CollectionView) -> Double {
  let (ours, theirs) = (one.engine.presentedAttributes(), other.presentedAttributes())
  if ours.map(\.attributes.index) == theirs.map(\.attributes.index) {
    return zip(ours, theirs).reduce(0) { max($0, difference($1.0, $1.1)) }
  }
  var looks: [Int: AnimatedAttributes] = [:]
  for look in ours { looks[look.attributes.index] = look }
  var largest = 0.0
  for look in theirs {
    if let twin = looks.removeValue(forKey: look.attributes.index) {
      largest = max(largest, difference(look, twin))
    } else {
      largest = max(largest, depth(look.frame, in: other.bounds))
    }
  }
  return looks.values.reduce(largest) { max($0, depth($1.frame, in: other.bounds)) }
}

private func difference(_ a: AnimatedAttributes, _ b: AnimatedAttributes) -> Double {
  let (one, other) = (a.attributes, b.attributes)
  return [
    one.center.x - other.center.x, one.center.y - other.center.y, one.size.width - other.size.width,
    one.size.height - other.size.height, a.scale - b.scale, a.rotation - b.rotation, a.alpha - b.alpha,
    Double(one.zIndex - other.zIndex),
  ].reduce(0) { max($0, abs($1)) }
}

private func depth(_ frame: Rect, in bounds: Rect) -> Double {
  max(0, min(frame.maxX - bounds.minX, bounds.maxX - frame.minX, frame.maxY - bounds.minY, bounds.maxY - frame.minY))
}

/// Plays the same scrolls in the UIKit view and in `ready`, a view of CollectionLayout with one of its own layouts, and
/// compares the visible items of each frame.
func expectAgreement(
  _ view: UICollectionView, _ ready: CollectionView, seed: UInt64, frames: Int = 300,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  var script = Script(seed: seed)
  var (offset, speed) = (ready.scrollOffset, 0.0)
  var largest = 0.0
  for frame in 0..<frames {
    if frame % 40 == 0 { speed = script.next(-50...70) }
    // The list rests in a quarter of the frames.
    let isScrolling = frame % 40 < 30
    if isScrolling {
      offset = min(max(0, offset + speed * script.next()), ready.maximumContentOffset)
      let touch = Point(x: script.next(10...310), y: script.next(10...560))
      view.scroll(to: CGPoint(x: 0, y: offset), touch: CGPoint(x: touch.x, y: touch.y))
      ready.scroll(to: offset, touch: touch)
    }
    try stepBoth(view, ready)
    #expect(!ready.visibleAttributes().isEmpty, sourceLocation: sourceLocation)
    largest = max(largest, difference(view, ready))
  }
  #expect(largest < 1e-6, sourceLocation: sourceLocation)
}

/// Returns a square view with its center at a point.
func box(_ x: CGFloat, _ y: CGFloat, side: CGFloat = 100) -> UIView {
  UIView(frame: CGRect(x: x - side / 2, y: y - side / 2, width: side, height: side))
}

/// Takes away the resistances that items have by default, so that they move as in a simple closed-form solution.
func removeResistance(of items: [any UIDynamicItem], in animator: UIDynamicAnimator) {
  let behavior = UIDynamicItemBehavior(items: items)
  (behavior.resistance, behavior.angularResistance) = (0, 0)
  animator.addBehavior(behavior)
}

func run(_ animator: UIDynamicAnimator, seconds: Double) {
  for _ in 0..<Int((seconds * 60).rounded()) { animator.step(by: 1 / 60) }
}

func distance(_ a: CGPoint, _ b: CGPoint) -> CGFloat {
  ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
}

extension CGAffineTransform {
  /// The angle of a rotation, radians.
  var angleForTest: Double { atan2(Double(b), Double(a)) }
}
