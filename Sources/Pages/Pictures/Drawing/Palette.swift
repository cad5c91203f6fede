/// The colors of the pictures, each in a pair for light and dark pages.
///
/// The hues are those of Okabe and Ito ("Color Universal Design", 2008), which remain apart for people who
/// confuse red and green; darkened for light pages and lightened for dark ones until each, as text, has a
/// contrast of 4.5 : 1 (WCAG 2, level AA) against white and against #0d1117, GitHub's dark page.
enum Palette {
  typealias Pair = (light: String, dark: String)

  static let pages: Pair = ("#ffffff", "#0d1117")
  static let ink: Pair = ("#1f2328", "#e6edf3")
  static let muted: Pair = ("#59636e", "#9198a1")
  /// Background of highlighted text.
  static let panel: Pair = ("#f6f8fa", "#161b22")
  /// Not text: it may be fainter.
  static let grid: Pair = ("#e4e8ec", "#262c36")
  static let axis: Pair = ("#8c959f", "#656c76")

  static let series: [Pair] = [
    ("#c24a00", "#ff8f4d"),  // vermilion
    ("#0067b0", "#56b4e9"),  // blue, sky blue
    ("#00795a", "#2fd0a0"),  // bluish green
    ("#a03c7c", "#e59cc8"),  // reddish purple
    ("#7d5c00", "#f0c040"),  // orange
    ("#4d4fbf", "#a5a8ff"),  // a violet in place of sky blue, which on white is too near to blue
    ("#3a424a", "#d5dbe1"),  // black
    ("#6b6a00", "#e8e070"),  // yellow
  ]

  /// Different from those of the strategies next to them: a bar of phases stands beside names of
  /// strategies.
  static let phases: [Pair] = [1, 4, 2, 3, 5, 0, 7, 6].map { series[$0] }

  /// A style sheet for one picture. Its selectors apply only inside a picture, so it may be part of a page.
  static var styleSheet: String {
    let colors: [(selector: String, property: String, pair: Pair)] =
      [
        ("text", "fill", ink), (".page", "fill", pages), (".onbar", "fill", pages), (".muted", "fill", muted),
        (".grid", "stroke", grid),
        (".axis", "stroke", axis), (".stretches", "fill", muted), (".cursor", "color", muted),
        (".budget", "stroke", muted),
      ] + series.enumerated().map { (".c\($0.offset)", "color", $0.element) }
      + phases.enumerated().map { (".p\($0.offset)", "color", $0.element) }
    func rules(_ value: (Pair) -> String) -> String {
      colors.map { ".sbp \($0.selector){\($0.property):\(value($0.pair))}" }.joined()
    }
    return rules(\.light)
      + ".sbp .line,.sbp .thin,.sbp .ring{fill:none;stroke:currentColor;stroke-width:1.6;stroke-linejoin:round}"
      + ".sbp .thin{stroke-width:1;stroke-dasharray:2 2}.sbp .ring{stroke-width:1.2}"
      + ".sbp .trace{fill:none;stroke:currentColor;stroke-width:1.1;stroke-linejoin:round}"
      + ".sbp .mark,.sbp .bar,.sbp .name{fill:currentColor}.sbp .name{font-weight:600}"
      + ".sbp .title{font-weight:600}.sbp .band{fill:currentColor;opacity:.13}"
      + ".sbp .budget{fill:none;stroke-width:1;stroke-dasharray:6 3}"
      + ".sbp .cursor{fill:none;stroke:currentColor;stroke-width:1}.sbp .grid,.sbp .axis{fill:none;stroke-width:1}"
      + "@media screen and (prefers-color-scheme:dark){\(rules(\.dark))}"
  }
}
