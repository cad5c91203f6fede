/// How far the output of one strategy strays from that of another, over all recorded frames.
public struct DeviationRecord: Codable, Sendable, Equatable {
  /// The strategy compared with.
  public var reference: String
  /// Largest distance of an item from the reference's place for it in the same frame, in the scenario's unit of length.
  /// Absent: no item is shown by both.
  public var largestDistance: Double?
  /// Mean of these distances, in the same unit. Absent: no item is shown by both.
  public var meanDistance: Double?
  /// Index of the first recorded frame of the largest distance. Absent: no item is shown by both.
  public var largestDistanceFrame: Int?
  /// Items shown by the reference alone, summed over frames.
  public var missingCount: Int
  /// Items shown by this strategy alone, summed over frames.
  public var extraCount: Int
  /// Frames in which the two show different items.
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
