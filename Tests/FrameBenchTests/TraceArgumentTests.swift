import Testing

@testable import FrameBench

@Suite struct TraceArgumentTests {
  @Test(
    arguments: [
      ("scroll.csv", "scroll.csv", false), ("scroll.csv,lifted=origin", "scroll.csv", true),
      ("lifted=origin", nil, true), ("a,b.csv", "a,b.csv", false), ("lifted=origin.csv", "lifted=origin.csv", false),
    ] as [(String, String?, Bool)]) func aFileAndALiftedTouchAreToldApart(text: String, path: String?, isLifted: Bool)
  {
    var options = RunOptions()
    options.tracePath = text
    let context = ScenarioContext(BenchmarkID(scenario: "list", strategy: "naive", size: 1), options)
    #expect(context.tracePath == path && context.liftsTouchToOrigin == isLifted)
  }
}
