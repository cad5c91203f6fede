import Foundation

/// The appearance of a list. In this module, only the settings that change the frames of views have an effect.
public struct UICollectionLayoutListConfiguration: Hashable {
  public enum Appearance: Int, Sendable { case plain, grouped, insetGrouped, sidebar, sidebarPlain }

  /// The kind of supplementary headers is `UICollectionView.elementKindSectionHeader`. With `firstItemInSection`, the
  /// header is an item and is placed like any other.
  public enum HeaderMode: Int, Sendable { case none, supplementary, firstItemInSection }

  /// The kind of supplementary footers is `UICollectionView.elementKindSectionFooter`.
  public enum FooterMode: Int, Sendable { case none, supplementary }

  public let appearance: Appearance
  /// Has no effect, because separators are not drawn.
  public var showsSeparators: Bool
  public var backgroundColor: UIColor?
  public var headerMode = HeaderMode.none
  public var footerMode = FooterMode.none
  /// The empty space above the header of a section, points. Nil means 22 points in a plain list, and 0 in other lists.
  public var headerTopPadding: CGFloat?

  public init(appearance: Appearance) {
    (self.appearance, showsSeparators) = (appearance, appearance != .sidebar && appearance != .sidebarPlain)
  }
}

extension NSCollectionLayoutSection {
  /// Returns a list section. Rows, headers and footers are 44 points high until their views prefer other heights.
  public class func list(
    using configuration: UICollectionLayoutListConfiguration, layoutEnvironment: any NSCollectionLayoutEnvironment
  ) -> NSCollectionLayoutSection {
    let size = NSCollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(44))
    let row = NSCollectionLayoutItem(layoutSize: size)
    let section = NSCollectionLayoutSection(group: .vertical(layoutSize: size, subitems: [row]))
    let (appearance, width) = (configuration.appearance, layoutEnvironment.container.contentSize.width)
    let hasHeader = configuration.headerMode == .supplementary
    let hasFooter = configuration.footerMode == .supplementary
    for isHeader in [true, false] where isHeader ? hasHeader : hasFooter {
      let kind = isHeader ? UICollectionView.elementKindSectionHeader : UICollectionView.elementKindSectionFooter
      let item = NSCollectionLayoutBoundarySupplementaryItem(
        layoutSize: size, elementKind: kind, alignment: isHeader ? .top : .bottom)
      item.pinToVisibleBounds = appearance == .plain
      section.boundarySupplementaryItems.append(item)
    }
    if hasHeader { section.headerTopPadding = configuration.headerTopPadding ?? (appearance == .plain ? 22 : 0) }
    if appearance == .grouped || appearance == .insetGrouped {
      // Sections are 35 points apart, as in a grouped table.
      (section.contentInsets.top, section.contentInsets.bottom) = (hasHeader ? 0 : 17.5, hasFooter ? 0 : 17.5)
    }
    if appearance == .insetGrouped || appearance == .sidebar {
      // UIKit's margins are smaller on narrow screens.
      let margin: CGFloat = width < 414 ? 16 : 20
      (section.contentInsets.leading, section.contentInsets.trailing) = (margin, margin)
    }
    return section
  }
}

extension UICollectionViewCompositionalLayout {
  /// Returns a layout whose sections are all lists with this configuration.
  public class func list(using configuration: UICollectionLayoutListConfiguration)
    -> UICollectionViewCompositionalLayout
  {
    UICollectionViewCompositionalLayout { _, environment in .list(using: configuration, layoutEnvironment: environment)
    }
  }
}
