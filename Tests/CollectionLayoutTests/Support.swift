import Dynamics

@testable import CollectionLayout

/// Computes the frames that a flow layout should return, by placing item after item from the start.
struct PlainFlow {
  var frames: [Rect] = []
  var contentLength = 0.0

  init(_ options: FlowOptions, itemCount: Int, viewSize: Size) {
    let vertical = options.scrollDirection == .vertical
    let inset = options.sectionInset
    let breadth = vertical ? viewSize.width : viewSize.height
    let (firstCross, lastCross) = vertical ? (inset.left, inset.right) : (inset.top, inset.bottom)
    var main = vertical ? inset.top : inset.left
    var cross = firstCross
    var longest = 0.0
    for _ in 0..<itemCount {
      let size = options.itemSize
      let (length, width) = vertical ? (size.height, size.width) : (size.width, size.height)
      if cross > firstCross, cross + width > breadth - lastCross {
        main += longest + options.minimumLineSpacing
        (cross, longest) = (firstCross, 0)
      }
      frames.append(
        vertical
          ? Rect(x: cross, y: main, width: size.width, height: size.height)
          : Rect(x: main, y: cross, width: size.width, height: size.height))
      cross += width + options.minimumInteritemSpacing
      longest = max(longest, length)
    }
    contentLength = main + longest + (vertical ? inset.bottom : inset.right)
  }
}

extension FlowOptions {
  struct Named: Sendable, CustomStringConvertible {
    var description: String
    var options: FlowOptions
  }

  static var varied: [Named] {
    var sideways = FlowOptions()
    sideways.scrollDirection = .horizontal
    var dense = FlowOptions()
    dense.itemSize = Size(width: 20, height: 15)
    dense.minimumLineSpacing = 0
    dense.minimumInteritemSpacing = 0
    dense.sectionInset = EdgeInsets(top: 3, left: 0, bottom: 7, right: 2)
    return [
      Named(description: "grid", options: FlowOptions()), Named(description: "messages", options: .messages),
      Named(description: "sideways", options: sideways), Named(description: "dense", options: dense),
    ]
  }
}

let phone = Size(width: 320, height: 568)
