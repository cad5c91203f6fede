/// How the frames of a turn are told apart, so that whoever asked can leave out what was disturbed: in
/// pieces of one frame where they are few, else in as many pieces as there may be, of as equal numbers of
/// frames as can be.
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
    // Of the first frame whose piece is not before this one.
    func start(_ piece: Int) -> Int { (piece * frameCount + count - 1) / count }
    return start(piece + 1) - start(piece)
  }
}
