import Testing
import UIKit

/// Tests the sizes of texts, which are computed from Helvetica's widths and San Francisco's line height.
@Suite struct TextTests {
  private let font = UIFont.systemFont(ofSize: 10)

  /// Returns the width of a text and its number of lines, both rounded so that they can be compared.
  private func measure(_ size: CGSize, _ font: UIFont) -> [CGFloat] {
    [(size.width * 1e6).rounded() / 1e6, (size.height / font.lineHeight * 1e6).rounded() / 1e6]
  }

  @Test func aLineIsAsHighAsOneOfSanFrancisco() {
    // This is the height that UIKit prints for its own font.
    #expect(UIFont.systemFont(ofSize: 17).lineHeight == 20.287109375)
    #expect(UIFont.preferredFont(forTextStyle: .body).pointSize == 17)
    #expect(UIFont.preferredFont(forTextStyle: .caption2).pointSize == 11)
  }

  @Test func atTheDefaultTextSizeOnlyAMaximumChangesAFont() {
    let metrics = UIFontMetrics(forTextStyle: .headline)
    #expect(metrics.scaledFont(for: font) == font && metrics.scaledValue(for: 44) == 44)
    #expect(metrics.scaledFont(for: font, maximumPointSize: 8).pointSize == 8)
    #expect(UIFontMetrics.default.scaledFont(for: font, maximumPointSize: 20).pointSize == 10)
  }

  @Test func aTextIsAsWideAsItsCharacters() {
    #expect(measure("Will".size(withAttributes: [.font: font]), font) == [16.1, 1])
    #expect(measure("éß漢👍".size(withAttributes: [.font: font]), font) == [31.12, 1])
    let bold = UIFont.boldSystemFont(ofSize: 10)
    #expect(measure("aa".size(withAttributes: [.font: bold]), bold) == [11.7872, 1])
    #expect(measure("".size(withAttributes: [.font: font]), font) == [0, 1])
    let twelve = UIFont.systemFont(ofSize: 12)
    #expect(measure(NSString(string: "a\nbb\n").size(), twelve) == [13.344, 3])
  }

  private func bounds(_ text: String, _ width: CGFloat, _ options: NSStringDrawingOptions = .usesLineFragmentOrigin)
    -> CGSize
  {
    text.boundingRect(
      with: CGSize(width: width, height: .greatestFiniteMagnitude), options: options, attributes: [.font: font],
      context: nil
    ).size
  }

  @Test func linesEndAfterWords() {
    // "aaa aaa" is 36.14 points wide, and "aaa" 16.68.
    #expect(measure(bounds("aaa aaa", 37), font) == [36.14, 1])
    #expect(measure(bounds("aaa aaa", 36), font) == [16.68, 2])
    #expect(measure(bounds("aaa   aaa", 20), font) == [16.68, 2])
    #expect(measure(bounds("aaaa", 12), font) == [11.12, 2])
    #expect(measure(bounds("a aaaa", 18), font) == [16.68, 3])
    #expect(measure(bounds("漢漢漢", 25), font) == [20, 2])
    #expect(measure(bounds("aaa-aaa", 25), font) == [20.01, 2])
    #expect(measure(bounds("aaa aaa", 20, []), font) == [36.14, 1])
    #expect(measure(bounds("aaa aaa", 0), font) == [36.14, 1])
  }

  @Test func aTextMayHaveSeveralFonts() {
    let big = UIFont.systemFont(ofSize: 20)
    let style = NSMutableParagraphStyle()
    style.lineSpacing = 3
    let text = NSMutableAttributedString(string: "aa ", attributes: [.font: font, .paragraphStyle: style])
    text.append(NSAttributedString(string: "aa", attributes: [.font: big]))
    #expect(abs(text.size().width - (13.9 + 22.24)) < 1e-9 && text.size().height == big.lineHeight)
    let lines = text.boundingRect(
      with: CGSize(width: 25, height: 0), options: [.usesLineFragmentOrigin, .usesFontLeading], context: nil)
    #expect(abs(lines.height - (font.lineHeight + 3 + big.lineHeight)) < 1e-9)
  }

  @Test func aFittingSizeHasTheTargetsLengthWhereThatIsRequired() {
    let label = UILabel(frame: .zero)
    label.text = "aaa aaa"
    label.numberOfLines = 0
    func size(_ horizontal: UILayoutPriority, _ vertical: UILayoutPriority) -> CGSize {
      label.systemLayoutSizeFitting(
        CGSize(width: 40, height: 7), withHorizontalFittingPriority: horizontal, verticalFittingPriority: vertical)
    }
    #expect(size(.required, .fittingSizeLevel) == CGSize(width: 40, height: 41))
    #expect(size(.fittingSizeLevel, .required) == CGSize(width: 28.5, height: 7))
    #expect(label.systemLayoutSizeFitting(UIView.layoutFittingCompressedSize) == CGSize(width: 61.5, height: 20.5))
  }

  @Test func aLabelIsAsLargeAsItsText() {
    let label = UILabel(frame: CGRect(x: 5, y: 6, width: 10, height: 10))
    #expect(label.intrinsicContentSize == .zero)
    label.text = "aaa aaa"
    #expect(label.intrinsicContentSize == CGSize(width: 61.5, height: 20.5))
    label.sizeToFit()
    #expect(label.frame == CGRect(x: 5, y: 6, width: 61.5, height: 20.5))
    label.numberOfLines = 0
    #expect(label.sizeThatFits(CGSize(width: 40, height: 0)) == CGSize(width: 28.5, height: 41))
    label.preferredMaxLayoutWidth = 40
    #expect(label.intrinsicContentSize.height == 41)
    label.text = "a a a a a"
    label.numberOfLines = 2
    #expect(label.sizeThatFits(CGSize(width: 15, height: 0)).height == 41)
    label.attributedText = NSAttributedString(string: "aa", attributes: [.font: font])
    #expect(label.text == "aa" && label.sizeThatFits(.zero) == CGSize(width: 11.5, height: 12))
    label.text = "b"
    #expect(label.attributedText?.string == "b")
  }
}
