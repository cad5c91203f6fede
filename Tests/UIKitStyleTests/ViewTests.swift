import Testing
import UIKit

/// Tests how a view relates to its superview and subviews, and which values it only stores.
@Suite struct ViewTests {
  private final class Told: UIView {
    var calls: [String] = []

    override func willMove(toSuperview newSuperview: UIView?) {
      calls.append(newSuperview == nil ? "will go" : "will come")
    }
    override func didMoveToSuperview() { calls.append(superview == nil ? "gone" : "there") }
    override func safeAreaInsetsDidChange() { calls.append("safe area \(safeAreaInsets.top)") }
  }

  private let root = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))

  private func add(_ x: CGFloat, tag: Int, to view: UIView? = nil) -> UIView {
    let child = UIView(frame: CGRect(x: x, y: 0, width: 50, height: 50))
    child.tag = tag
    (view ?? root).addSubview(child)
    return child
  }

  @Test func aTouchReachesTheViewInFront() {
    let (back, front) = (add(10, tag: 1), add(30, tag: 2))
    let inner = add(20, tag: 3, to: front)
    func hit(_ x: CGFloat) -> UIView? { root.hitTest(CGPoint(x: x, y: 10), with: nil) }
    #expect(hit(5) === root && hit(20) === back && hit(40) === front && hit(60) === inner && hit(101) == nil)
    // The inner view extends beyond its superview, and gets no touches there.
    #expect(hit(90) === root)
    inner.isUserInteractionEnabled = false
    #expect(hit(60) === front)
    front.alpha = 0.005
    #expect(hit(40) === back)
    root.isHidden = true
    #expect(hit(5) == nil)
  }

  @Test func aViewIsFoundByItsTag() {
    let inner = add(0, tag: 7, to: add(0, tag: 1))
    #expect(root.viewWithTag(7) === inner && root.viewWithTag(0) === root && root.viewWithTag(8) == nil)
  }

  private final class Asked: UIView {
    var calls = 0

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
      calls += 1
      return super.hitTest(point, with: event)
    }
    override func viewWithTag(_ tag: Int) -> UIView? {
      calls += 1
      return super.viewWithTag(tag)
    }
  }

  @Test func eachViewIsAskedOnce() {
    let inner = Asked(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
    inner.tag = 9
    add(0, tag: 2, to: add(0, tag: 1)).addSubview(inner)
    #expect(root.hitTest(CGPoint(x: 1, y: 1), with: nil) === inner && inner.calls == 1)
    #expect(root.viewWithTag(9) === inner && inner.calls == 2)
  }

  @Test func aViewIsToldWhereItIs() {
    let view = Told()
    root.addSubview(view)
    root.bringSubviewToFront(view)
    view.safeAreaInsets.top = 20
    view.removeFromSuperview()
    view.removeFromSuperview()
    #expect(view.calls == ["will come", "there", "safe area 20.0", "will go", "gone"])
  }

  @Test func aViewInheritsItsTintAndLeavesItsSizeToASnapshot() throws {
    let child = add(40, tag: 0)
    #expect(child.tintColor === UIColor.systemBlue && child.contentMode == .scaleToFill)
    root.tintColor = .red
    child.backgroundColor = .green
    let copy = try #require(child.snapshotView(afterScreenUpdates: false))
    #expect(child.tintColor === UIColor.red && copy.frame == CGRect(x: 0, y: 0, width: 50, height: 50))
    #expect(copy.backgroundColor === UIColor.green && copy !== child)
  }

  @Test func directionalMarginsAreTheLayoutMargins() {
    root.semanticContentAttribute = .forceRightToLeft
    root.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
    #expect(root.layoutMargins == UIEdgeInsets(top: 1, left: 4, bottom: 3, right: 2))
    root.semanticContentAttribute = .forceLeftToRight
    #expect(root.directionalLayoutMargins == NSDirectionalEdgeInsets(top: 1, leading: 4, bottom: 3, trailing: 2))
  }

  @Test func marginsLieInsideTheSafeArea() {
    let child = add(0, tag: 0)
    child.translatesAutoresizingMaskIntoConstraints = false
    root.layoutMargins = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
    root.safeAreaInsets.top = 20
    let guide = root.layoutMarginsGuide
    NSLayoutConstraint.activate([
      child.topAnchor.constraint(equalTo: guide.topAnchor), child.bottomAnchor.constraint(equalTo: guide.bottomAnchor),
      child.leftAnchor.constraint(equalTo: guide.leftAnchor), child.rightAnchor.constraint(equalTo: guide.rightAnchor),
    ])
    root.layoutIfNeeded()
    #expect(child.frame == CGRect(x: 2, y: 21, width: 94, height: 76))
  }
}
