import Foundation

/// The screen of a phone from the time of the articles in docs/sources.md: 320×568 points.
public final class UIScreen: NSObject, Sendable {
  public static let main = UIScreen()

  /// The rectangle of the screen, points.
  public var bounds: CGRect { CGRect(x: 0, y: 0, width: 320, height: 568) }
  public var nativeBounds: CGRect { CGRect(x: 0, y: 0, width: 640, height: 1136) }
  /// The number of pixels per point.
  public var scale: CGFloat { 2 }
  public var nativeScale: CGFloat { 2 }
  public var maximumFramesPerSecond: Int { 60 }
  public var traitCollection: UITraitCollection { .current }
}

extension CGFloat {
  /// The length in points, rounded down to whole pixels and at least 0. Tolerates rounding errors.
  var wholePixels: CGFloat { Swift.max(0, (self * UIScreen.main.scale + 1e-6).rounded(.down) / UIScreen.main.scale) }

  /// The position in points, rounded to the nearest pixel.
  var onPixel: CGFloat { (self * UIScreen.main.scale).rounded() / UIScreen.main.scale }
}

public enum UIUserInterfaceSizeClass: Int, Sendable { case unspecified, compact, regular }

public enum UIUserInterfaceIdiom: Int, Sendable {
  case unspecified = -1
  case phone, pad, tv, carPlay
}

public enum UIUserInterfaceStyle: Int, Sendable { case unspecified, light, dark }

/// The traits of a phone that is held upright.
public final class UITraitCollection: NSObject, Sendable {
  public static let current = UITraitCollection()

  public var horizontalSizeClass: UIUserInterfaceSizeClass { .compact }
  public var verticalSizeClass: UIUserInterfaceSizeClass { .regular }
  public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
  public var userInterfaceStyle: UIUserInterfaceStyle { .light }
  public var layoutDirection: UIUserInterfaceLayoutDirection { .leftToRight }
  public var displayScale: CGFloat { UIScreen.main.scale }
}

public final class UIDevice: NSObject, Sendable {
  public static let current = UIDevice()
  /// The name of a notification that is never posted, because the device is always held upright.
  public static let orientationDidChangeNotification = Notification.Name("UIDeviceOrientationDidChangeNotification")

  public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
  public var orientation: UIDeviceOrientation { .portrait }
}

public enum UIDeviceOrientation: Int, Sendable {
  case unknown, portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown

  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}

public final class UIApplication: NSObject, Sendable {
  public static let shared = UIApplication()

  public var userInterfaceLayoutDirection: UIUserInterfaceLayoutDirection { .leftToRight }
}

/// A color, which is only stored, because nothing is drawn.
public final class UIColor: NSObject, Sendable {
  public let cgColor: CGColor
  public var red: CGFloat { cgColor.red }
  public var green: CGFloat { cgColor.green }
  public var blue: CGFloat { cgColor.blue }
  public var alpha: CGFloat { cgColor.alpha }

  public init(cgColor: CGColor) { self.cgColor = cgColor }

  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(cgColor: CGColor(red: red, green: green, blue: blue, alpha: alpha))
  }

  public convenience init(white: CGFloat, alpha: CGFloat) {
    self.init(red: white, green: white, blue: white, alpha: alpha)
  }

  public convenience init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
    func part(_ offset: CGFloat) -> CGFloat {
      let sixth = (offset + 6 * min(max(0, hue), 1)).truncatingRemainder(dividingBy: 6)
      return brightness * (1 - saturation * max(0, min(sixth, 4 - sixth, 1)))
    }
    self.init(red: part(5), green: part(3), blue: part(1), alpha: alpha)
  }

  /// - Parameters: The amounts of red, green and blue, from 0 to 255.
  private convenience init(bytes red: CGFloat, _ green: CGFloat, _ blue: CGFloat) {
    self.init(red: red / 255, green: green / 255, blue: blue / 255, alpha: 1)
  }

  public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
    UIColor(red: red, green: green, blue: blue, alpha: alpha)
  }

  public static let black = UIColor(white: 0, alpha: 1)
  public static let white = UIColor(white: 1, alpha: 1)
  public static let gray = UIColor(white: 0.5, alpha: 1)
  public static let lightGray = UIColor(white: 2 / 3, alpha: 1)
  public static let darkGray = UIColor(white: 1 / 3, alpha: 1)
  // The following colors have the values of the light appearance.
  public static let label = black
  public static let secondaryLabel = UIColor(red: 60 / 255, green: 60 / 255, blue: 67 / 255, alpha: 0.6)
  public static let tertiaryLabel = UIColor(red: 60 / 255, green: 60 / 255, blue: 67 / 255, alpha: 0.3)
  public static let systemBackground = white
  public static let secondarySystemBackground = UIColor(bytes: 242, 242, 247)
  public static let tertiarySystemBackground = white
  public static let systemGroupedBackground = secondarySystemBackground
  public static let secondarySystemGroupedBackground = white
  public static let tertiarySystemGroupedBackground = secondarySystemBackground
  public static let systemBlue = UIColor(bytes: 0, 122, 255)
  public static let systemGreen = UIColor(bytes: 52, 199, 89)
  public static let systemIndigo = UIColor(bytes: 88, 86, 214)
  public static let systemOrange = UIColor(bytes: 255, 149, 0)
  public static let systemPink = UIColor(bytes: 255, 45, 85)
  public static let systemPurple = UIColor(bytes: 175, 82, 222)
  public static let systemRed = UIColor(bytes: 255, 59, 48)
  public static let systemTeal = UIColor(bytes: 48, 176, 199)
  public static let systemYellow = UIColor(bytes: 255, 204, 0)
  public static let systemGray = UIColor(bytes: 142, 142, 147)
  public static let systemGray2 = UIColor(bytes: 174, 174, 178)
  public static let systemGray3 = UIColor(bytes: 199, 199, 204)
  public static let systemGray4 = UIColor(bytes: 209, 209, 214)
  public static let systemGray5 = UIColor(bytes: 229, 229, 234)
  public static let systemGray6 = UIColor(bytes: 242, 242, 247)
  public static let separator = UIColor(red: 60 / 255, green: 60 / 255, blue: 67 / 255, alpha: 0.29)
  public static let clear = UIColor(white: 0, alpha: 0)
  public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
  public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
  public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
  public static let cyan = UIColor(red: 0, green: 1, blue: 1, alpha: 1)
  public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
  public static let magenta = UIColor(red: 1, green: 0, blue: 1, alpha: 1)
  public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
  public static let purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1)
  public static let brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
}

/// The color type of layers.
public final class CGColor: Sendable {
  let red: CGFloat
  let green: CGFloat
  let blue: CGFloat
  public let alpha: CGFloat

  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// Red, green, blue and the opacity.
  public var components: [CGFloat]? { [red, green, blue, alpha] }
}

/// Corners of a layer.
public struct CACornerMask: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let layerMinXMinYCorner = CACornerMask(rawValue: 1)
  public static let layerMaxXMinYCorner = CACornerMask(rawValue: 2)
  public static let layerMinXMaxYCorner = CACornerMask(rawValue: 4)
  public static let layerMaxXMaxYCorner = CACornerMask(rawValue: 8)
}

/// A layer. Nothing is drawn. It has the frame and the background color of its view, and stores the other properties.
open class CALayer: NSObject {
  private final var ownFrame = CGRect.zero
  /// The layers that were added to this one. The layers of subviews are not among them.
  open private(set) var sublayers: [CALayer]?
  public private(set) final weak var superlayer: CALayer?
  open var isHidden = false
  open var maskedCorners = CACornerMask(rawValue: 15)
  private final weak var view: UIView?
  private final var ownBackgroundColor: CGColor?
  open var cornerRadius: CGFloat = 0
  open var masksToBounds = false
  open var zPosition: CGFloat = 0
  open var opacity: Float = 1
  open var borderWidth: CGFloat = 0
  open var borderColor: CGColor? = UIColor.black.cgColor
  open var shadowColor: CGColor? = UIColor.black.cgColor
  open var shadowOpacity: Float = 0
  open var shadowRadius: CGFloat = 3
  open var shadowOffset = CGSize(width: 0, height: -3)
  open var anchorPoint = CGPoint(x: 0.5, y: 0.5)
  open var shouldRasterize = false
  open var rasterizationScale: CGFloat = 1
  open var transform = CATransform3DIdentity
  open var mask: CALayer?

  public override init() { super.init() }

  init(of view: UIView) { self.view = view }

  /// The background color of the layer's view, or the layer's own color if it has no view.
  open var backgroundColor: CGColor? {
    get { view.map(\.backgroundColor?.cgColor) ?? ownBackgroundColor }
    set {
      ownBackgroundColor = newValue
      view?.backgroundColor = newValue.map { UIColor(cgColor: $0) }
    }
  }

  open var frame: CGRect {
    get { view?.frame ?? ownFrame }
    set { if let view { view.frame = newValue } else { ownFrame = newValue } }
  }

  open var bounds: CGRect {
    get { view?.bounds ?? CGRect(origin: .zero, size: ownFrame.size) }
    set {
      if let view { view.bounds = newValue } else { ownFrame = CGRect(center: ownFrame.center, size: newValue.size) }
    }
  }

  open func addSublayer(_ layer: CALayer) { insertSublayer(layer, at: UInt32(sublayers?.count ?? 0)) }

  open func insertSublayer(_ layer: CALayer, at idx: UInt32) {
    layer.removeFromSuperlayer()
    layer.superlayer = self
    var layers = sublayers ?? []
    layers.insert(layer, at: min(Int(idx), layers.count))
    sublayers = layers
  }

  open func removeFromSuperlayer() {
    superlayer?.sublayers?.removeAll { $0 === self }
    superlayer = nil
  }
}

/// A layer with a gradient, which is not drawn.
open class CAGradientLayer: CALayer {
  open var colors: [Any]?
  open var locations: [NSNumber]?
  open var startPoint = CGPoint(x: 0.5, y: 0)
  open var endPoint = CGPoint(x: 0.5, y: 1)
}

/// A nib that is never loaded.
open class UINib: NSObject { public init(nibName name: String, bundle: Bundle?) { super.init() } }
