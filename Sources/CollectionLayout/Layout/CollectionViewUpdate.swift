/// One change of a batch (UIKit: `UICollectionViewUpdateItem`). Deletions and the origins of moves use indices before
/// the batch. Insertions and the targets of moves use indices after it. The order of the changes does not matter.
public enum CollectionViewUpdate: Hashable, Sendable, CustomStringConvertible {
  case insert(at: Int)
  case delete(at: Int)
  case move(from: Int, to: Int)

  /// The index before the batch; nil for an insertion.
  public var indexBefore: Int? { indices.before }
  /// The index after the batch; nil for a deletion.
  public var indexAfter: Int? { indices.after }

  private var indices: (before: Int?, after: Int?) {
    switch self {
    case .insert(let index): (nil, index)
    case .delete(let index): (index, nil)
    case .move(let from, let to): (from, to)
    }
  }

  public var description: String {
    switch self {
    case .insert(let index): "insert at \(index)"
    case .delete(let index): "delete at \(index)"
    case .move(let from, let to): "move from \(from) to \(to)"
    }
  }
}
