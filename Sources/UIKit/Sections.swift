import Dynamics
import Foundation

/// The numbers of items in sections. Converts between index paths and indices in the whole list.
struct Sections: Hashable, Sendable {
  /// The index of each section's first item in the whole list.
  private var starts: [Int] = []
  private(set) var itemCount = 0

  /// - Parameter counts: The number of items in each section.
  init(counts: [Int]) {
    starts.reserveCapacity(counts.count)
    for count in counts {
      starts.append(itemCount)
      itemCount += count
    }
  }

  var counts: [Int] { starts.indices.map { items(of: $0).count } }

  var count: Int { starts.count }

  /// The indices of a section's items in the whole list.
  func items(of section: Int) -> Range<Int> {
    starts[section]..<(section + 1 < starts.count ? starts[section + 1] : itemCount)
  }

  func indexPath(at index: Int) -> IndexPath {
    let section = max(0, starts.indices.partitioningIndex { starts[$0] > index } - 1)
    return IndexPath(item: starts.isEmpty ? index : index - starts[section], section: section)
  }

  /// The index of an item that a layout shows. Ends the program, like UIKit's exception, if the item does not exist.
  func shownIndex(at path: IndexPath) -> Int {
    guard let index = index(at: path) else {
      raise("a layout returned attributes of an item that does not exist, at the index path \(Array(path))")
    }
    return index
  }

  func contains(_ path: IndexPath) -> Bool { index(at: path) != nil }

  func contains(section path: IndexPath) -> Bool { path.first.map { starts.indices.contains($0) } == true }

  /// Returns the index of an item in the whole list, or nil if there is no such item.
  func index(at path: IndexPath) -> Int? {
    guard path.count == 2, starts.indices.contains(path.section) else { return nil }
    let items = items(of: path.section)
    return (0..<items.count).contains(path.item) ? items.lowerBound + path.item : nil
  }
}
