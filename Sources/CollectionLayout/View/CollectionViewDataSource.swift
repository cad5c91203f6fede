/// What a collection view shows (UIKit: `UICollectionViewDataSource`, with a number in place of a cell).
public protocol CollectionViewDataSource: AnyObject {
  var itemCount: Int { get }
  /// What the cell of an item shows: any number that tells contents apart.
  func contents(ofItemAt index: Int) -> Int
}
