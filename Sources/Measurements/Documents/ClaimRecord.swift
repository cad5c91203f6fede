/// What others say of a strategy: that frames with a given number of items fit a display; see `CapacityClaim` of
/// FrameBench.
public struct ClaimRecord: Codable, Sendable, Hashable {
  public var scenario: String
  public var strategy: String
  /// In their words.
  public var wording: String
  /// The number of items that this is at the most.
  public var itemCount: Int

  public init(scenario: String, strategy: String, wording: String, itemCount: Int) {
    self.scenario = scenario
    self.strategy = strategy
    self.wording = wording
    self.itemCount = itemCount
  }
}
