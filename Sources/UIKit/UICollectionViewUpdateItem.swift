import Foundation

/// One change of a batch. If the change concerns a whole section, the `item` of its index path is `NSNotFound`.
open class UICollectionViewUpdateItem: NSObject {
  public enum Action: Int, Sendable { case insert, delete, reload, move, none }

  /// The index path before the batch; nil for an insertion.
  public final let indexPathBeforeUpdate: IndexPath?
  /// The index path after the batch; nil for a deletion.
  public final let indexPathAfterUpdate: IndexPath?
  public final let updateAction: Action

  init(before: IndexPath?, after: IndexPath?, _ action: Action) {
    indexPathBeforeUpdate = before
    indexPathAfterUpdate = after
    updateAction = action
  }
}
