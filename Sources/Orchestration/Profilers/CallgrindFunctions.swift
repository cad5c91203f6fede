import Foundation
import FrameBench
import FrameWorker
import Measurements
import Profiling

/// What callgrind's file says of functions: the file as KCachegrind reads it, in names of the source.
///
/// Format: valgrind's manual, "Callgrind Format Specification". Names are given once, `fn=(12) name`, and by
/// their number after that; a line of a position and a cost is the function's own, unless a `calls=` stands
/// before it: then it is what that call cost.
package struct CallgrindFunctions {
  private(set) var functions: [Function] = []
  private(set) var version: String?
  private let lines: [Substring]

  struct Function: Equatable {
    var mangled: String
    var library: String?
    var own = 0
    /// With what it calls.
    var total = 0
  }

  /// What a core does in a day, and sums of which fit.
  private static let largestCost = 1 << 48

  package init(_ data: Data) throws(InstructionCountError) {
    lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    var names: [Substring: String] = [:]
    var objects: [Substring: String] = [:]
    var costs: [String: Function] = [:]
    var (current, callee, object) = ("", "", "")
    var isCall = false
    for line in lines {
      if line.hasPrefix("fn=") {
        current = Self.name(line.dropFirst(3), &names)
      } else if line.hasPrefix("cfn=") {
        callee = Self.name(line.dropFirst(4), &names)
      } else if line.hasPrefix("ob=") {
        object = Self.name(line.dropFirst(3), &objects)
      } else if line.hasPrefix("cob=") {
        _ = Self.name(line.dropFirst(4), &objects)
      } else if line.hasPrefix("calls=") {
        isCall = true
      } else if line.hasPrefix("creator: callgrind-") {
        version = String(line.dropFirst("creator: callgrind-".count))
      } else if let first = line.first, first.isNumber || "+-*".contains(first), !current.isEmpty {
        let parts = line.split(separator: " ")
        guard parts.count > 1, let cost = Int(parts[parts.count - 1]), 0...Self.largestCost ~= cost else {
          if parts.count == 1 { continue }
          throw .unreadable("no cost in \"\(line.prefix(60))\"")
        }
        var function = costs[current] ?? Function(mangled: current, library: Self.library(object))
        if !isCall { function.own += cost }
        // A call of itself is in the cost of the outer one, and the harness is no part of the frame.
        if !isCall || (callee != current && !Self.isHarness(callee)) { function.total += cost }
        costs[current] = function
        isCall = false
      }
    }
    guard !costs.isEmpty else { throw .malformed("no function in it") }
    functions = costs.values.sorted { ($1.own, $0.mangled) < ($0.own, $1.mangled) }
  }

  /// `(12) name` tells what 12 is; recursion levels, `name'2`, are put together.
  private static func name(_ text: Substring, _ names: inout [Substring: String]) -> String {
    guard text.hasPrefix("("), let end = text.firstIndex(of: ")") else { return String(text) }
    let number = text[...end]
    let rest = text[text.index(after: end)...].drop { $0 == " " }
    guard !rest.isEmpty else { return names[number] ?? "" }
    let name = String(rest).replacing(/'[0-9]+$/, with: "")
    names[number] = name
    return name
  }

  private static func library(_ object: String) -> String? {
    let name = (object as NSString).lastPathComponent
    return name.contains(".so") ? name : nil
  }

  private static func isHarness(_ mangled: String) -> Bool {
    mangled == "request" || StackNaming.origin(.init(mangled: mangled), library: nil) == .harness
  }

  /// - Parameters:
  ///   - names: Those of the source, by mangled name.
  ///   - frameCount: Frames in which callgrind collected.
  func profile(names: [String: String], frameCount: Int) -> InstructionProfile {
    let costs = functions.compactMap { function -> FunctionCost? in
      guard !Self.isHarness(function.mangled), function.own > 0 else { return nil }
      let origin = StackNaming.origin(.init(mangled: function.mangled), library: function.library)
      let frame = CallFrame(
        function: names[function.mangled] ?? function.mangled, origin: origin, library: function.library)
      return FunctionCost(frame: frame, own: Double(function.own), total: Double(function.total))
    }
    let total = functions.reduce(0) { sum, function in
      Self.isHarness(function.mangled) ? sum : sum + function.own
    }
    return InstructionProfile(functions: costs, total: total, frameCount: frameCount, version: version)
  }

  /// The file with names of the source in it.
  func text(names: [String: String]) -> String {
    lines.map { line in
      guard line.hasPrefix("fn=(") || line.hasPrefix("cfn=("), let end = line.firstIndex(of: ")") else {
        return String(line)
      }
      let rest = line[line.index(after: end)...].drop { $0 == " " }
      guard !rest.isEmpty, let match = String(rest).firstMatch(of: /^(.*?)('[0-9]+)?$/) else {
        return String(line)
      }
      let mangled = String(match.1)
      return "\(line[...end]) \(names[mangled] ?? mangled)\(match.2 ?? "")"
    }.joined(separator: "\n")
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
