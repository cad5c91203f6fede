import Dynamics

/// How a flow layout places items. The defaults come from the grid of objc.io's "UICollectionView + UIKit Dynamics"
/// (issue 5, 2013).
public struct FlowOptions: Sendable {
  /// Size of every item, points.
  public var itemSize = Size(width: 44, height: 44)
  /// Distance between lines, points.
  public var minimumLineSpacing = 10.0
  /// Distance between the items of a line, points.
  public var minimumInteritemSpacing = 10.0
  /// Distances between the items and the edges of the content, points.
  public var sectionInset = EdgeInsets(all: 10)
  /// The direction of scrolling. Lines run across it and follow each other along it.
  public var scrollDirection = Axis.vertical

  public init() {}

  /// Rows like those of the Messages app. The sizes come from a Japanese article, "I made a UI like the Messages app of
  /// iOS 7": rows of 310×60 points, 5 points between lines, and 1 point between the items of a line. The inset is not
  /// from the article. It centers the rows in a view that is 320 points wide, as UIKit does by itself with a single
  /// column.
  public static var messages: FlowOptions {
    var options = FlowOptions()
    options.itemSize = Size(width: 310, height: 60)
    options.minimumLineSpacing = 5
    options.minimumInteritemSpacing = 1
    options.sectionInset = EdgeInsets(all: 5)
    return options
  }

  func validate() throws(LayoutError) {
    guard itemSize.isPositive else { throw .invalidItemSize(itemSize) }
    try LayoutError.checkNotNegative([
      "minimumLineSpacing": minimumLineSpacing, "minimumInteritemSpacing": minimumInteritemSpacing,
      "sectionInset.top": sectionInset.top, "sectionInset.left": sectionInset.left,
      "sectionInset.bottom": sectionInset.bottom, "sectionInset.right": sectionInset.right,
    ])
  }
}

/// Flow options in terms of the scroll axis (main) and the axis across it (cross), for a view of known breadth.
struct FlowMetrics {
  var item: MainCross
  var lineSpacing: Double
  var interitemSpacing: Double
  var leading: MainCross
  var trailing: MainCross
  /// The length of the view perpendicular to the scroll axis, points.
  var breadth: Double

  init(_ options: FlowOptions, viewSize: Size) {
    let (axis, inset) = (options.scrollDirection, options.sectionInset)
    item = MainCross(options.itemSize, axis)
    (lineSpacing, interitemSpacing) = (options.minimumLineSpacing, options.minimumInteritemSpacing)
    leading = MainCross(Point(x: inset.left, y: inset.top), axis)
    trailing = MainCross(Point(x: inset.right, y: inset.bottom), axis)
    breadth = MainCross(viewSize, axis).cross
  }
}
