/// The content of a collection view. Each cell's content is only a number.
public protocol ListDataSource: AnyObject {
  var itemCount: Int { get }
  /// Returns the content of an item's cell: any number that differs for different contents. The default is the index.
  func contents(ofItemAt index: Int) -> Int
}

extension ListDataSource { public func contents(ofItemAt index: Int) -> Int { index } }
