import FrameBench

extension Suite {
  /// Adds the animated layouts, and the springy list under updates.
  mutating func addLayouts() {
    let ways = LayoutScenario.Strategy.allCases.map(\.rawValue)
    add(
      "spring-updates", strategies: SpringyList.Strategy.allCases.map(\.rawValue),
      sizes: [100, 1_000, 10_000], quickSizes: [1_000], warnings: SpringyList.warnings,
      memoryEstimate: SpringUpdates.memoryEstimate, setUp: SpringUpdates.setUp)
    add("updates", strategies: ways, sizes: [100, 1_000], quickSizes: [1_000], setUp: AnimatedUpdates.setUp)
    add("rotation", strategies: ways, sizes: [100, 1_000], quickSizes: [1_000], setUp: DeviceRotation.setUp)
    add("pinch", strategies: ways, sizes: [100, 1_000], quickSizes: [1_000], setUp: PinchedItem.setUp)
    add(
      "layout-transition", strategies: ways, sizes: [100, 1_000], quickSizes: [1_000],
      setUp: LayoutTransitions.setUp)
    add(
      "view-transition", strategies: ViewTransitions.Strategy.allCases.map(\.rawValue),
      sizes: [100, 1_000], quickSizes: [1_000], setUp: ViewTransitions.setUp)
  }
}
