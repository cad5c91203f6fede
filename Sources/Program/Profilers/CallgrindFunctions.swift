import Foundation
import FrameBench
import Measurements

/// What callgrind's file says of the functions of a frame, the harness taken out.
package struct CallgrindFunctions {
  /// Sorted by their own instructions, the most expensive first. Levels of a recursion are put together.
  private(set) var functions: [Function] = []
  private(set) var version: String?
  private let file: CallgrindCalls

  struct Function: Equatable {
    var mangled: String
    var library: String?
    var own = 0
    /// With what it calls.
    var total = 0
  }

  package init(_ data: Data) throws(InstructionCountError) {
    file = try CallgrindCalls(data).withoutHarness()
    version = file.head.first { $0.hasPrefix("creator: callgrind-") }.map {
      String($0.dropFirst("creator: callgrind-".count))
    }
    var costs: [String: (own: Double, total: Double, library: String?)] = [:]
    for function in file.functions {
      let name = function.place.name
      var cost = costs[name] ?? (0, 0, CallgrindCalls.library(function.place.object))
      cost.own += function.own
      // A call of itself is in the cost of the outer one.
      let calls = function.calls.filter { $0.callee.name != name }
      cost.total += calls.reduce(function.own) { $0 + $1.cost }
      costs[name] = cost
    }
    functions = costs.map { name, cost in
      Function(
        mangled: name, library: cost.library, own: Int(cost.own.rounded()), total: Int(cost.total.rounded()))
    }.sorted { ($1.own, $0.mangled) < ($0.own, $1.mangled) }
  }

  /// - Parameters:
  ///   - names: Those of the source, by mangled name.
  ///   - frameCount: Frames in which callgrind collected.
  func profile(names: [String: String], frameCount: Int) -> InstructionProfile {
    let costs = functions.filter { $0.own > 0 }.map { function in
      let origin = StackNaming.origin(.init(mangled: function.mangled), library: function.library)
      let frame = CallFrame(
        function: names[function.mangled] ?? function.mangled, origin: origin, library: function.library)
      return FunctionCost(frame: frame, own: Double(function.own), total: Double(function.total))
    }
    let total = functions.reduce(0) { $0 + $1.own }
    return InstructionProfile(functions: costs, total: total, frameCount: frameCount, version: version)
  }

  /// The file as KCachegrind reads it, with names of the source in it.
  package func text(names: [String: String]) -> String {
    let bearers = Dictionary(grouping: functions.map(\.mangled)) { names[$0] ?? $0 }
    return file.text { mangled in
      let name = names[mangled] ?? mangled
      // What only leads on to a function of the same name would look like one that calls itself.
      let leadsOn = mangled.hasSuffix("TA") && bearers[name, default: []].count > 1
      return leadsOn ? "partial apply for \(name)" : name
    }
  }
}

extension CallgrindRunner {
  /// Instructions of frames by function.
  ///
  /// - Throws: `InstructionFailure`, `CancellationError`.
  func functions(
    _ id: BenchmarkID, options: RunOptions, frames: [Int]
  ) async throws -> (functions: CallgrindFunctions, profile: ProfileMeasurement) {
    let request = WorkerRequest(
      benchmark: id, work: .profile(ProfileRequest(kind: .callgrind, frames: frames)), options: options,
      parentProcess: getpid())
    return try await run(request, collecting: "--collect-atstart=no") {
      measurement, data throws(InstructionCountError) in
      guard let profile = measurement.profile else { return nil }
      return (try CallgrindFunctions(data), profile)
    }
  }
}
