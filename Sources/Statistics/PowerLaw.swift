import Glibc

/// The power law cost ≈ coefficient · size^exponent, fitted to measurements of several sizes.
public struct PowerLaw: Sendable, Hashable {
  /// The slope of ln cost over ln size. 1 means that cost is in proportion to size. A negative slope means that cost
  /// falls as size grows.
  public let exponent: Double
  /// The fitted cost at size 1, in the unit of the given costs.
  public let coefficient: Double
  /// The share of the variance of ln cost that the fit explains, 0...1. Nil for two sizes, which a line always fits,
  /// and for equal costs, which have no variance to explain.
  public let rSquared: Double?

  /// Fits a regression of ln cost on ln size by least squares. Points whose size or cost is not positive have no
  /// logarithm and are left out. Nil if fewer than two different sizes remain.
  public init?(fitting points: [(size: Double, cost: Double)]) {
    let usable = points.filter { $0.size > 0 && $0.cost > 0 }
    let sizeCount = Set(usable.map(\.size)).count
    guard sizeCount >= 2 else { return nil }
    let (x, y) = (usable.map { log($0.size) }, usable.map { log($0.cost) })
    let (sizes, costs) = (Moments(x[...]), Moments(y[...]))
    let products = zip(x, y).reduce(0) { $0 + ($1.0 - sizes.mean) * ($1.1 - costs.mean) }
    exponent = products / sizes.squares
    coefficient = exp(costs.mean - exponent * sizes.mean)
    // `costs.squares` may differ from 0 even if all costs are equal, because the mean of their logarithms is rounded.
    let costsDiffer = Set(usable.map(\.cost)).count > 1
    rSquared = sizeCount > 2 && costsDiffer ? Swift.min(1, products * products / (sizes.squares * costs.squares)) : nil
  }

  /// Returns the size at which the fit reaches a cost, in the unit of the given costs. Nil if cost does not grow with size.
  public func size(atCost cost: Double) -> Double? { exponent > 0 ? pow(cost / coefficient, 1 / exponent) : nil }
}
