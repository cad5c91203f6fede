import FrameBench

extension Suite {
  /// The catalogue that `springbench` runs.
  public static var standard: Suite {
    var suite = Suite("springbench")
    suite.add(
      "springs", strategies: SpringyList.Strategy.allCases.map(\.rawValue), sizes: [100, 1_000, 10_000],
      warnings: SpringyList.warnings, memoryEstimate: SpringyList.memoryEstimate,
      setUp: SpringyList.setUp)
    for (name, isUpdated) in [("cradle", false), ("cradle-updates", true)] {
      suite.add(
        name, strategies: [Cradle.strategy], sizes: [10, 100, 1_000], quickSizes: [10, 100]
      ) { size, context in
        try Cradle.setUp(size: size, context: context, isUpdated: isUpdated)
      }
    }
    suite.add(
      "drag", strategies: Drag.Strategy.allCases.map(\.rawValue), sizes: [1, 10, 100], quickSizes: [10],
      warnings: Drag.warnings, setUp: Drag.setUp)
    suite.addLayouts()
    return suite
  }
}
