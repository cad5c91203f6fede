import FrameBench

extension FixtureSuite {
  /// Adds scenarios with a known amount of work, with which tests compare the counted instructions.
  static func addScenariosThatAreCounted(to suite: inout Suite) {
    suite.add("layered", strategies: ["once", "twice", "thrice"], sizes: [200]) { _, context in
      let size = context.size
      let units = ["once": 1, "twice": 2, "thrice": 3][context.strategy] ?? 0
      var state: UInt64 = 1
      return { frame, timer in
        timer.measure(.solve) {
          spin(&state, steps: units * size)
          timer.measure(.query) { spin(&state, steps: size) }
        }
        timer.measure(.prepare) {}
        spin(&state, steps: frame.index == context.warmUpFrameCount ? 10 * size : 0)
        return state
      }
    }
    suite.add("parted", strategies: ["mine"], sizes: [200]) { _, context in
      let size = context.size
      var state: UInt64 = 1
      return { _, timer in
        timer.measure(.prepare) { spin(&state, steps: 10 * size) }
        timer.startFrame()
        timer.measure(.solve) { spin(&state, steps: 3 * size) }
        timer.endFrame()
        spin(&state, steps: 5 * size)
        timer.startFrame()
        timer.measure(.query) { spin(&state, steps: size) }
        return state
      }
    }
  }

  /// Executes the same number of instructions for each step.
  @inline(never) private static func spin(_ state: inout UInt64, steps: Int) {
    var left = steps
    while left > 0 {
      state = (state ^ (state >> 7)) &* 0x9e37_79b9_7f4a_7c15 | 1
      left &-= 1
    }
  }
}
