import CollectionLayout
import Dynamics
import Testing

/// An item that is pinched has the size of the pinch (objc.io's "Animating Collection Views", issue 12, 2014).
private final class PinchLayout: FlyingLayout {
  var pinchedItemPath: IndexPath?
  var pinchedItemSize = Size.zero

  func resizeItem(at indexPath: IndexPath, withPinchDistance distance: Double) {
    pinchedItemPath = indexPath
    pinchedItemSize = Size(width: distance, height: distance)
    invalidateLayout()
  }

  func resetPinchedItem() { pinchedItemPath = nil }

  override func layoutAttributesForElements(in rect: Rect) -> [CollectionViewLayoutAttributes]? {
    let attributes = super.layoutAttributesForElements(in: rect)
    attributes?.forEach(resizeIfPinched)
    return attributes
  }

  override func layoutAttributesForItem(at indexPath: IndexPath) -> CollectionViewLayoutAttributes? {
    let attributes = super.layoutAttributesForItem(at: indexPath)
    resizeIfPinched(attributes)
    return attributes
  }

  private func resizeIfPinched(_ attributes: CollectionViewLayoutAttributes?) {
    guard let attributes, attributes.indexPath == pinchedItemPath else { return }
    attributes.size = pinchedItemSize
    attributes.zIndex = 100
  }
}

@Suite struct PinchTests {
  @Test func aPinchedItemGrowsAndReturnsAsInTheReadyLayout() throws {
    let numbers = Numbers(60)
    let layout = PinchLayout()
    let view = CollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    let readyLayout = try AnimatedFlowLayout()
    let ready = try CollectionView(layout: readyLayout, itemCount: 60, size: phone.size)
    let path = try #require(view.indexPathForItem(at: Point(x: 86, y: 140)))
    #expect(path == IndexPath(item: 11, section: 0))
    func frame() throws {
      for view in [view, ready] {
        view.step(by: 1 / 60)
        try view.prepareLayout()
      }
      #expect(difference(view, ready) < 1e-6)
    }
    for distance in stride(from: 50.0, through: 170, by: 7) {
      layout.resizeItem(at: path, withPinchDistance: distance)
      try readyLayout.pinchItem(at: 11, distance: distance)
      try frame()
    }
    try view.performBatchUpdates { layout.resetPinchedItem() }
    try ready.performBatchUpdates([], changes: { readyLayout.resetPinchedItem() })
    var sizes: [Double] = []
    for _ in 0..<20 {
      try frame()
      sizes += view.presentedAttributes().filter { $0.attributes.index == 11 }.map(\.attributes.size.width)
    }
    #expect(sizes.first.map { $0 < 169 && $0 > 100 } == true && sizes.last == 44)
  }
}
