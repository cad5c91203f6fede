import Foundation

/// The system font. It only measures text: nothing is drawn.
///
/// Letters have the widths of Helvetica, from Adobe's `Helvetica.afm`. In semibold and heavier fonts they are 6% wider.
/// An accent does not change the width of a letter. Other characters outside of ASCII are as wide as a digit. The width
/// of an emoji or of a character of an East Asian script is the font size. Lines are as high as those of Apple's San
/// Francisco.
public final class UIFont: NSObject, Sendable {
  public enum Weight: CGFloat, Sendable {
    case ultraLight = -0.8
    case thin = -0.6
    case light = -0.4
    case regular = 0
    case medium = 0.23
    case semibold = 0.3
    case bold = 0.4
    case heavy = 0.56
    case black = 0.62
  }

  public enum TextStyle: Int, Sendable {
    case largeTitle, title1, title2, title3, headline, body, callout, subheadline, footnote, caption1, caption2
  }

  /// The size of the font, points.
  public let pointSize: CGFloat
  private let weight: Weight

  private init(_ pointSize: CGFloat, _ weight: Weight) { (self.pointSize, self.weight) = (pointSize, weight) }

  /// Creates the system font, because there are no other fonts. It is bold if the name contains "bold".
  public convenience init?(name fontName: String, size fontSize: CGFloat) {
    self.init(fontSize, fontName.lowercased().contains("bold") ? .bold : .regular)
  }

  public class func systemFont(ofSize fontSize: CGFloat, weight: Weight = .regular) -> UIFont {
    UIFont(fontSize, weight)
  }
  public class func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize, .bold) }
  public func withSize(_ fontSize: CGFloat) -> UIFont { UIFont(fontSize, weight) }

  /// The font of a text style at the default text size of iOS.
  public class func preferredFont(forTextStyle style: TextStyle) -> UIFont {
    let sizes: [CGFloat] = [34, 28, 22, 20, 17, 17, 16, 15, 13, 12, 11]
    return UIFont(sizes[style.rawValue], style == .headline ? .semibold : .regular)
  }

  // San Francisco reaches from 494 units below the baseline to 1950 units above it. The font size is 2048 units.
  public var ascender: CGFloat { pointSize * 1950 / 2048 }
  public var descender: CGFloat { pointSize * -494 / 2048 }
  public var lineHeight: CGFloat { ascender - descender }

  /// The width of a character, points.
  func advance(of character: Character) -> CGFloat {
    guard !character.isWide else { return pointSize }
    let letter =
      character.isASCII ? character : String(character).decomposedStringWithCanonicalMapping.first { $0.isASCII }
    let index = Int(letter?.asciiValue ?? 48) - 32
    guard Self.widths.indices.contains(index) else { return 0 }
    return Self.widths[index] * pointSize / 1000 * (weight.rawValue >= Weight.semibold.rawValue ? 1.06 : 1)
  }

  /// The widths of the printable ASCII characters, thousandths of the font size.
  private static let widths: [CGFloat] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
  ]
}

/// Scales fonts and lengths with the reader's text size. In this module, it is always the default size, so nothing
/// changes.
public final class UIFontMetrics: NSObject, Sendable {
  public static let `default` = UIFontMetrics(forTextStyle: .body)

  public init(forTextStyle textStyle: UIFont.TextStyle) {}

  public func scaledFont(for font: UIFont) -> UIFont { font }
  public func scaledFont(for font: UIFont, maximumPointSize: CGFloat) -> UIFont {
    font.withSize(min(font.pointSize, maximumPointSize))
  }
  public func scaledValue(for value: CGFloat) -> CGFloat { value }
}

extension Character {
  /// Whether the character is at U+2E80 or above, where East Asian scripts and most emoji are. A line may end before
  /// and after such a character.
  var isWide: Bool { unicodeScalars.first.map { $0.value >= 0x2E80 } == true }
}
