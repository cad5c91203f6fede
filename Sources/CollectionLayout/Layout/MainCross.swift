import Dynamics

/// A pair of coordinates or lengths along the scroll axis and across it, points.
struct MainCross: Hashable {
  var main: Double
  var cross: Double
}

extension MainCross {
  init(_ point: Point, _ axis: Axis) {
    self.init(main: axis == .vertical ? point.y : point.x, cross: axis == .vertical ? point.x : point.y)
  }

  init(_ size: Size, _ axis: Axis) { self.init(Point(x: size.width, y: size.height), axis) }
  func point(_ axis: Axis) -> Point { axis == .vertical ? Point(x: cross, y: main) : Point(x: main, y: cross) }

  func size(_ axis: Axis) -> Size {
    axis == .vertical ? Size(width: cross, height: main) : Size(width: main, height: cross)
  }
}
