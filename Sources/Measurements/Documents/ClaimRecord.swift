/// A claim by others about a strategy, that frames with a given number of items fit a display; see
/// `CapacityClaim` in FrameBench.
public struct ClaimRecord: Codable, Sendable, Hashable {
  public var scenario: String
  public var strategy: String
  /// In their words.
  public var wording: String
  /// The largest number of items that the claim covers.
  public var itemCount: Int

  public init(scenario: String, strategy: String, wording: String, itemCount: Int) {
    self.scenario = scenario
    self.strategy = strategy
    self.wording = wording
    self.itemCount = itemCount
  }
}
