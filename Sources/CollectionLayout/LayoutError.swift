import Dynamics

/// Why a layout refused its options.
public enum LayoutError: Error, Equatable {
  /// Not finite, or not positive, points.
  case invalidItemSize(index: Int?, size: Size)
  /// Negative or not finite.
  case invalidOption(name: String, value: Double)
  case invalidViewSize(Size)
  case negativeItemCount(Int)
  case dynamics(DynamicsError)
}

extension LayoutError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidItemSize(let index?, let size):
      "item \(index) has size \(size); width and height must be positive and finite"
    case .invalidItemSize(nil, let size):
      "itemSize is \(size); width and height must be positive and finite"
    case .invalidOption(let name, let value):
      "\(name) is \(value); it must be finite and not negative"
    case .invalidViewSize(let size):
      "the collection view has size \(size); width and height must be positive and finite"
    case .negativeItemCount(let count):
      "\(count) items; the number must not be negative"
    case .dynamics(let error):
      error.description
    }
  }
}

extension Size {
  var isPositive: Bool { width > 0 && height > 0 && width.isFinite && height.isFinite }
}
