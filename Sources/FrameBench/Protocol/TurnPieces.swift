/// Divides the frames of a turn into pieces, so that the asking process can leave out disturbed ones:
/// pieces of one frame if there are few frames, else the maximum number of pieces of nearly equal size.
package enum TurnPieces {
  /// Pieces of one turn at most.
  package static let mostCount = 64

  /// Number of pieces of a turn of this many frames.
  package static func count(frameCount: Int) -> Int { min(frameCount, mostCount) }

  /// The piece that a frame of the turn, from 0, belongs to.
  package static func piece(ofFrame frame: Int, frameCount: Int) -> Int {
    frame * count(frameCount: frameCount) / frameCount
  }

  /// How many frames of the turn belong to a piece.
  static func frameCount(ofPiece piece: Int, frameCount: Int) -> Int {
    let count = count(frameCount: frameCount)
    // Index of the first frame whose piece is not before this one.
    func start(_ piece: Int) -> Int { (piece * frameCount + count - 1) / count }
    return start(piece + 1) - start(piece)
  }
}
