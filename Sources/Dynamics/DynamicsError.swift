/// Why the animator refused something. It is then as it was before.
public enum DynamicsError: Error, Equatable {
  /// UIKit raises an exception from deep inside here; one spring an item is the rule of both.
  case itemHasBehavior(item: String)
  case behaviorBelongsToAnimator(item: String)
  case anchorNotFinite(item: String, anchor: Point)
  case centerNotFinite(item: String, center: Point)
  /// Negative or not finite, Hz.
  case invalidFrequency(item: String, frequency: Double)
  /// Negative or not finite, as a ratio of critical damping.
  case invalidDamping(item: String, damping: Double)
  /// Anything but 0, points: a length couples both axes, which the closed form does not solve.
  case unsupportedLength(item: String, length: Double)
  case unknownItem(item: String)
  /// Undamped springs never forget, so what an item missed cannot be replayed from a finite history.
  case endlessHistory(damping: Double)
  case outOfMemory(bytes: Int)
}

extension DynamicsError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .itemHasBehavior(let item):
      "\(item) already hangs on a behaviour of this animator; remove that one first"
    case .behaviorBelongsToAnimator(let item):
      "the behaviour of \(item) already belongs to an animator; remove it there first"
    case .anchorNotFinite(let item, let anchor):
      "the anchor of \(item) is \(anchor); both coordinates must be finite"
    case .centerNotFinite(let item, let center):
      "the centre of \(item) is \(center); both coordinates must be finite"
    case .invalidFrequency(let item, let frequency):
      "the frequency for \(item) is \(frequency) Hz; it must lie between 0 and 1e150"
    case .invalidDamping(let item, let damping):
      "the damping for \(item) is \(damping); it must be finite and not negative (1 is critical)"
    case .unsupportedLength(let item, let length):
      "the attachment of \(item) has length \(length); only length 0 is supported"
    case .unknownItem(let item):
      "\(item) hangs on no behaviour of this animator; add one first"
    case .endlessHistory(let damping):
      "a damping of \(damping) lets springs swing for so long that no history of shifts can be kept;"
        + " use a damping that settles, or simulate all items"
    case .outOfMemory(let bytes):
      "no memory for \(bytes) bytes of springs; use fewer items"
    }
  }
}
