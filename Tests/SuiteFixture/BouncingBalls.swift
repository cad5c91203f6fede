import FrameBench

extension Suite {
  /// Adds balls that bounce on a floor, stored as one array of structs or as two arrays of numbers.
  mutating func addBouncingBalls() {
    add(
      "bounce", summary: "Balls bounce on a floor.", sizes: [100, 1_000, 10_000],
      strategies: [
        "structs": { Self.frame(BallStructs(count: $0.size)) }, "columns": { Self.frame(BallColumns(count: $0.size)) },
      ])
  }

  private static func frame(_ start: some Balls) -> Scenario.FrameBody {
    var balls = start
    return { frame, timer in
      timer.measure(.solve) { balls.step(by: frame.timestep) }
      timer.endFrame()
      timer.record(.activeItems, balls.heights.count)
      return balls.heights.reduce(0) { ($0 &* 31) ^ $1.bitPattern }
    }
  }
}

protocol Balls {
  var heights: [Double] { get }
  mutating func step(by timestep: Double)
}

struct BallStructs: Balls {
  private struct Ball {
    var height: Double
    var velocity = 0.0
  }

  private var balls: [Ball]
  var heights: [Double] { balls.map(\.height) }

  init(count: Int) { balls = (0..<count).map { Ball(height: Double($0)) } }

  mutating func step(by timestep: Double) {
    for index in balls.indices {
      balls[index].velocity -= 9.81 * timestep
      balls[index].height += balls[index].velocity * timestep
      if balls[index].height < 0 {
        balls[index].height.negate()
        balls[index].velocity.negate()
      }
    }
  }
}

struct BallColumns: Balls {
  private(set) var heights: [Double]
  private var velocities: [Double]

  init(count: Int) {
    heights = (0..<count).map(Double.init)
    velocities = Array(repeating: 0, count: count)
  }

  mutating func step(by timestep: Double) {
    for index in heights.indices {
      velocities[index] -= 9.81 * timestep
      heights[index] += velocities[index] * timestep
      if heights[index] < 0 {
        heights[index].negate()
        velocities[index].negate()
      }
    }
  }
}
