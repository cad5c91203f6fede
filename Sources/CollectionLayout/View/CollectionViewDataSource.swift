/// The content of a collection view (UIKit: `UICollectionViewDataSource`, with a number instead of a cell).
public protocol CollectionViewDataSource: AnyObject {
  /// One, unless the data source says otherwise.
  func numberOfSections(in collectionView: CollectionView) -> Int
  func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int
  /// The content of an item's cell: any number that distinguishes contents. By default the index.
  /// - Parameter index: Index in the whole list.
  func contents(ofItemAt index: Int) -> Int
}

extension CollectionViewDataSource {
  public func numberOfSections(in collectionView: CollectionView) -> Int { 1 }
  public func contents(ofItemAt index: Int) -> Int { index }

  /// The number of items in all sections.
  func itemCount(in collectionView: CollectionView) -> Int {
    (0..<numberOfSections(in: collectionView)).reduce(0) {
      $0 + self.collectionView(collectionView, numberOfItemsInSection: $1)
    }
  }

  /// Nil for a single section.
  func sections(in collectionView: CollectionView) -> Sections? {
    let count = numberOfSections(in: collectionView)
    guard count != 1 else { return nil }
    return Sections(
      counts: (0..<count).map { self.collectionView(collectionView, numberOfItemsInSection: $0) })
  }
}

/// A data source of one section.
public protocol ListDataSource: CollectionViewDataSource {
  var itemCount: Int { get }
}

extension ListDataSource {
  public func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
    itemCount
  }
}
