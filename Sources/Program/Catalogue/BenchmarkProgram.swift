import Foundation
import FrameBench
import TextFormat

/// A program of benchmarks (`Suite.main()`), and what can be asked of it beside runs.
struct BenchmarkProgram: Sendable {
  var path: String

  /// Whether it was built before programs could describe themselves, when each had all commands of springbench.
  struct IsEarlier: Error {}

  /// - Throws: `RunError` where it does not answer or its suite has problems; `IsEarlier`.
  func describe() async throws -> SuiteDescription {
    let end = try await ask(["describe"])
    if end.status == .exited(ExitStatus.usage.rawValue), end.output.isEmpty { throw IsEarlier() }
    let suite: SuiteDescription
    do {
      suite = try SuiteDescription(line: end.output)
    } catch {
      throw RunError(
        "\(path) does not describe its benchmarks: \(error)\(lastLine(ofStandardError: end.errorTail))")
    }
    guard suite.problems.isEmpty else {
      throw RunError(suite.problems.joined(separator: "; "))
    }
    return suite
  }

  /// - Returns: In the order of the benchmarks.
  func preflight(_ benchmarks: [BenchmarkID], _ options: RunOptions) async throws -> [Preflight] {
    let request = PreflightRequest(benchmarks: benchmarks, options: options)
    let end = try await ask(["preflight"], input: try request.line())
    guard end.isSuccess, let found = try? JSONDecoder().decode([Preflight].self, from: end.output),
      found.count == benchmarks.count
    else {
      throw RunError("\(path) cannot prepare its benchmarks\(lastLine(ofStandardError: end.errorTail))")
    }
    return found
  }

  /// What an earlier program lists; empty where the selection matches nothing there.
  func list(_ selection: BenchmarkSelection) async throws -> [ListedBenchmark] {
    let end = try await ask(["list", "--json"] + selection.arguments)
    if end.status == .exited(ExitStatus.usage.rawValue) { return [] }
    guard end.isSuccess, let listed = try? JSONDecoder().decode([ListedBenchmark].self, from: end.output)
    else {
      throw RunError("\(path) does not list its benchmarks\(lastLine(ofStandardError: end.errorTail))")
    }
    return listed
  }

  private func ask(_ arguments: [String], input: Data = Data()) async throws -> ChildProcess.End {
    let process = ChildProcess(
      executable: .path(.init(path)), arguments: arguments, environment: WorkerProcess.ownVariables,
      timeout: .seconds(60))
    do {
      return try await process.run(input: input)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw RunError("\(path) cannot be started: \(error)")
    }
  }
}

extension Catalogue {
  /// What the suites' own code says of benchmarks before they are run.
  func preflight(_ benchmarks: [BenchmarkID], _ options: RunOptions) async throws -> [BenchmarkID: Preflight]
  {
    var found: [BenchmarkID: Preflight] = [:]
    for (path, ids) in Dictionary(grouping: benchmarks, by: { programs.path(of: $0) }) {
      let answers = try await BenchmarkProgram(path: path).preflight(ids, options)
      for (id, answer) in zip(ids, answers) { found[id] = answer }
    }
    return found
  }
}
