import Testing
import UIKit

/// Records the states and the places of the gesture recognizers that call `feel(_:)`.
private final class Hand: NSObject {
  var states: [UIGestureRecognizer.State] = []
  var places: [CGPoint] = []

  func feel(_ sender: UIGestureRecognizer) {
    states.append(sender.state)
    places.append(sender.location(in: sender.view))
  }
}

private final class Colors: NSObject, UICollectionViewDataSource, UICollectionViewDelegate {
  var calls: [String] = []
  var fixed: Set<Int> = []

  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 200 }

  func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell {
    calls.append("make \(indexPath.item)")
    return collectionView.dequeueReusableCell(withReuseIdentifier: "cell", for: indexPath)
  }

  func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
    !fixed.contains(indexPath.item)
  }

  func collectionView(_ collectionView: UICollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool {
    !fixed.contains(indexPath.item)
  }

  func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
    calls.append("select \(indexPath.item)")
  }

  func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {
    calls.append("deselect \(indexPath.item)")
  }
}

private final class Permission: NSObject, UIGestureRecognizerDelegate {
  var allowed = true

  func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { allowed }

  func gestureRecognizer(
    _ gestureRecognizer: UIGestureRecognizer,
    shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
  ) -> Bool { allowed }
}

@Suite struct GestureTests {
  private let hand = Hand()
  private let view = UIView(frame: phone)

  private func add<Recognizer: UIGestureRecognizer>(_ recognizer: Recognizer) -> Recognizer {
    recognizer.addTarget(hand, action: Selector(Hand.feel(_:)))
    view.addGestureRecognizer(recognizer)
    return recognizer
  }

  /// Returns a list of rows 100 points high, after its first layout pass.
  private func rows(of colors: Colors) -> UICollectionView {
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: 320, height: 100)
    layout.minimumLineSpacing = 0
    let list = UICollectionView(frame: phone, collectionViewLayout: layout)
    (list.dataSource, list.delegate) = (colors, colors)
    list.layoutIfNeeded()
    return list
  }

  private func wait(_ frames: Int) { for _ in 0..<frames { view.step(by: 1 / 60) } }

  @Test func aPressBeginsAfterHalfASecondAndMoves() {
    let press = add(UILongPressGestureRecognizer())
    view.touch(CGPoint(x: 100, y: 100))
    wait(29)
    #expect(hand.states.isEmpty)
    wait(1)
    view.touch(CGPoint(x: 150, y: 120))
    view.touch()
    #expect(hand.states == [.began, .changed, .ended])
    #expect(hand.places == [CGPoint(x: 100, y: 100), CGPoint(x: 150, y: 120), CGPoint(x: 150, y: 120)])
    #expect(press.state == .possible && press.numberOfTouches == 0)
  }

  @Test func aPressThatMovesTooEarlyIsNone() {
    _ = add(UILongPressGestureRecognizer())
    view.touch(CGPoint(x: 100, y: 100))
    view.touch(CGPoint(x: 111, y: 100))
    wait(60)
    view.touch()
    #expect(hand.states.isEmpty)
  }

  @Test func aPinchFollowsTwoFingersOnTheContent() {
    let list = UICollectionView(frame: phone, collectionViewLayout: UICollectionViewFlowLayout())
    list.contentOffset.y = 300
    let pinch = UIPinchGestureRecognizer()
    var spreads: [CGFloat] = []
    var touches: [Int] = []
    func follow(_ sender: UIPinchGestureRecognizer) {
      touches.append(sender.numberOfTouches)
      let (one, other) = (sender.location(ofTouch: 0, in: list), sender.location(ofTouch: 1, in: list))
      #expect(one.y == 340)
      spreads.append(distance(one, other))
    }
    pinch.addTarget(hand, action: Selector(follow))
    list.addGestureRecognizer(pinch)
    for spread in [100, 105, 120, 150] { list.touch(CGPoint(x: 50, y: 40), CGPoint(x: 50 + spread, y: 40)) }
    #expect(spreads == [120, 150] && pinch.scale == 1.5 && pinch.state == .changed)
    list.touch()
    #expect(spreads == [120, 150, 150] && touches == [2, 2, 2])
  }

  @Test func aRotationFollowsTwoFingersBeyondHalfATurn() {
    let turn = add(UIRotationGestureRecognizer())
    func put(_ angle: CGFloat) {
      let (x, y) = (100 * cos(angle), 100 * sin(angle))
      view.touch(CGPoint(x: 150 - x, y: 200 - y), CGPoint(x: 150 + x, y: 200 + y))
    }
    put(3)
    put(3.05)
    #expect(hand.states == [])
    for angle in stride(from: 3.5, through: 8, by: 0.5) { put(angle) }
    #expect(abs(turn.rotation - 5) < 1e-9 && hand.states.first == .began && turn.state == .changed)
    turn.rotation = 0
    put(7)
    #expect(abs(turn.rotation + 1) < 1e-9)
    view.touch()
    #expect(hand.states.last == .ended)
  }

  @Test func aSwipeIsQuickAndStraight() {
    let swipe = add(UISwipeGestureRecognizer())
    swipe.direction = [.left, .up]
    func move(_ x: CGFloat, _ y: CGFloat, frames: Int = 6) -> [UIGestureRecognizer.State] {
      hand.states = []
      view.touch(CGPoint(x: 150, y: 200))
      wait(frames)
      view.touch(CGPoint(x: 150 + x, y: 200 + y))
      view.touch(CGPoint(x: 150 + 2 * x, y: 200 + 2 * y))
      view.touch()
      return hand.states
    }
    #expect(move(-40, 5) == [.ended] && move(5, -60) == [.ended] && swipe.state == .possible)
    #expect(move(40, 5) == [] && move(-60, 60) == [] && move(-40, 5, frames: 40) == [])
    // One of two fingers lifts, and the other does not move.
    view.touch(CGPoint(x: 150, y: 200), CGPoint(x: 60, y: 200))
    view.touch(CGPoint(x: 60, y: 200))
    #expect(hand.states == [])
  }

  @Test(arguments: [(-80, true), (0, false), (80, false)]) func allFingersOfASwipeMoveTheSameWay(
    other: CGFloat, swipes: Bool
  ) {
    let swipe = add(UISwipeGestureRecognizer())
    (swipe.direction, swipe.numberOfTouchesRequired) = (.left, 2)
    view.touch(CGPoint(x: 150, y: 200), CGPoint(x: 150, y: 300))
    view.touch(CGPoint(x: 70, y: 200), CGPoint(x: 150 + other, y: 300))
    view.touch()
    #expect(hand.states == (swipes ? [.ended] : []))
  }

  @Test func aPanIsMeasuredInTheCoordinatesOfATransformedView() {
    let pan = add(UIPanGestureRecognizer())
    let half = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    view.addSubview(half)
    half.transform = CGAffineTransform(scaleX: 0.5, y: 0.5)
    view.touch(CGPoint(x: 100, y: 100))
    view.touch(CGPoint(x: 120, y: 100))
    view.step(by: 0.1)
    view.touch(CGPoint(x: 130, y: 100))
    view.step(by: 0.1)
    #expect(abs(pan.translation(in: half).x - 60) < 1e-9 && pan.translation(in: view).x == 30)
    #expect(abs(pan.velocity(in: half).x - 200) < 1e-9 && abs(pan.velocity(in: nil).x - 100) < 1e-9)
    pan.setTranslation(CGPoint(x: 10, y: 0), in: half)
    #expect(abs(pan.translation(in: half).x - 10) < 1e-9 && abs(pan.translation(in: nil).x - 5) < 1e-9)
  }

  @Test func aPanOfAViewCountsFromWhereItIsSet() {
    let pan = add(UIPanGestureRecognizer())
    view.touch(CGPoint(x: 10, y: 10))
    wait(1)
    view.touch(CGPoint(x: 40, y: 10))
    wait(1)
    #expect(hand.states == [.began] && pan.translation(in: view).x == 30)
    #expect(abs(pan.velocity(in: view).x - 1800) < 1e-6)
    pan.setTranslation(.zero, in: view)
    view.touch(CGPoint(x: 45, y: 12))
    #expect(pan.translation(in: view) == CGPoint(x: 5, y: 2))
  }

  @Test func oneGestureRunsUnlessADelegateAllowsMore() {
    let (press, pinch) = (add(UILongPressGestureRecognizer()), add(UIPinchGestureRecognizer()))
    press.numberOfTouchesRequired = 2
    let permission = Permission()
    func pinchWhilePressed() -> [UIGestureRecognizer.State] {
      hand.states = []
      view.touch(CGPoint(x: 100, y: 100), CGPoint(x: 200, y: 100))
      wait(31)
      view.touch(CGPoint(x: 100, y: 100), CGPoint(x: 260, y: 100))
      view.touch()
      return hand.states
    }
    #expect(pinchWhilePressed() == [.began, .changed, .ended])
    pinch.delegate = permission
    #expect(pinchWhilePressed() == [.began, .changed, .began, .ended, .ended])
    press.delegate = permission
    permission.allowed = false
    #expect(pinchWhilePressed().isEmpty)
  }

  @Test func disablingCancelsAndATargetThatIsGoneIsNotCalled() {
    let press = add(UILongPressGestureRecognizer())
    press.addTarget(Hand(), action: Selector(Hand.feel(_:)))
    view.touch(.zero)
    wait(31)
    press.isEnabled = false
    view.touch()
    #expect(hand.states == [.began, .cancelled])
    press.isEnabled = true
    press.removeTarget(hand, action: nil)
    view.touch(.zero)
    wait(31)
    #expect(hand.states.count == 2 && press.state == .began)
  }

  @Test func aDragTellsTheTargetsOfTheScrollViewsPan() {
    let list = UICollectionView(frame: phone, collectionViewLayout: UICollectionViewFlowLayout())
    list.panGestureRecognizer.addTarget(hand, action: Selector(Hand.feel(_:)))
    list.scroll(to: CGPoint(x: 0, y: 5), touch: CGPoint(x: 100, y: 200))
    list.scroll(to: CGPoint(x: 0, y: 9), touch: CGPoint(x: 100, y: 196))
    list.endDragging(withVelocity: .zero)
    list.scroll(to: CGPoint(x: 0, y: 12))
    #expect(hand.states == [.began, .changed, .ended])
    #expect(hand.places.prefix(2) == [CGPoint(x: 100, y: 205), CGPoint(x: 100, y: 205)])
    #expect(list.panGestureRecognizer.state == .possible)
  }

  /// A delegate that reads how far the finger of a scroll has moved when it lifts.
  private final class Snapper: NSObject, UICollectionViewDelegate {
    var translations: [CGPoint] = []

    func scrollViewWillEndDragging(
      _ scrollView: UIScrollView, withVelocity velocity: CGPoint, targetContentOffset: UnsafeMutablePointer<CGPoint>
    ) { lift(scrollView.panGestureRecognizer) }
    func lift(_ pan: UIPanGestureRecognizer) {
      if pan.state == .ended { translations.append(pan.translation(in: nil)) }
    }
  }

  @Test func aFingerThatLiftsHasStillMoved() {
    let list = UICollectionView(frame: phone, collectionViewLayout: UICollectionViewFlowLayout())
    let snapper = Snapper()
    list.delegate = snapper
    list.panGestureRecognizer.addTarget(snapper, action: Selector(Snapper.lift(_:)))
    list.scroll(to: .zero, touch: CGPoint(x: 100, y: 200))
    list.scroll(to: CGPoint(x: 0, y: 9), touch: CGPoint(x: 90, y: 191))
    list.endDragging(withVelocity: .zero)
    #expect(snapper.translations == [CGPoint(x: -10, y: -9), CGPoint(x: -10, y: -9)])
    #expect(list.panGestureRecognizer.translation(in: nil) == .zero)
  }

  @Test func aTapChangesOnlyWhatTheDelegateAllowsAndCellsShowTheSelection() throws {
    let colors = Colors()
    let list = rows(of: colors)
    list.allowsMultipleSelection = true
    let cells = list.visibleCells
    func tap(_ item: Int) {
      list.touch(CGPoint(x: 100, y: 100 * item + 50))
      list.touch()
    }
    colors.fixed = [1]
    for item in [0, 1, 2] { tap(item) }
    #expect(cells.map(\.isSelected) == [true, false, true, false, false, false])
    colors.fixed = [0]
    for item in [0, 2] { tap(item) }
    #expect(list.indexPathsForSelectedItems == [IndexPath(item: 0, section: 0)])
    list.moveItem(at: IndexPath(item: 0, section: 0), to: IndexPath(item: 4, section: 0))
    #expect(cells[0].isSelected && list.indexPath(for: cells[0])?.item == 4)
    list.deselectItem(at: IndexPath(item: 4, section: 0), animated: false)
    #expect(!cells[0].isSelected)
  }

  @Test func updatesWithoutAnimationAreShownAtOnce() {
    let colors = Colors()
    let list = rows(of: colors)
    func move() { list.moveItem(at: IndexPath(item: 0, section: 0), to: IndexPath(item: 3, section: 0)) }
    UIView.performWithoutAnimation {
      #expect(!UIView.areAnimationsEnabled)
      move()
    }
    list.layoutIfNeeded()
    #expect(list.animatedItemCount == 0 && UIView.areAnimationsEnabled)
    move()
    list.layoutIfNeeded()
    #expect(list.animatedItemCount > 0)
  }

  @Test func aTapSelectsAndCellsAreMadeForThoseWhoAsk() throws {
    let colors = Colors()
    let list = rows(of: colors)
    func tap(_ y: CGFloat) {
      list.touch(CGPoint(x: 100, y: y))
      list.touch()
    }
    tap(150)
    tap(150)
    tap(250)
    #expect(colors.calls == ["select 1", "select 1", "deselect 1", "select 2"])
    colors.calls = []
    let cell = try #require(list.cellForItem(at: IndexPath(item: 2, section: 0)))
    #expect(cell.isSelected && cell.frame.minY == 200 && list.indexPath(for: cell)?.item == 2)
    #expect(list.cellForItem(at: IndexPath(item: 2, section: 0)) === cell && colors.calls == ["make 2"])
    #expect(list.cellForItem(at: IndexPath(item: 90, section: 0)) == nil && list.visibleCells.count == 6)
    list.contentOffset.y = 1000
    list.layoutIfNeeded()
    list.contentOffset.y = 0
    #expect(cell.superview == nil && list.cellForItem(at: IndexPath(item: 2, section: 0)) !== cell)
    list.allowsMultipleSelection = true
    tap(350)
    tap(250)
    #expect(list.indexPathsForSelectedItems == [IndexPath(item: 3, section: 0)])
    list.reloadData()
    #expect(list.subviews.isEmpty)
  }
}
