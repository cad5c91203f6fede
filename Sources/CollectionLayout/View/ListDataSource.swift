/// The content of a collection view, with a number instead of a cell.
public protocol ListDataSource: AnyObject {
  var itemCount: Int { get }
  /// The content of an item's cell: any number that distinguishes contents. By default the index.
  func contents(ofItemAt index: Int) -> Int
}

extension ListDataSource { public func contents(ofItemAt index: Int) -> Int { index } }
