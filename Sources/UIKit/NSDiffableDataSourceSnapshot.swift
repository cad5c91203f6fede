/// The sections and items of a list at one moment. Each section and each item has a unique identifier. A missing or
/// repeated identifier ends the program, because it raises an exception in UIKit. But an item that is inserted although
/// the snapshot contains it moves, as in UIKit.
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType: Hashable, ItemIdentifierType: Hashable> {
  public private(set) var sectionIdentifiers: [SectionIdentifierType] = []
  /// The sections that must be reloaded when the snapshot is applied.
  public internal(set) var reloadedSectionIdentifiers: [SectionIdentifierType] = []
  public internal(set) var reloadedItemIdentifiers: [ItemIdentifierType] = []
  public internal(set) var reconfiguredItemIdentifiers: [ItemIdentifierType] = []
  private var items: [SectionIdentifierType: [ItemIdentifierType]] = [:]
  private var sections: [ItemIdentifierType: SectionIdentifierType] = [:]

  public init() {}

  public var numberOfSections: Int { sectionIdentifiers.count }
  public var numberOfItems: Int { sections.count }
  public var itemIdentifiers: [ItemIdentifierType] { sectionIdentifiers.flatMap { items[$0] ?? [] } }

  public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
    itemIdentifiers(inSection: identifier).count
  }

  public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
    guard let items = items[identifier] else { raise("no section \(identifier) in the snapshot") }
    return items
  }

  public func sectionIdentifier(containingItem identifier: ItemIdentifierType) -> SectionIdentifierType? {
    sections[identifier]
  }

  /// Returns the index of an item among the items of all sections, or nil if there is no such item.
  public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? { itemIdentifiers.firstIndex(of: identifier) }

  public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
    sectionIdentifiers.firstIndex(of: identifier)
  }

  // MARK: Items

  /// - Parameter sectionIdentifier: The section. Nil means the last section.
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {
    guard let section = sectionIdentifier ?? sectionIdentifiers.last else { raise("no section to append items to") }
    deleteItems(identifiers)
    insert(identifiers, at: numberOfItems(inSection: section), in: section)
  }

  public mutating func insertItems(_ identifiers: [ItemIdentifierType], beforeItem other: ItemIdentifierType) {
    deleteItems(identifiers)
    let place = place(of: other)
    insert(identifiers, at: place.index, in: place.section)
  }

  public mutating func insertItems(_ identifiers: [ItemIdentifierType], afterItem other: ItemIdentifierType) {
    deleteItems(identifiers)
    let place = place(of: other)
    insert(identifiers, at: place.index + 1, in: place.section)
  }

  /// Ignores unknown identifiers.
  public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
    let gone = Set(identifiers)
    for section in Set(gone.compactMap { sections.removeValue(forKey: $0) }) {
      items[section]?.removeAll(where: gone.contains)
    }
  }

  public mutating func deleteAllItems() {
    sectionIdentifiers = []
    (items, sections) = ([:], [:])
  }

  public mutating func moveItem(_ identifier: ItemIdentifierType, beforeItem other: ItemIdentifierType) {
    _ = place(of: identifier)
    insertItems([identifier], beforeItem: other)
  }

  public mutating func moveItem(_ identifier: ItemIdentifierType, afterItem other: ItemIdentifierType) {
    _ = place(of: identifier)
    insertItems([identifier], afterItem: other)
  }

  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
    for identifier in identifiers { _ = place(of: identifier) }
    reloadedItemIdentifiers += identifiers
  }

  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
    for identifier in identifiers { _ = place(of: identifier) }
    reconfiguredItemIdentifiers += identifiers
  }

  private func place(of identifier: ItemIdentifierType) -> (section: SectionIdentifierType, index: Int) {
    guard let section = sections[identifier], let index = items[section]?.firstIndex(of: identifier) else {
      raise("no item \(identifier) in the snapshot")
    }
    return (section, index)
  }

  private mutating func insert(_ identifiers: [ItemIdentifierType], at index: Int, in section: SectionIdentifierType) {
    for identifier in identifiers {
      guard sections.updateValue(section, forKey: identifier) == nil else {
        raise("the item \(identifier) is inserted twice")
      }
    }
    items[section]?.insert(contentsOf: identifiers, at: index)
  }

  // MARK: Sections

  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    insert(identifiers, at: numberOfSections)
  }

  public mutating func insertSections(
    _ identifiers: [SectionIdentifierType], beforeSection other: SectionIdentifierType
  ) { insert(identifiers, at: index(of: other)) }

  public mutating func insertSections(_ identifiers: [SectionIdentifierType], afterSection other: SectionIdentifierType)
  { insert(identifiers, at: index(of: other) + 1) }

  /// Ignores unknown identifiers.
  public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
    for identifier in identifiers { for item in items.removeValue(forKey: identifier) ?? [] { sections[item] = nil } }
    sectionIdentifiers.removeAll { items[$0] == nil }
  }

  public mutating func moveSection(_ identifier: SectionIdentifierType, beforeSection other: SectionIdentifierType) {
    sectionIdentifiers.remove(at: index(of: identifier))
    sectionIdentifiers.insert(identifier, at: index(of: other))
  }

  public mutating func moveSection(_ identifier: SectionIdentifierType, afterSection other: SectionIdentifierType) {
    sectionIdentifiers.remove(at: index(of: identifier))
    sectionIdentifiers.insert(identifier, at: index(of: other) + 1)
  }

  public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {
    for identifier in identifiers { _ = index(of: identifier) }
    reloadedSectionIdentifiers += identifiers
  }

  private func index(of identifier: SectionIdentifierType) -> Int {
    guard let index = indexOfSection(identifier) else { raise("no section \(identifier) in the snapshot") }
    return index
  }

  private mutating func insert(_ identifiers: [SectionIdentifierType], at index: Int) {
    for identifier in identifiers {
      guard items.updateValue([], forKey: identifier) == nil else {
        raise("the section \(identifier) is in the snapshot already")
      }
    }
    sectionIdentifiers.insert(contentsOf: identifiers, at: index)
  }
}

extension NSDiffableDataSourceSnapshot {
  func indexPaths() -> [ItemIdentifierType: IndexPath] {
    var paths: [ItemIdentifierType: IndexPath] = [:]
    for (section, identifier) in sectionIdentifiers.enumerated() {
      for (item, identifier) in itemIdentifiers(inSection: identifier).enumerated() {
        paths[identifier] = IndexPath(item: item, section: section)
      }
    }
    return paths
  }
}
