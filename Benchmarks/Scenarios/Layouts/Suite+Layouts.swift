import FrameBench

extension Suite {
  /// Adds the scenarios of animated layouts and of springy lists under updates.
  mutating func addLayouts() {
    let ways = LayoutScenario.Strategy.allCases
    add(
      "spring-updates", summary: "Rows come, go and change places in the springy list of Messages.",
      strategies: SpringyList.Strategy.allCases, sizes: [100, 1_000, 10_000],
      options: .init(
        quickSizes: [1_000], playsTraces: true, warnings: SpringyList.warnings,
        memoryEstimate: SpringUpdates.memoryEstimate), setUp: SpringUpdates.setUp)
    add(
      "updates", summary: "Items are inserted into a grid and deleted from it, with animations.", strategies: ways,
      sizes: [100, 1_000], options: .init(quickSizes: [1_000]), setUp: AnimatedUpdates.setUp)
    add(
      "rotation", summary: "The device is turned to and fro, and a grid moves to its new places.", strategies: ways,
      sizes: [100, 1_000], options: .init(quickSizes: [1_000]), setUp: DeviceRotation.setUp)
    add(
      "pinch", summary: "Two fingers pinch items of a grid, one after another.", strategies: ways, sizes: [100, 1_000],
      options: .init(quickSizes: [1_000]), setUp: PinchedItem.setUp)
    add(
      "layout-transition",
      summary:
        "A grid of small items changes to a grid of large items and back, by transitions between the two layouts.",
      strategies: ways, sizes: [100, 1_000], options: .init(quickSizes: [1_000]), setUp: LayoutTransitions.setUp)
    add(
      "view-transition",
      summary: "A strip of items becomes a grid of the whole screen, and back, by a transition of views.",
      strategies: ViewTransitions.Strategy.allCases, sizes: [100, 1_000], options: .init(quickSizes: [1_000]),
      setUp: ViewTransitions.setUp)
  }
}
