import Foundation

/// A view whose intrinsic size is the size of its text. Nothing is drawn.
open class UILabel: UIView {
  private final var content: NSAttributedString?
  // The property is implicitly unwrapped, because an app may assign the optional result of `UIFont(name:size:)`.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var font: UIFont! = UIFont.systemFont(ofSize: 17)
  open var textColor: UIColor? = UIColor.label
  open var textAlignment = NSTextAlignment.natural
  open var lineBreakMode = NSLineBreakMode.byTruncatingTail
  /// The largest number of lines. 0 means no limit.
  open var numberOfLines = 1
  /// The largest length of a line in `intrinsicContentSize`, points. 0 means no limit.
  open var preferredMaxLayoutWidth: CGFloat = 0
  open var text: String? { didSet { content = nil } }

  /// The text with its own fonts. Setting `attributedText` also sets `text`.
  open var attributedText: NSAttributedString? {
    get { content ?? text.map { NSAttributedString(string: $0, attributes: [.font: font as Any]) } }
    set {
      text = newValue?.string
      content = newValue
    }
  }

  /// Returns the size of the text, rounded up to whole pixels. Ignores the width of `size` if `numberOfLines` is 1.
  open override func sizeThatFits(_ size: CGSize) -> CGSize {
    guard let text, !text.isEmpty else { return .zero }
    let measured = content.map { MeasuredText($0) } ?? MeasuredText(text, [.font: font as Any])
    let fitting = measured.size(width: numberOfLines == 1 ? 0 : size.width, lines: numberOfLines)
    let scale = UIScreen.main.scale
    return CGSize(
      width: (fitting.width * scale).rounded(.up) / scale, height: (fitting.height * scale).rounded(.up) / scale)
  }

  open override var intrinsicContentSize: CGSize { sizeThatFits(CGSize(width: preferredMaxLayoutWidth, height: 0)) }
}

/// Text with the widths of its characters. Lines end after words. A word is broken only if it is longer than a line.
struct MeasuredText {
  private var glyphs: [(character: Character, advance: CGFloat, lineHeight: CGFloat)] = []
  /// The height of a line without characters, points.
  private var lineHeight: CGFloat = 0
  private var lineSpacing: CGFloat = 0

  init(_ text: String, _ attributes: [NSAttributedString.Key: Any]?) { append(text, attributes ?? [:]) }

  init(_ text: NSAttributedString) {
    text.enumerateAttributes(in: NSRange(location: 0, length: text.length)) { attributes, range, _ in
      append(text.attributedSubstring(from: range).string, attributes)
    }
  }

  private mutating func append(_ text: String, _ attributes: [NSAttributedString.Key: Any]) {
    // UIKit uses this font if the attributes contain none.
    let font = attributes[.font] as? UIFont ?? UIFont.systemFont(ofSize: 12)
    lineHeight = font.lineHeight
    lineSpacing = max(lineSpacing, (attributes[.paragraphStyle] as? NSParagraphStyle)?.lineSpacing ?? 0)
    glyphs += text.map { ($0, font.advance(of: $0), font.lineHeight) }
  }

  /// Returns the size of the text, points.
  /// - Parameters:
  ///   - width: The length of a line, points. 0 or less means no limit.
  ///   - count: The largest number of lines. 0 means no limit.
  func size(width: CGFloat = 0, lines count: Int = 0) -> CGSize {
    let lines = lines(in: width > 0 ? width : .infinity)
    let shown = lines.prefix(count > 0 ? count : lines.count)
    return CGSize(
      width: shown.reduce(0) { max($0, $1.width) },
      height: shown.reduce(CGFloat(shown.count - 1) * lineSpacing) { $0 + $1.height })
  }

  /// Returns the sizes of the lines. Spaces at the end of a line do not count.
  private func lines(in room: CGFloat) -> [CGSize] {
    var (lines, first, width, solid): ([CGSize], Int, CGFloat, CGFloat) = ([], 0, 0, 0)
    /// The last place where the line may end, and the width of the line up to that place.
    var end: (next: Int, width: CGFloat)?
    func close(at next: Int, _ length: CGFloat) {
      let height = glyphs[first..<next].reduce(0) { max($0, $1.lineHeight) }
      lines.append(CGSize(width: length, height: first < next ? height : lineHeight))
      (first, width, solid, end) = (next, 0, 0, nil)
    }
    var index = 0
    while index < glyphs.count {
      let (character, advance, _) = glyphs[index]
      if index > first, !character.isWhitespace {
        let last = glyphs[index - 1].character
        if last.isWhitespace || last == "-" || last.isWide || character.isWide { end = (index, solid) }
        if width + advance > room + 1e-9 {
          index = end?.next ?? index
          close(at: index, end?.width ?? solid)
          continue
        }
      }
      index += 1
      width += advance
      if character.isNewline { close(at: index, solid) } else if !character.isWhitespace { solid = width }
    }
    close(at: glyphs.count, solid)
    return lines
  }
}

// MARK: - Text outside of labels

extension NSAttributedString.Key {
  public static let font = NSAttributedString.Key(rawValue: "NSFont")
  public static let paragraphStyle = NSAttributedString.Key(rawValue: "NSParagraphStyle")
  public static let foregroundColor = NSAttributedString.Key(rawValue: "NSColor")
}

public enum NSTextAlignment: Int, Sendable { case left, center, right, justified, natural }

public enum NSLineBreakMode: Int, Sendable {
  case byWordWrapping, byCharWrapping, byClipping, byTruncatingHead, byTruncatingTail, byTruncatingMiddle
}

/// The style of a paragraph. Only `lineSpacing` has an effect: lines always end after words.
open class NSParagraphStyle: NSObject {
  /// The distance between lines, points.
  open var lineSpacing: CGFloat = 0
  open var alignment = NSTextAlignment.natural
  open var lineBreakMode = NSLineBreakMode.byWordWrapping
}

open class NSMutableParagraphStyle: NSParagraphStyle {}

public struct NSStringDrawingOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Lines wrap to the width of the given size. Without this option, they end only at the line breaks in the text.
  public static let usesLineFragmentOrigin = NSStringDrawingOptions(rawValue: 1 << 0)
  public static let usesFontLeading = NSStringDrawingOptions(rawValue: 1 << 1)
  public static let usesDeviceMetrics = NSStringDrawingOptions(rawValue: 1 << 3)
  public static let truncatesLastVisibleLine = NSStringDrawingOptions(rawValue: 1 << 5)
}

/// A context for drawing text. It has no effect, because text is never made smaller.
open class NSStringDrawingContext: NSObject {}

extension NSAttributedString {
  public func size() -> CGSize { MeasuredText(self).size() }

  public func boundingRect(with size: CGSize, options: NSStringDrawingOptions = [], context: NSStringDrawingContext?)
    -> CGRect
  {
    let width = options.contains(.usesLineFragmentOrigin) ? size.width : 0
    return CGRect(origin: .zero, size: MeasuredText(self).size(width: width))
  }
}

extension String {
  public func size(withAttributes attributes: [NSAttributedString.Key: Any]? = nil) -> CGSize {
    MeasuredText(self, attributes).size()
  }

  public func boundingRect(
    with size: CGSize, options: NSStringDrawingOptions = [], attributes: [NSAttributedString.Key: Any]? = nil,
    context: NSStringDrawingContext?
  ) -> CGRect {
    let width = options.contains(.usesLineFragmentOrigin) ? size.width : 0
    return CGRect(origin: .zero, size: MeasuredText(self, attributes).size(width: width))
  }
}

extension NSString {
  public func size(withAttributes attributes: [NSAttributedString.Key: Any]? = nil) -> CGSize {
    String(describing: self).size(withAttributes: attributes)
  }

  public func boundingRect(
    with size: CGSize, options: NSStringDrawingOptions = [], attributes: [NSAttributedString.Key: Any]? = nil,
    context: NSStringDrawingContext?
  ) -> CGRect {
    String(describing: self).boundingRect(with: size, options: options, attributes: attributes, context: context)
  }
}
