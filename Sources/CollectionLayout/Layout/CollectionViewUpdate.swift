/// One change of a batch (UIKit: `UICollectionViewUpdateItem`). Deletions and the origins of moves are indices
/// before the batch, insertions and the targets of moves indices after it, whatever their order.
public enum CollectionViewUpdate: Hashable, Sendable {
  case insert(at: Int)
  case delete(at: Int)
  case move(from: Int, to: Int)

  /// The index before the batch; nil for an insertion.
  public var indexBefore: Int? {
    switch self {
    case .insert: nil
    case .delete(let index): index
    case .move(let from, _): from
    }
  }

  /// The index after the batch; nil for a deletion.
  public var indexAfter: Int? {
    switch self {
    case .insert(let index): index
    case .delete: nil
    case .move(_, let to): to
    }
  }
}

extension CollectionViewUpdate: CustomStringConvertible {
  public var description: String {
    switch self {
    case .insert(let index): "insert at \(index)"
    case .delete(let index): "delete at \(index)"
    case .move(let from, let to): "move from \(from) to \(to)"
    }
  }
}
