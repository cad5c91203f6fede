import CAllocationCounter
import CInstructionCounter
import CStackProfiler
import Foundation
import FrameBench
import Measurements

/// Makes stacks of addresses into stacks of functions, from where the scenario's frame begins.
struct StackNaming {
  private let profile: ProfileMeasurement
  private let symbols: [[Symbolizer.Symbol]]
  private let names: [String: String]
  private let programs: Set<Int>

  /// - Parameter executable: The program that was profiled.
  /// - Throws: `CancellationError`.
  init(
    _ profile: ProfileMeasurement, executable: String, symbolizer: Symbolizer, demangler: Demangler
  ) async throws {
    self.profile = profile
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: executable)) ?? executable
    programs = Set(profile.modules.indices.filter { profile.modules[$0].isEmpty })
    let modules = profile.modules.map { $0.isEmpty ? program : $0 }
    symbols = try await symbolizer.symbols(of: profile.places, modules: modules)
    names = try await demangler.names(of: Set(symbols.flatMap { $0.map(\.mangled) }))
  }

  /// Nil where the harness itself was at work.
  func stack(_ recorded: RecordedStack, endsInAllocation: Bool) -> ProfileStack? {
    var frames = callFrames(recorded)
    if endsInAllocation { frames = Self.withoutObserver(frames) }
    // What a library does for the harness is the harness's.
    let user = frames.last { $0.origin == .harness || $0.origin == .program }
    guard !frames.isEmpty, user?.origin != .harness else { return nil }
    frames.removeAll { $0.origin == .harness || $0.function.hasPrefix("thunk for ") }
    guard !frames.isEmpty else { return nil }
    if recorded.isOtherThread {
      frames.insert(CallFrame(function: "[another thread]", origin: .system), at: 0)
    } else if let phase = recorded.phase, profile.phaseNames.indices.contains(phase) {
      frames.insert(CallFrame(function: profile.phaseNames[phase], origin: .phase), at: 0)
    }
    return ProfileStack(
      frames: frames, count: recorded.count, bytes: recorded.bytes, firstFrame: recorded.firstFrame,
      frameCount: recorded.frameCount, mostInFrame: recorded.mostInFrame)
  }

  /// Outermost first. What only forwards to a function of the same name, such as a partial application, is
  /// merged with it; a function that calls itself is not.
  private func callFrames(_ recorded: RecordedStack) -> [CallFrame] {
    var found: [NamedFrame] = []
    for named in recorded.places.reversed().flatMap({ self.frames(at: $0).reversed() }) {
      if let last = found.last, Self.plain(last.frame.function) == Self.plain(named.frame.function),
        last.mangled != named.mangled
      {
        found[found.count - 1] = named
      } else {
        found.append(named)
      }
    }
    return found.map(\.frame)
  }

  private static func plain(_ name: String) -> Substring {
    name.hasPrefix("specialized ") ? name.dropFirst("specialized ".count) : name[...]
  }

  private struct NamedFrame {
    var mangled: String
    var frame: CallFrame
  }

  /// Innermost first.
  private func frames(at index: Int) -> [NamedFrame] {
    let place = profile.places[index]
    let path = place.module.map { profile.modules[$0] } ?? ""
    let isProgram = place.module.map(programs.contains) ?? false
    let library = isProgram || path.isEmpty ? nil : (path as NSString).lastPathComponent
    let known = symbols[index]
    guard known != [.linkageTable] else { return [] }
    guard !known.isEmpty else {
      let function = "[\(library ?? (isProgram ? "program" : "unknown"))]"
      let frame = CallFrame(function: function, origin: isProgram ? .program : .system, library: library)
      return [NamedFrame(mangled: "", frame: frame)]
    }
    return known.map { symbol in
      NamedFrame(
        mangled: symbol.mangled,
        frame: CallFrame(
          function: names[symbol.mangled] ?? symbol.mangled, file: symbol.file, line: symbol.line,
          origin: Self.origin(symbol, library: library), library: library))
    }
  }

  static func origin(_ symbol: Symbolizer.Symbol, library: String?) -> CallFrame.Origin {
    let isSwift = Demangler.isSwift(symbol.mangled)
    if let library {
      let isSwiftLibrary = ["libswift", "libFoundation", "lib_Foundation", "libdispatch"].contains(
        where: library.hasPrefix)
      return isSwift && isSwiftLibrary ? .standardLibrary : .system
    }
    if harnessPrefixes.contains(where: symbol.mangled.hasPrefix) { return .harness }
    if allocatorNames.contains(symbol.mangled) || symbol.mangled.hasPrefix("_Zn") { return .system }
    if symbol.mangled.hasPrefix("allocation_counter_") { return .harness }
    return isSwift && isStandardLibrary(symbol) ? .standardLibrary : .program
  }

  /// Modules, and functions of C, that are on the stack while a frame runs.
  private static let harnessPrefixes = [
    "$s10FrameBench", "$s11FrameWorker", "$s12Measurements", "stack_profiler_", "instruction_counter_",
  ]

  /// `$ss` is the module Swift itself; `$sS` and a letter one of its types, which a program may extend: then
  /// the file is the program's.
  private static func isStandardLibrary(_ symbol: Symbolizer.Symbol) -> Bool {
    guard symbol.mangled.hasPrefix("$ss") || symbol.mangled.hasPrefix("$sS") else { return false }
    return !isExtension(symbol.mangled)
  }

  /// `$sSa4MineE…`: a type of the library, a module, and an E.
  private static func isExtension(_ mangled: String) -> Bool {
    mangled.prefixMatch(of: /\$s(?:S[a-zA-Z]|s[0-9]+[A-Za-z_]+?V)[0-9]+[A-Za-z_0-9]+?E/) != nil
      && !mangled.hasPrefix("$sSo")
  }

  /// What the counter itself calls on the way to the observer; the allocator's function stays.
  private static func withoutObserver(_ frames: [CallFrame]) -> [CallFrame] {
    guard
      let last = frames.lastIndex(where: {
        allocatorNames.contains($0.function) || $0.function.hasPrefix("_Zn")
      }),
      frames.count - last <= 8
    else { return frames }
    return Array(frames[...last])
  }

  private static let allocatorNames: Set<String> = [
    "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign", "valloc", "pvalloc",
  ]
}
