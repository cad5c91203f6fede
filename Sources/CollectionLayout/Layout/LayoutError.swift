import Dynamics

/// The reason why a layout or a collection view refused a call. A refused call changes neither of them.
public enum LayoutError: Error, Equatable, CustomStringConvertible {
  /// The size of items is not positive and finite.
  case invalidItemSize(Size)
  /// An option is negative or not finite.
  case invalidOption(name: String, value: Double)
  case invalidViewSize(Size)
  /// The frame of a view does not have the view's size, or is at a place that is not finite.
  case invalidFrame(Rect, viewSize: Size)
  /// A number of items is negative or does not fit into an `Int`.
  case invalidItemCount(Int)
  /// A content offset is not finite.
  case invalidContentOffset(Double)
  /// An update contains an index that does not exist. For a deletion or the origin of a move, `count` is the number of
  /// items before the batch. Otherwise it is the number after the batch.
  case updateOutOfRange(CollectionViewUpdate, count: Int)
  /// Two updates of a batch concern the same item.
  case conflictingUpdates(CollectionViewUpdate, CollectionViewUpdate)
  /// The expected number of items after the batch differs from the number that results from the batch.
  case inconsistentItemCount(before: Int, inserted: Int, deleted: Int, after: Int)
  case noSuchItem(index: Int, count: Int)
  case itemSelectedTwice(index: Int)
  /// The distance between two fingers is not positive and finite.
  case invalidPinchDistance(Double)
  /// The progress of a transition is not between 0 and 1.
  case invalidProgress(Double)
  /// A data source, or the index map of a transition, has the wrong number of items.
  case unequalItemCounts(current: Int, next: Int)
  case transitionUnderWay
  case noTransition
  case dynamics(DynamicsError)

  static func checkNotNegative(_ options: KeyValuePairs<String, Double>) throws(LayoutError) {
    for (name, value) in options where !(value >= 0 && value.isFinite) {
      throw .invalidOption(name: name, value: value)
    }
  }

  public var description: String {
    switch self {
    case .invalidItemSize(let size): "itemSize is \(size); width and height must be positive and finite"
    case .invalidOption(let name, let value): "\(name) is \(value); it must be finite and not negative"
    case .invalidViewSize(let size):
      "the collection view has size \(size); width and height must be positive and finite"
    case .invalidFrame(let frame, let size):
      "a frame of size \(frame.size) at \(frame.origin), but the view has size \(size); it needs this size and a finite"
        + " origin"
    case .invalidItemCount(let count): "\(count) items; the number must not be negative, nor more than can be counted"
    case .invalidContentOffset(let offset): "a content offset of \(offset); it must be finite"
    case .updateOutOfRange(let update, let count):
      "\(update), of \(count) items; indices run from 0 to one less than the number of items"
    case .conflictingUpdates(let one, let other): "\(one), and \(other); a batch may name an item only once"
    case .inconsistentItemCount(let before, let inserted, let deleted, let after):
      "\(after) items after the batch; \(before) before it, \(inserted) inserted and \(deleted) deleted make"
        + " \(before + inserted - deleted)"
    case .noSuchItem(let index, let count): "item \(index), of \(count) items"
    case .itemSelectedTwice(let index): "item \(index) is selected twice; select each once"
    case .invalidPinchDistance(let distance): "a pinch distance of \(distance); it must be positive and finite"
    case .invalidProgress(let progress): "a progress of \(progress); it must lie between 0 and 1"
    case .unequalItemCounts(let current, let next):
      "a data source or an index map of \(next) items, but the view needs one of \(current)"
    case .transitionUnderWay: "a transition between layouts is in progress; finish or cancel it first"
    case .noTransition: "no transition between layouts is in progress; start one first"
    case .dynamics(let error): error.description
    }
  }
}

extension Size { var isPositive: Bool { width > 0 && height > 0 && width.isFinite && height.isFinite } }
