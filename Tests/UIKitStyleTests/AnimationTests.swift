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
    #expect(view.alpha == 0.25 && view.transform.a == 2 && finished == [true, true])
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
