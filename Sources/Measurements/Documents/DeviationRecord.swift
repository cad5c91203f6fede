/// How far what one strategy shows strays from what another shows, over all recorded frames.
public struct DeviationRecord: Codable, Sendable, Equatable {
  /// The strategy that is compared with.
  public var reference: String
  /// Largest and mean distance of an item from where the reference shows it in the same frame, in the
  /// scenario's units of length; over items that both show. Nil where there is no such item.
  public var largestDistance: Double?
  /// Over the same items as `largestDistance`, in its unit; nil where that is nil.
  public var meanDistance: Double?
  /// The first recorded frame of the largest distance.
  public var largestDistanceFrame: Int?
  /// Items shown by the reference alone, and by this strategy alone, summed over frames.
  public var missingCount: Int
  /// Items shown by this strategy alone, summed over frames.
  public var extraCount: Int
  /// Frames in which not the same items are shown.
  public var differingFrameCount: Int
  /// Frames that were compared.
  public var frameCount: Int

  public init(
    reference: String, largestDistance: Double?, meanDistance: Double?, largestDistanceFrame: Int?,
    missingCount: Int, extraCount: Int, differingFrameCount: Int, frameCount: Int
  ) {
    self.reference = reference
    self.largestDistance = largestDistance
    self.meanDistance = meanDistance
    self.largestDistanceFrame = largestDistanceFrame
    self.missingCount = missingCount
    self.extraCount = extraCount
    self.differingFrameCount = differingFrameCount
    self.frameCount = frameCount
  }
}
