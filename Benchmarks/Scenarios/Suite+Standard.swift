import FrameBench

extension Suite {
  /// The catalogue that `springbench` runs.
  public static var standard: Suite {
    var suite = Suite("springbench")
    suite.add(
      "springs", strategies: SpringyList.Strategy.allCases.map(\.rawValue), sizes: [100, 1_000, 10_000],
      warnings: SpringyList.warnings, memoryEstimate: SpringyList.memoryEstimate,
      setUp: SpringyList.setUp)
    suite.addLayouts()
    return suite
  }
}
