/// One change of a batch, by index paths (UIKit: `UICollectionViewUpdateItem`).
public struct CollectionViewUpdateItem: Hashable, Sendable {
  /// The kind of change (UIKit: `UICollectionViewUpdateItem.Action`).
  public enum Action: Hashable, Sendable {
    case insert, delete, reload, move
  }

  /// Nil for an insertion.
  public let indexPathBeforeUpdate: IndexPath?
  /// Nil for a deletion.
  public let indexPathAfterUpdate: IndexPath?
  public let updateAction: Action

  init(before: IndexPath?, after: IndexPath?, _ action: Action) {
    indexPathBeforeUpdate = before
    indexPathAfterUpdate = after
    updateAction = action
  }
}
