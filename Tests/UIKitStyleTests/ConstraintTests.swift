import Testing
import UIKit

/// Tests constraints in a view of 100×100 points.
@Suite struct ConstraintTests {
  private final class Content: UIView { override var intrinsicContentSize: CGSize { CGSize(width: 30, height: 20) } }

  private let root = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))

  private func add<View: UIView>(_ view: View, to superview: UIView? = nil) -> View {
    view.translatesAutoresizingMaskIntoConstraints = false
    (superview ?? root).addSubview(view)
    return view
  }

  private func activate(_ constraints: NSLayoutConstraint...) {
    NSLayoutConstraint.activate(constraints)
    root.layoutIfNeeded()
  }

  @Test func aViewLeavesItsConstraintsToTheOldSuperviewBehind() {
    let view = add(UIView())
    let inner = add(UIView(), to: view)
    let neighbor = add(UIView())
    let width = view.widthAnchor.constraint(equalToConstant: 30)
    let within = inner.leadingAnchor.constraint(equalTo: view.leadingAnchor)
    let outside = [
      view.leadingAnchor.constraint(equalTo: root.leadingAnchor),
      root.bottomAnchor.constraint(equalTo: inner.bottomAnchor),
      neighbor.leadingAnchor.constraint(equalTo: view.trailingAnchor),
    ]
    activate(width, within, outside[0], outside[1], outside[2])
    #expect(neighbor.frame.minX == 30 && root.constraints.count == 3)
    root.bringSubviewToFront(view)
    #expect(outside.allSatisfy { $0.isActive })
    view.removeFromSuperview()
    #expect(outside.allSatisfy { !$0.isActive } && root.constraints.isEmpty)
    #expect(width.isActive && within.isActive)
    let other = UIView(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
    root.addSubview(other)
    other.addSubview(view)
    view.leadingAnchor.constraint(equalTo: other.leadingAnchor, constant: 5).isActive = true
    root.layoutIfNeeded()
    #expect(view.frame.minX == 5 && view.frame.width == 30)
  }

  @Test func theConstraintWithTheHighestPriorityApplies() {
    let view = add(UIView())
    let wish = view.widthAnchor.constraint(equalToConstant: 80)
    wish.priority = .defaultLow
    let rule = view.widthAnchor.constraint(equalToConstant: 40)
    rule.priority = .defaultHigh
    activate(wish, rule)
    #expect(view.frame.width == 40)
    rule.isActive = false
    root.layoutIfNeeded()
    #expect(view.frame.width == 80)
  }

  @Test func aViewIsPlacedNextToOneThatIsAsLargeAsItsContent() {
    let (title, subtitle, rest) = (add(Content()), add(Content()), add(Content()))
    activate(
      title.topAnchor.constraint(equalTo: root.topAnchor),
      subtitle.topAnchor.constraint(equalTo: title.bottomAnchor, constant: 5),
      rest.topAnchor.constraint(equalTo: subtitle.bottomAnchor),
      rest.bottomAnchor.constraint(equalTo: root.bottomAnchor))
    #expect(title.frame.height == 20 && subtitle.frame.minY == 25 && rest.frame.minY == 45 && rest.frame.height == 55)
  }

  @Test func inequalitiesLimitWhatTheContentPrefers() {
    let (high, narrow, wide) = (add(Content()), add(Content()), add(UIView()))
    activate(
      high.heightAnchor.constraint(greaterThanOrEqualToConstant: 44),
      high.widthAnchor.constraint(greaterThanOrEqualToConstant: 10),
      narrow.widthAnchor.constraint(lessThanOrEqualToConstant: 25),
      narrow.trailingAnchor.constraint(lessThanOrEqualTo: root.trailingAnchor),
      wide.leadingAnchor.constraint(greaterThanOrEqualTo: root.leadingAnchor, constant: 10),
      wide.trailingAnchor.constraint(equalTo: root.trailingAnchor))
    #expect(high.frame.size == CGSize(width: 30, height: 44) && narrow.frame.width == 25)
    #expect(narrow.frame.minX == 75 && wide.frame.minX == 10 && wide.frame.width == 90)
  }

  @Test func aViewGrowsWithItsContentAlthoughANeighborOutsideFollowsIt() {
    final class Text: UIView {
      var width: CGFloat = 30
      override var intrinsicContentSize: CGSize { CGSize(width: width, height: 20) }
    }
    let card = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 50))
    root.addSubview(card)
    let (label, badge, beside) = (add(Text(), to: card), add(Content()), UIView(frame: phone))
    root.addSubview(beside)
    activate(
      label.leadingAnchor.constraint(equalTo: root.leadingAnchor, constant: 5),
      badge.leadingAnchor.constraint(equalTo: label.trailingAnchor, constant: 4),
      label.topAnchor.constraint(equalTo: beside.topAnchor, constant: 3))
    #expect(label.frame == CGRect(x: 5, y: 3, width: 30, height: 20) && badge.frame.minX == 39)
    label.width = 50
    label.invalidateIntrinsicContentSize()
    card.frame.origin.y = 1
    card.layoutIfNeeded()
    // Views outside of the card that constraints do not place still count.
    #expect(label.frame == CGRect(x: 5, y: 2, width: 50, height: 20) && badge.frame.minX == 39)
    root.layoutIfNeeded()
    #expect(label.frame.width == 50 && badge.frame.minX == 59)
  }

  @Test func lengthsCanBeLimitedToAShareOfAnother() {
    let (low, high) = (add(UIView()), add(UIView()))
    activate(
      low.heightAnchor.constraint(lessThanOrEqualTo: root.heightAnchor, multiplier: 0.5, constant: -10),
      high.heightAnchor.constraint(greaterThanOrEqualTo: root.heightAnchor, multiplier: 0.3))
    #expect(low.frame.height == 40 && high.frame.height == 30)
  }

  @Test func aViewRemovesOnlyItsOwnConstraints() {
    let view = add(UIView())
    let constraints = [
      view.widthAnchor.constraint(equalTo: root.widthAnchor), view.heightAnchor.constraint(equalTo: root.heightAnchor),
    ]
    activate(constraints[0], constraints[1])
    view.removeConstraint(constraints[0])
    #expect(constraints[0].isActive && root.constraints == constraints)
    root.removeConstraints(constraints)
    #expect(!constraints[0].isActive && !constraints[1].isActive && root.constraints.isEmpty)
  }

  @Test func aViewCanAddAndRemoveItsConstraints() {
    let view = add(UIView())
    let constraint = view.widthAnchor.constraint(equalToConstant: 25)
    root.addConstraints([constraint])
    root.layoutIfNeeded()
    #expect(view.frame.width == 25 && constraint.isActive && root.constraints == [constraint])
    root.removeConstraint(constraint)
    #expect(!constraint.isActive && root.constraints.isEmpty)
  }
}
