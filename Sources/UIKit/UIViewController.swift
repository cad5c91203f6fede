import Foundation

public enum UIStatusBarStyle: Int, Sendable {
  case `default`, lightContent
  case darkContent = 3
}

/// Loads a view, and is notified when the view enters or leaves a window, and when it is laid out.
open class UIViewController: UIResponder, NSCoding {
  private enum Appearance { case disappeared, appearing, appeared, disappearing }

  open var title: String?
  open var preferredStatusBarStyle: UIStatusBarStyle { .default }
  open var traitCollection: UITraitCollection { .current }
  public private(set) final var children: [UIViewController] = []
  public private(set) final weak var parent: UIViewController?
  open private(set) var viewIfLoaded: UIView?
  private final var appearance = Appearance.disappeared
  private final var appearsAnimated = false

  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  public convenience override init() { self.init(nibName: nil, bundle: nil) }

  public required init?(coder: NSCoder) { super.init() }

  open func encode(with coder: NSCoder) {}

  // MARK: The view

  /// The view, which is loaded at the first access.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return viewIfLoaded
    }
    set {
      viewIfLoaded?.controller = nil
      viewIfLoaded = newValue
      newValue?.controller = self
    }
  }

  open var isViewLoaded: Bool { viewIfLoaded != nil }

  open func loadViewIfNeeded() {
    guard viewIfLoaded == nil else { return }
    loadView()
    viewDidLoad()
  }

  /// Sets `view` to a view as large as the screen, unless overridden. There are no nibs.
  open func loadView() { view = UIView(frame: UIScreen.main.bounds) }

  open func viewDidLoad() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewWillDisappear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}
  open func viewWillLayoutSubviews() {}
  open func viewDidLayoutSubviews() {}

  /// The area above the view's safe area. `bottomLayoutGuide` is the area below the safe area.
  open var topLayoutGuide: any UILayoutSupport { UILayoutGuide(of: view, .aboveSafeArea) }
  open var bottomLayoutGuide: any UILayoutSupport { UILayoutGuide(of: view, .belowSafeArea) }

  // MARK: Appearance

  /// Whether the view is entering a window or has entered one.
  final var isShown: Bool { appearance == .appearing || appearance == .appeared }

  /// Does nothing if the transition has begun already.
  open func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
    guard isShown != isAppearing else { return }
    (appearance, appearsAnimated) = (isAppearing ? .appearing : .disappearing, animated)
    if isAppearing { viewWillAppear(animated) } else { viewWillDisappear(animated) }
  }

  open func endAppearanceTransition() {
    switch appearance {
    case .appearing:
      appearance = .appeared
      viewDidAppear(appearsAnimated)
    case .disappearing:
      appearance = .disappeared
      viewDidDisappear(appearsAnimated)
    case .appeared, .disappeared: break
    }
  }

  // MARK: Containers

  open var navigationController: UINavigationController? {
    parent.flatMap { $0 as? UINavigationController ?? $0.navigationController }
  }

  /// Adds a child controller. The caller must add the child's view.
  open func addChild(_ childController: UIViewController) {
    guard childController.parent !== self else { return }
    childController.removeFromParent()
    childController.willMove(toParent: self)
    childController.parent = self
    children.append(childController)
  }

  open func removeFromParent() {
    guard let parent else { return }
    parent.children.removeAll { $0 === self }
    self.parent = nil
    didMove(toParent: nil)
  }

  open func willMove(toParent parent: UIViewController?) {}
  open func didMove(toParent parent: UIViewController?) {}
}

/// The root of a view hierarchy, with the view of a controller. The driver (the code that replaces the display) calls
/// `step(by:)` and `layoutIfNeeded()` of the window in each frame.
open class UIWindow: UIView {
  open private(set) var isKeyWindow = false
  open var rootViewController: UIViewController? {
    didSet {
      guard isKeyWindow, rootViewController !== oldValue else { return }
      oldValue?.view.removeFromSuperview()
      showRoot()
    }
  }

  /// Shows the view of the root controller. The view appears and is laid out at once.
  open func makeKeyAndVisible() {
    guard !isKeyWindow else { return }
    isKeyWindow = true
    showRoot()
  }

  private func showRoot() {
    guard let view = rootViewController?.view else { return }
    view.frame = bounds
    view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    addSubview(view)
  }
}

extension UIView {
  /// The dimensions of a view (width, height) that grow with its superview. In this module, margins never grow.
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
    public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
  }

  public final var window: UIWindow? { self as? UIWindow ?? superview?.window }

  /// Notifies the controllers of this view, and of the views inside it, that their views have entered or left a window.
  /// Skips the controllers that a navigation controller has already notified.
  final func moved(from old: UIWindow?) {
    let isAppearing = window != nil
    guard isAppearing != (old != nil) else { return }
    let changing = controllers.filter { $0.isShown != isAppearing }
    for controller in changing { controller.beginAppearanceTransition(isAppearing, animated: false) }
    if superview is UIWindow { layoutIfNeeded() }
    for controller in changing.reversed() { controller.endAppearanceTransition() }
  }

  private final var controllers: [UIViewController] {
    (controller.map { [$0] } ?? []) + subviews.flatMap(\.controllers)
  }

  /// Resizes the view after a change of the superview's size.
  final func autoresize(by change: CGSize) {
    guard translatesAutoresizingMaskIntoConstraints,
      !autoresizingMask.isDisjoint(with: [.flexibleWidth, .flexibleHeight])
    else { return }
    frame.size.width += autoresizingMask.contains(.flexibleWidth) ? change.width : 0
    frame.size.height += autoresizingMask.contains(.flexibleHeight) ? change.height : 0
  }
}
