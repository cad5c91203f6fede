import Foundation

// UIKit adds these members to Foundation's type.
extension IndexPath {
  /// Creates the path of an item of a section.
  public init(item: Int, section: Int) {
    // Appends the item to the section, because an array literal of the two would allocate memory.
    self.init(index: section)
    append(item)
  }

  /// Creates the path of a row of a section. A row is the same as an item.
  public init(row: Int, section: Int) { self.init(item: row, section: section) }

  /// - Precondition: The path has two indices.
  public var section: Int {
    get { self[0] }
    set { self[0] = newValue }
  }

  /// - Precondition: The path has two indices.
  public var item: Int {
    get { self[1] }
    set { self[1] = newValue }
  }

  /// The same as `item`.
  /// - Precondition: The path has two indices.
  public var row: Int {
    get { item }
    set { item = newValue }
  }
}

extension NSIndexPath {
  public convenience init(item: Int, section: Int) { self.init(indexes: [section, item], length: 2) }

  public convenience init(row: Int, section: Int) { self.init(item: row, section: section) }

  public var section: Int { index(atPosition: 0) }
  public var item: Int { index(atPosition: 1) }
  public var row: Int { item }
}
