import Testing
import UIKit

/// Tests features that layout files of apps use, but the layouts of the articles in docs/sources.md do not.
@Suite struct AppLayoutTests {
  private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

  private final class Marked: UICollectionViewLayoutAttributes { var mark = 7 }

  private final class MarkedLayout: UICollectionViewFlowLayout {
    override class var layoutAttributesClass: AnyClass { Marked.self }

    func made(at path: IndexPath) -> [UICollectionViewLayoutAttributes] {
      guard let type = Self.layoutAttributesClass as? UICollectionViewLayoutAttributes.Type else { return [] }
      return [
        type.init(forCellWith: path), type.init(forSupplementaryViewOfKind: "title", with: path),
        type.init(forDecorationViewOfKind: "line", with: path),
      ]
    }
  }

  @Test func aLayoutMakesAttributesOfItsClass() {
    let made = MarkedLayout().made(at: path(3))
    #expect(made.map { ($0 as? Marked)?.mark } == [7, 7, 7])
    #expect(made.map(\.representedElementCategory) == [.cell, .supplementaryView, .decorationView])
    #expect(
      made.map(\.representedElementKind) == [nil, "title", "line"] && made.allSatisfy { $0.indexPath == path(3) })
  }

  private final class Context: UICollectionViewFlowLayoutInvalidationContext {
    private var paths: [IndexPath] = []
    override var invalidateEverything: Bool { false }
    override var invalidatedItemIndexPaths: [IndexPath]? { paths }
    override func invalidateItems(at indexPaths: [IndexPath]) { paths = indexPaths }
  }

  private final class ContextLayout: UICollectionViewFlowLayout {
    override class var invalidationContextClass: AnyClass { Context.self }
  }

  @Test func aContextSaysWhatItsClassSays() {
    let layout = ContextLayout()
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    let numbers = Numbers(1_000)
    view.dataSource = numbers
    let context = layout.invalidationContext(
      forInteractivelyMovingItems: [path(9)], withTargetPosition: CGPoint(x: 5, y: 6), previousIndexPaths: [path(2)],
      previousPosition: .zero)
    #expect(context is Context && context.invalidatedItemIndexPaths == [path(2), path(9)])
    #expect(context.previousIndexPathsForInteractivelyMovingItems == [path(2)])
    #expect(context.targetIndexPathsForInteractivelyMovingItems == [path(9)])
    #expect(context.interactiveMovementTarget == CGPoint(x: 5, y: 6))
    let end = layout.invalidationContextForEndingInteractiveMovementOfItems(
      toFinalIndexPaths: [path(9)], previousIndexPaths: [path(2)], movementCancelled: false)
    #expect(end.targetIndexPathsForInteractivelyMovingItems == [path(9)] && end.interactiveMovementTarget == .zero)
    layout.invalidateLayout(with: context)
    #expect(view.visibleAttributes().count == 50 && numbers.counts == [1_000])
  }

  // MARK: Initializers

  private final class Grid: UICollectionViewCompositionalLayout {
    override init(sectionProvider: @escaping UICollectionViewCompositionalLayoutSectionProvider) {
      super.init(sectionProvider: sectionProvider)
    }
    init() {
      let whole = NSCollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(50))
      super.init(
        section: NSCollectionLayoutSection(group: .vertical(layoutSize: whole, subitems: [.init(layoutSize: whole)])))
    }
    required init?(coder: NSCoder) { nil }
  }

  private final class Spring: UIAttachmentBehavior { var id: String? }

  private final class Playground: UIDynamicAnimator {
    let name: String
    init(_ view: UIView) {
      name = "playground"
      super.init(referenceView: view)
    }
  }

  @Test func aSubclassMayCallTheInitializersOfItsSuperclass() {
    let view = UICollectionView(frame: phone, collectionViewLayout: Grid())
    let numbers = Numbers(3)
    view.dataSource = numbers
    #expect(view.visibleAttributes().count == 3)
    let spring = Spring(item: box(0, 30), attachedToAnchor: .zero)
    spring.length = 30
    #expect(spring.length == 30 && spring.id == nil)
    let (animator, ball) = (Playground(view), box(0, 0))
    view.addSubview(ball)
    animator.addBehavior(UIGravityBehavior(items: [ball]))
    view.step(by: 1 / 60)
    #expect(animator.referenceView === view && animator.elapsedTime > 0)
  }

  // MARK: Geometry and views

  @Test func anInvertedTransformLeadsBack() {
    var perspective = CATransform3DIdentity
    perspective.m34 = -1 / 500
    let transform = CATransform3DTranslate(CATransform3DRotate(perspective, 0.7, 0.3, 1, 0), 30, -20, 5)
    for product in [
      CATransform3DConcat(transform, CATransform3DInvert(transform)),
      CATransform3DConcat(CATransform3DInvert(transform), transform),
    ] {
      let difference = [
        product.m11 - 1, product.m12, product.m13, product.m14, product.m21, product.m22 - 1, product.m23, product.m24,
        product.m31, product.m32, product.m33 - 1, product.m34, product.m41, product.m42, product.m43, product.m44 - 1,
      ]
      #expect(difference.allSatisfy { abs($0) < 1e-12 })
    }
    let flat = CATransform3DMakeScale(1, 0, 1)
    #expect(CATransform3DInvert(flat) == flat)
  }

  @Test func viewsLieInTheOrderInWhichTheyWerePut() {
    let (parent, a, b, c) = (UIView(), UIView(), UIView(), UIView())
    parent.addSubview(a)
    parent.insertSubview(b, belowSubview: a)
    parent.insertSubview(c, aboveSubview: b)
    #expect(parent.subviews == [b, c, a])
    parent.insertSubview(a, belowSubview: b)
    #expect(parent.subviews == [a, b, c])
    parent.bringSubviewToFront(a)
    parent.sendSubviewToBack(c)
    #expect(parent.subviews == [c, b, a])
    parent.insertSubview(UIView(), aboveSubview: UIView())
    parent.bringSubviewToFront(UIView())
    #expect(parent.subviews == [c, b, a] && a.isDescendant(of: parent) && !parent.isDescendant(of: a))
  }

  @Test func aHueIsAColour() {
    func parts(_ hue: CGFloat, _ saturation: CGFloat = 1) -> [CGFloat] {
      UIColor(hue: hue, saturation: saturation, brightness: 0.8, alpha: 0.5).cgColor.components ?? []
    }
    for (hue, color) in [
      (0.0, [0.8, 0, 0, 0.5]), (1 / 3, [0, 0.8, 0, 0.5]), (0.75, [0.4, 0, 0.8, 0.5]), (2, [0.8, 0, 0, 0.5]),
    ] { #expect(zip(parts(hue), color).allSatisfy { abs($0 - $1) < 1e-12 }) }
    #expect(parts(0.3, 0) == [0.8, 0.8, 0.8, 0.5])
  }

  @Test func layersLieInLayers() {
    let (view, gradient, plain) = (UIView(frame: phone), CAGradientLayer(), CALayer())
    gradient.frame = view.bounds
    view.layer.addSublayer(plain)
    view.layer.insertSublayer(gradient, at: 0)
    #expect(view.layer.sublayers == [gradient, plain] && gradient.superlayer === view.layer)
    #expect(gradient.bounds == phone && gradient.endPoint == CGPoint(x: 0.5, y: 1))
    gradient.bounds.size.height = 68
    plain.removeFromSuperlayer()
    #expect(gradient.frame == CGRect(x: 0, y: 250, width: 320, height: 68) && view.layer.sublayers == [gradient])
    view.layer.frame.origin.x = 9
    #expect(view.frame.minX == 9)
  }

  @Test func aLayersColourIsThatOfAView() {
    let color = UIColor(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4)
    let view = UIView()
    let layer = view.layer
    layer.borderColor = color.cgColor
    layer.backgroundColor = color.cgColor
    #expect(view.backgroundColor?.blue == 0.3)
    view.backgroundColor = .white
    #expect(layer.backgroundColor?.components == [1, 1, 1, 1])
    #expect(layer.borderColor?.components == [0.1, 0.2, 0.3, 0.4] && layer.borderColor?.alpha == 0.4)
    #expect(layer.borderColor.map { UIColor(cgColor: $0).green } == 0.2)
  }
}
