import UIKit

/// A flow layout whose items all have one size.
final class SizedLayout: UICollectionViewFlowLayout {
  convenience init(_ size: CGSize) {
    self.init()
    itemSize = size
    sectionInset = UIEdgeInsets(top: 10, left: 30, bottom: 10, right: 30)
  }
}
