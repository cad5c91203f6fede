import FrameBench

extension Suite {
  /// The benchmarks of the program `spring-benchmarks`.
  public static var standard: Suite {
    var suite = Suite("springbench")
    suite.add(
      "springs", summary: "A list whose rows hang on springs, as in the Messages app of iOS 7, is dragged and flung.",
      strategies: SpringyList.Strategy.allCases, sizes: [100, 1_000, 10_000],
      options: .init(
        playsTraces: true, stretches: SpringyList.stretches, warnings: SpringyList.warnings,
        memoryEstimate: SpringyList.memoryEstimate), setUp: SpringyList.setUp)
    suite.add(
      "springs-objects",
      summary: "The list of springs with an object and an attachment for each row, as in articles on springy lists.",
      strategies: SpringyObjects.Strategy.allCases, sizes: [100, 1_000, 10_000],
      options: .init(
        playsTraces: true, claims: SpringyObjects.claims, stretches: SpringyList.stretches,
        warnings: SpringyList.warnings, memoryEstimate: SpringyObjects.memoryEstimate), setUp: SpringyObjects.setUp)
    suite.add(
      "spring-jumps", summary: "The list of springs is at a random place in every frame.",
      strategies: SpringyList.Strategy.allCases, sizes: [1_000, 10_000, 100_000],
      options: .init(quickSizes: [10_000], memoryEstimate: SpringyList.memoryEstimate), setUp: SpringyList.setUpJumps)
    for (name, isUpdated, change) in [("cradle", false, ""), ("cradle-updates", true, "; discs come and go meanwhile")]
    {
      suite.add(
        name, summary: "Discs in a row swing on springs and knock against each other\(change).",
        strategies: isUpdated ? Cradle.Strategy.allCases : [.coupled], sizes: [10, 100, 1_000],
        options: .init(quickSizes: [10, 100], claims: isUpdated ? [] : [Cradle.claim])
      ) { try Cradle.setUp($0, $1, isUpdated: isUpdated) }
    }
    suite.add(
      "heap", summary: "Items fall onto each other, come to rest, and are thrown up again.",
      strategies: Heap.Strategy.allCases, sizes: [100, 300, 1_000],
      options: .init(
        quickSizes: [100], frameCount: 2 * Heap.throwInterval - Heap.firstImpact, warmUpFrameCount: Heap.firstImpact),
      setUp: Heap.setUp)
    suite.add(
      "drag", summary: "A finger drags some of a thousand items about, and lets go near the end.",
      strategies: Drag.Strategy.allCases, sizes: [1, 10, 100],
      options: .init(quickSizes: [10], stretches: Drag.stretches, warnings: Drag.warnings), setUp: Drag.setUp)
    suite.addLayouts()
    return suite
  }
}
