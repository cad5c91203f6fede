import FrameBench

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FixtureSuite {
  /// Adds scenarios for profiles. It is known where they spend their time and which function allocates.
  static func addScenariosThatAreProfiled(to suite: inout Suite) {
    suite.add("split", strategies: ["seventy", "thirty"], sizes: [100]) { _, context in
      let size = context.size
      var state: UInt64 = 1
      let heavy = context.strategy == "seventy" ? 7 : 3
      return { frame, timer in
        timer.measure(.solve) { heavyWork(&state, rounds: heavy * size) }
        timer.measure(.query) { lightWork(&state, rounds: (10 - heavy) * size) }
        timer.endFrame()
        harnessWork(&state, rounds: 5 * size)
        return state
      }
    }
    suite.add("planted", strategies: ["mine", "clean"], sizes: [10]) { _, context in
      let size = context.size
      let layout = PlantedLayout(isPlanted: context.strategy == "mine")
      return { frame, timer in
        timer.measure(.prepare) { layout.prepare(frame.index - context.warmUpFrameCount, itemCount: size) }
        return UInt64(layout.sum)
      }
    }
  }

  /// Adds a scenario that differs in each `FixtureBuild`. Its output is the same in all builds except `moved`. The
  /// scenario counts its work, so comparisons of builds are exact.
  static func addTheScenarioThatIsRebuilt(to suite: inout Suite, sizes: [Int] = [200]) {
    suite.add("rebuilt", strategies: ["mine"], sizes: sizes) { _, context in
      let size = context.size
      let build = FixtureBuild.current(size: size)
      // This is evaluated in every build, so that the set-ups of all builds allocate the same.
      let isSampled = FixtureBuild.isSampled
      if build == .unsampled, isSampled { throw FixtureError.noData }
      var state: UInt64 = 1
      let rounds = build == .plain || build == .moved ? size : 4 * size
      let layout = PlantedLayout(isPlanted: build == .allocating)
      return { frame, timer in
        timer.measure(.solve) { heavyWork(&state, rounds: build == .allocating ? size : rounds) }
        timer.measure(.query) { lightWork(&state, rounds: size) }
        timer.measure(.prepare) { layout.prepare(frame.index, itemCount: 10) }
        timer.endFrame()
        timer.record(.springEvaluations, build == .allocating ? size : rounds)
        return UInt64(frame.index) &+ (state == 0 ? 1 : 0) &+ (build == .moved ? 1 : 0)
      }
    }
  }

  // The constants differ because the compiler merges equal functions. The addition at the end prevents a tail call,
  // which would replace the function on the stack.
  @inline(never) private static func heavyWork(_ state: inout UInt64, rounds: Int) {
    churn(&state, rounds, 0x9e37_79b9_7f4a_7c15)
    state &+= 1
  }
  @inline(never) private static func lightWork(_ state: inout UInt64, rounds: Int) {
    churn(&state, rounds, 0xbf58_476d_1ce4_e5b9)
    state &+= 2
  }
  /// Runs after the end of the frame, so it must not appear in a profile.
  @inline(never) private static func harnessWork(_ state: inout UInt64, rounds: Int) {
    churn(&state, rounds, 0x94d0_49bb_1331_11eb)
    state &+= 3
  }

  /// Repeats a calculation that takes the same time in each round.
  @inline(__always) private static func churn(_ state: inout UInt64, _ rounds: Int, _ factor: UInt64) {
    for _ in 0..<rounds { state = (state ^ (state >> 7)) &* factor | 1 }
  }
}

/// A layout that allocates in every third frame from frame 5 on, in a function three calls deep.
final class PlantedLayout {
  private(set) var sum = 0
  private let isPlanted: Bool
  private var kept: [UnsafeMutableRawPointer?] = [nil]

  init(isPlanted: Bool) { self.isPlanted = isPlanted }

  @inline(never) func prepare(_ frame: Int, itemCount: Int) { for item in 0..<itemCount { place(item, frame) } }

  @inline(never) private func place(_ item: Int, _ frame: Int) {
    sum &+= item
    if isPlanted, frame >= 5, frame % 3 == 2, item == 4 { remember(bytes: 48) }
  }

  @inline(never) private func remember(bytes: Int) {
    free(kept[0])
    kept[0] = malloc(bytes)  // the planted allocation
    sum &+= 1
  }
}

/// The build that this program acts as. To make another build, a test copies the executable and overwrites the build's
/// name in the copy.
enum FixtureBuild: String {
  case plain, slow, allocating, unsampled, moved

  /// Returns the build that a benchmark behaves like. A program named `slow400` is `slow` at size 400, else `plain`.
  static func current(size: Int) -> FixtureBuild {
    let name = marker().dropFirst(14).prefix { $0 != "." }
    let concerned = name.drop { !$0.isNumber }
    guard concerned.isEmpty || concerned == "\(size)" else { return .plain }
    return FixtureBuild(rawValue: String(name.prefix { !$0.isNumber })) ?? .plain
  }

  // The function is not optimized, because the compiler would otherwise evaluate it in advance.
  @inline(never) @_optimize(none) private static func marker() -> String { "fixture-build:plain....." }

  /// Whether a handler for the signals of a sampler is installed.
  static var isSampled: Bool {
    var action = sigaction()
    sigaction(SIGPROF, nil, &action)
    // The first field is the handler. 0 is the default, and 1 ignores the signal.
    return withUnsafeBytes(of: action) { $0.loadUnaligned(as: UInt.self) > 1 }
  }
}
