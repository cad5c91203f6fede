import Testing
import UIKit

/// Tests which animations run in a view without a screen, and which values the view only stores.
@Suite struct AnimationTests {
  @Test func animationsOfViewsAreMadeAtOnce() {
    let view = UIView()
    var finished: [Bool] = []
    UIView.animate(withDuration: 0.3) { view.alpha = 0.5 }
    #expect(view.alpha == 0.5)
    UIView.animate(withDuration: 0.3, delay: 1, options: [.curveEaseOut, .allowUserInteraction]) {
      view.alpha = 0.25
    } completion: {
      finished.append($0)
    }
    UIView.animate(
      withDuration: 0.3, delay: 0, usingSpringWithDamping: 0.7, initialSpringVelocity: 0,
      options: .beginFromCurrentState
    ) {
      view.transform = CGAffineTransform(scaleX: 2, y: 2)
    } completion: {
      finished.append($0)
    }
    #expect(view.alpha == 0.25 && view.transform.a == 2 && finished.isEmpty)
    for _ in 0..<18 { view.step(by: 1 / 60) }
    #expect(finished == [true])
    for _ in 0..<60 { view.step(by: 1 / 60) }
    #expect(finished == [true, true])
  }

  @Test func anAnimationMayFollowAnotherWithoutEnd() {
    let (root, view) = (UIView(), UIView())
    root.addSubview(view)
    func tick() { UIView.animate(withDuration: 0, animations: { view.alpha += 1 }, completion: { _ in tick() }) }
    tick()
    // A step of a superview also advances the animations of its subviews.
    for _ in 0..<100 { root.step(by: 1 / 60) }
    #expect(view.alpha == 102)
    UIView.performWithoutAnimation {
      UIView.animate(withDuration: 9, animations: {}, completion: { _ in view.tag = 1 })
    }
    root.step(by: 0)
    #expect(view.tag == 1)
  }

  @Test func theDriverMayStepAViewInsideAnother() {
    let (root, view) = (UIView(), UIView())
    root.addSubview(view)
    UIView.animate(withDuration: 0.1, animations: {}, completion: { _ in view.tag = 1 })
    view.step(by: 0.1)
    #expect(view.tag == 1)
  }

  @Test func whatOnlyAScreenShowsIsKept() {
    let view = UIScrollView()
    view.keyboardDismissMode = .interactive
    view.backgroundColor = .secondarySystemBackground
    #expect(view.keyboardDismissMode == .interactive && view.backgroundColor == .systemGroupedBackground)
    #expect(UITraitCollection.current.userInterfaceStyle == .light)
    let (first, second) = (CACurrentMediaTime(), CACurrentMediaTime())
    #expect(first > 0 && second >= first)
  }
}
