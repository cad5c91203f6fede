import CAllocationCounter
import FoundationEssentials
import Glibc
import TextFormat

extension Suite {
  /// Runs a benchmark program, whose `main.swift` ends with `await suite.main()`. `springbench` starts the program for
  /// each run. If a person starts it, it prints how to use `springbench` instead.
  ///
  /// Benchmarks are measured on the main thread, because it has a large stack. The main task never suspends, because
  /// valgrind up to 3.19 crashes when that task is resumed.
  @MainActor public func main() async -> Never {
    // With these signals ignored, writing to a pipe without a reader, or beyond the file size limit, fails with an
    // error instead of ending the program.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    FrameExecutor.servesMainActor = true
    do {
      switch CommandLine.arguments.dropFirst().first {
      case "describe": try WorkerPipes().write(try describe().line())
      case "preflight": try preflight(try WorkerPipes())
      case "worker": try Worker(self).serve(try WorkerPipes())
      default: end(64, "this program holds benchmarks; springbench run, in the folder of its package, measures them")
      }
    } catch { end(1, oneLine("\(error)")) }
    exit(0)
  }

  private func end(_ status: Int32, _ text: String) -> Never {
    let name = CommandLine.arguments.first.flatMap { $0.split(separator: "/").last } ?? "benchmarks"
    let line = Array("\(name): \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(status)
  }

  private func preflight(_ pipes: WorkerPipes) throws {
    let request = try PreflightRequest(line: try pipes.readLine())
    let limit = request.timedBelowBytes ?? .max
    try pipes.write(try request.benchmarks.map { preflight(of: $0, request.options, timedBelowBytes: limit) }.line())
  }

  func preflight(of id: BenchmarkID, _ options: RunOptions, timedBelowBytes limit: Int = .max) -> Preflight {
    var found = Preflight()
    guard let scenario = scenario(of: id) else {
      found.problem = "suite \"\(name)\" has no such benchmark"
      return found
    }
    let options = options.of(id)
    let context = ScenarioContext(id, options)
    found.memoryBytes = scenario.options.memoryEstimate(context)
    do { found.warnings = try scenario.options.warnings(context) } catch { found.problem = oneLine("\(error)") }
    if let seconds = scenario.options.secondsPerRun, found.problem == nil, found.memoryBytes < limit {
      // An error is ignored here, so that other benchmarks can run. This benchmark's run reports it.
      found.frameCount = try? frameCount(of: scenario, context, seconds)
    }
    guard let stretches = scenario.options.stretches else { return found }
    do { found.stretches = try stretches(ScenarioContext(id.with(strategy: scenario.strategies[0]), options)) } catch {
      found.stretchProblem = oneLine("\(error)")
    }
    return found
  }

  /// Returns how many recorded frames fit into `seconds`, judged by the faster of two frames. The number is 3, 10, 30,
  /// 100, 300 or 1,000, so that most runs record the same number of frames. It is never more than the requested number.
  /// If 3 frames do not fit, the number is 2, or 1 if a frame takes more than a second. If a frame takes longer than ten
  /// times `seconds` (rounded up to whole seconds), an alarm ends the process.
  private func frameCount(of scenario: Scenario, _ context: ScenarioContext, _ seconds: Double) throws -> Int {
    let recorder = FrameRecorder(.output, clock: .system(), frameCount: context.totalFrameCount)
    let fastest = try ScenarioRun(scenario, context).whileSetUp { body in
      var loop = FrameLoop(body, context, recorder)
      func frame() throws -> Double {
        // `alarm(0)` would set no alarm, so the time is at least one second.
        alarm((0..<1e6).contains(seconds) ? max(1, UInt32((10 * seconds).rounded(.up))) : 0)
        defer { alarm(0) }
        return try ContinuousClock().measure { try loop.runFrame() } / .seconds(1)
      }
      let first = try frame()
      return loop.isFinished ? first : min(first, try frame())
    }
    let fitting = [1_000, 300, 100, 30, 10, 3].first { Double($0) * fastest <= seconds }
    return min(context.frameCount, fitting ?? (fastest > 1 ? 1 : 2))
  }
}

extension WorkerBuild {
  package static var own: WorkerBuild {
    #if DEBUG
      let configuration = "debug"
    #else
      let configuration = "release"
    #endif
    return WorkerBuild(
      toolchain: ownToolchain, configuration: configuration,
      allocator: String(cString: allocation_counter_allocator_name()))
  }

  private static var ownToolchain: String {
    #if compiler(>=6.4)
      "Swift 6.4 or later"
    #elseif compiler(>=6.3.3)
      "Swift 6.3.3 or later"
    #elseif compiler(>=6.3.2)
      "Swift 6.3.2"
    #elseif compiler(>=6.3.1)
      "Swift 6.3.1"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #elseif compiler(>=6.2)
      "Swift 6.2"
    #else
      "Swift 6.1"
    #endif
  }
}
