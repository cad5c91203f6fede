import Dynamics
import Foundation

/// A system of coupled items that both this engine and Box2D simulate.
enum SystemScene: Hashable, Sendable {
  /// Newton's cradle with the given number of discs. The discs enter one at a time from outside of the screen, so that
  /// all of them swing and knock against each other.
  case cradle(Int)
  /// The given number of items, each on four springs, dragged by a finger.
  case drag(Int)

  var count: Int {
    switch self {
    case .cradle(let count), .drag(let count): count
    }
  }

  var name: String {
    switch self {
    case .cradle(let count): "cradle of \(Figure.count(count))"
    case .drag(let count): "drag of \(Figure.count(count))"
    }
  }

  /// The key of the scene in the JSON document.
  var key: String {
    switch self {
    case .cradle(let count): "cradle\(count)"
    case .drag(let count): "drag\(count)"
    }
  }

  /// The scenes about which the report makes claims.
  static let judged: [SystemScene] = [.cradle(10), .cradle(1_000), .drag(100)]

  /// Seconds.
  static let timestep = 1.0 / 60
}

/// The dimensions and properties of a cradle, in points and Hz.
enum CradleParts {
  static let diameter = 64.0
  static let length = 300.0
  static let frequency = 1.0
  static let damping = 0.4
  /// Points per second².
  static let gravity = 1_000.0
  static let elasticity = 1.0
  static let screenWidth = 1024.0

  static func anchor(_ index: Int) -> Point { Point(x: (Double(index) + 0.5) * diameter, y: 64) }

  static func start(_ index: Int) -> Point {
    Point(x: max(screenWidth, anchor(index).x) + diameter, y: anchor(index).y + length)
  }

  /// The number of frames between the entries of two discs. In a small cradle, each disc has time to swing into place.
  static func interval(_ count: Int) -> Int { max(1, 240 / count) }
}

/// The positions of the items and the finger in a drag.
enum DragParts {
  /// The length of an item's sides, points.
  static let side = 20.0

  static func place(_ index: Int) -> Point { Point(x: 20 + 24 * Double(index % 40), y: 20 + 24 * Double(index / 40)) }

  /// Returns the position of the finger after this many frames.
  static func finger(_ frame: Int) -> Point {
    let time = Double(frame) * SystemScene.timestep
    return Point(x: 512 + 350 * sin(2 * .pi * 0.31 * time), y: 384 + 250 * sin(2 * .pi * 0.47 * time))
  }
}
