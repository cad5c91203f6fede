import CAllocationCounter
import CInstructionCounter
import CStackProfiler
import Foundation
import FrameBench
import Linking
import Measurements
import Platform

/// Finds the functions, files and lines of addresses. It uses `llvm-symbolizer`, which knows lines and inlined
/// functions. If that does not work, it uses the symbol tables of the files, which know only functions.
package struct Symbolizer: Sendable {
  package struct Symbol: Equatable, Sendable {
    package var mangled: String
    package var file: String?
    package var line: Int?

    /// A stub that leads into a library. Its time counts as the caller's.
    package static let linkageTable = Symbol(mangled: "[linkage table]")
  }

  /// The path of `llvm-symbolizer`. Nil means only symbol tables.
  package var tool: String?

  package static func installed() -> Symbolizer {
    let files = SystemFiles()
    let path = SystemFiles.searchPath
    // Toolchains contain `llvm-symbolizer` next to their compiler. PATH may contain only a link to the compiler.
    let toolchains = files.programs("swift", path: path).map { Paths.parent(Paths.real($0) ?? $0) }
    let symbolizers = files.programs("llvm-symbolizer", path: ([path] + toolchains).joined(separator: ":"))
    return Symbolizer(tool: symbolizers.first)
  }

  /// A note for profiles in which files and lines are missing. Nil if the tool is installed.
  package var note: String? {
    guard tool == nil else { return nil }
    return "Files and lines are missing: llvm-symbolizer is not installed (apt-get install llvm)."
  }

  /// Returns the functions at each place: first the function of the code, then the functions that it was inlined into.
  /// Empty for a place about which nothing is known.
  /// - Parameter modules: The paths of the files that places refer to by index.
  package func symbols(of places: [CodePlace], modules: [String]) async throws -> [[Symbol]] {
    var symbols = Array(repeating: [Symbol](), count: places.count)
    for (module, indices) in Dictionary(grouping: places.indices, by: { places[$0].module }) {
      guard let module else { continue }
      let addresses = indices.map { places[$0].address }
      let found = try await ask(modules[module], addresses)
      let table = ELFSymbols(path: modules[module])
      for (position, index) in indices.enumerated() {
        if table.isLinkageTable(addresses[position]) {
          symbols[index] = [.linkageTable]
        } else if position < found.count, !found[position].isEmpty {
          symbols[index] = found[position]
        } else {
          // A stripped library has at least its exported names.
          symbols[index] = table.name(at: addresses[position]).map { [Symbol(mangled: $0)] } ?? []
        }
      }
    }
    return symbols
  }

  /// Asks the tool about addresses of a file. Returns an empty array if the tool fails. The caller then takes names from
  /// the file's symbol table, because names without lines are better than no profile.
  private func ask(_ module: String, _ addresses: [UInt64]) async throws -> [[Symbol]] {
    guard let tool, FileManager.default.isReadableFile(atPath: module) else { return [] }
    // The file may be a program of the measured package, which is not trusted. So the tool is restricted like a worker.
    let process = ChildProcess(
      executable: tool, arguments: ["--obj=\(module)", "--output-style=JSON", "--no-demangle", "--inlines"],
      timeout: .seconds(120), role: .worker(files: [module]))
    let answer = try await process.answer(to: addresses.map { "0x\(String($0, radix: 16))\n" }.joined())
    return answer.map(Self.parsed) ?? []
  }

  /// Parses the output of `llvm-symbolizer`, a line with a JSON object for each address.
  package static func parsed(_ output: String) -> [[Symbol]] {
    output.split(separator: "\n").map { line in
      let answer = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return (answer?["Symbol"] as? [[String: Any]] ?? []).compactMap {
        known($0["FunctionName"] as? String ?? "", file: $0["FileName"] as? String ?? "", line: $0["Line"] as? Int)
      }
    }
  }

  /// Returns a symbol, in which an unknown file or line is nil. Nil for an unknown function.
  private static func known(_ function: String, file: String, line: Int?) -> Symbol? {
    guard !function.isEmpty, function != "??" else { return nil }
    // For code that the compiler generates, the tool names `/<compiler-generated>`, or the object file that precedes
    // the code in the symbol table. Neither is a source file.
    let isPlace = file.hasPrefix("/") || line ?? 0 > 0
    let isKnown = isPlace && !file.isEmpty && !file.hasPrefix("??") && !Paths.name(file).hasPrefix("<")
    return Symbol(mangled: function, file: isKnown ? file : nil, line: line.flatMap { $0 > 0 ? $0 : nil })
  }
}

/// Turns stacks of addresses into stacks of functions, starting at the scenario's frame.
package struct StackNaming {
  private let profile: ProfileMeasurement
  private let symbols: [[Symbolizer.Symbol]]
  private let names: [String: String]
  private let programs: Set<Int>
  /// The code of springbench's own package. Nil if the program has no other code.
  private let engine: EngineCode?

  package init(_ profile: ProfileMeasurement, executable: String, symbolizer: Symbolizer, demangler: Demangler)
    async throws
  {
    self.profile = profile
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: executable)) ?? executable
    programs = Set(profile.modules.indices.filter { profile.modules[$0].isEmpty })
    let modules = profile.modules.map { $0.isEmpty ? program : $0 }
    symbols = try await symbolizer.symbols(of: profile.places, modules: modules)
    let places = profile.places
    let ofProgram = zip(places, symbols).filter { [programs] place, _ in place.module.map(programs.contains) ?? false }
    engine = EngineCode(ofProgram.flatMap { $1 })
    names = try await demangler.names(of: Set(symbols.flatMap { $0.map(\.mangled) }))
  }

  /// Returns the functions of a recorded stack. Nil if the harness (FrameBench) itself was at work.
  /// - Parameter endsInAllocation: Whether the stack was recorded when memory was allocated.
  package func stack(_ recorded: RecordedStack, endsInAllocation: Bool) -> ProfileStack? {
    var named = callFrames(recorded)
    // The innermost frames belong to the allocation counter, which the allocator calls. They are dropped.
    if endsInAllocation, let last = named.lastIndex(where: { Self.isAllocator($0.mangled) }), named.count - last <= 8 {
      named.removeSubrange((last + 1)...)
    }
    var frames = named.map(\.frame)
    // If the harness called a library, the library's functions count as the harness.
    let user = frames.last { [.harness, .program, .engine].contains($0.origin) }
    guard !frames.isEmpty, user?.origin != .harness else { return nil }
    frames.removeAll { $0.origin == .harness || $0.function.hasPrefix("thunk for ") }
    guard !frames.isEmpty else { return nil }
    if recorded.isOtherThread {
      frames.insert(CallFrame(function: "[another thread]", origin: .system), at: 0)
    } else if let phase = recorded.phase, profile.phaseNames.indices.contains(phase) {
      frames.insert(CallFrame(function: profile.phaseNames[phase], origin: .phase), at: 0)
    }
    return ProfileStack(frames, of: recorded)
  }

  /// Returns the calls of a stack, outermost first. A forwarder, such as a partial application, is merged with the
  /// function of the same name.
  private func callFrames(_ recorded: RecordedStack) -> [NamedFrame] {
    var found: [NamedFrame] = []
    for named in recorded.places.reversed().flatMap({ self.frames(at: $0).reversed() }) {
      if let last = found.last, plain(last) == plain(named), last.mangled != named.mangled { found.removeLast() }
      found.append(named)
    }
    return found
  }

  private func plain(_ named: NamedFrame) -> Substring { named.frame.function.trimmingPrefix("specialized ") }

  private typealias NamedFrame = (mangled: String, frame: CallFrame)

  /// Returns the functions at a place, innermost first.
  private func frames(at index: Int) -> [NamedFrame] {
    let place = profile.places[index]
    let path = place.module.map { profile.modules[$0] } ?? ""
    let isProgram = place.module.map(programs.contains) ?? false
    let library = isProgram || path.isEmpty ? nil : Paths.name(path)
    let known = symbols[index]
    guard known != [.linkageTable] else { return [] }
    guard !known.isEmpty else {
      let function = "[\(library ?? (isProgram ? "program" : "unknown"))]"
      let frame = CallFrame(function: function, origin: isProgram ? .program : .system, library: library)
      return [("", frame)]
    }
    return known.map { symbol in
      let frame = CallFrame(
        function: names[symbol.mangled] ?? symbol.mangled, file: symbol.file, line: symbol.line,
        origin: origin(symbol, library: library), library: library)
      return (symbol.mangled, frame)
    }
  }

  private func origin(_ symbol: Symbolizer.Symbol, library: String?) -> CallFrame.Origin {
    let origin = Self.origin(symbol.mangled, library: library)
    return origin == .program && engine?.has(symbol) == true ? .engine : origin
  }

  package static func origin(_ mangled: String, library: String?) -> CallFrame.Origin {
    let isSwift = Demangler.isSwift(mangled)
    if let library {
      let isSwiftLibrary = ["libswift", "libFoundation", "lib_Foundation", "libdispatch"].contains(
        where: library.hasPrefix)
      return isSwift && isSwiftLibrary ? .standardLibrary : .system
    }
    if harnessPrefixes.contains(where: mangled.hasPrefix), !isForeignExtension(mangled) { return .harness }
    return isAllocator(mangled) ? .system : isStandardLibrary(mangled) ? .standardLibrary : .program
  }

  /// The beginnings of mangled names in the harness (FrameBench): its modules, and its C functions that are on the
  /// stack while a frame runs.
  private static let harnessPrefixes = [
    "$s10FrameBench", "stack_profiler_", "instruction_counter_", "allocation_counter_", "frame_clock_",
  ]

  /// Whether a program declares this in an extension of one of FrameBench's types, such as `Suite`. The mangled name
  /// then consists of the type, the program's module and an E, as in `$s10FrameBench5SuiteV8packagesE…`.
  private static func isForeignExtension(_ mangled: String) -> Bool {
    var rest = mangled.dropFirst(2)
    while let end = afterIdentifier(rest) {
      if end.hasPrefix("E") { return true }
      rest = end.trimmingPrefix(/[VCOP]/)
    }
    return false
  }

  /// Returns what follows the identifier at the start of a mangled name. Nil if there is no identifier.
  ///
  /// An identifier is a length and as many characters: `5Timer`. If it begins with 0, letters stand for words of
  /// earlier identifiers, the last of them in upper case. Then another length with characters, or a 0, follows:
  /// `0A5Timer`.
  private static func afterIdentifier(_ name: Substring) -> Substring? {
    guard name.first?.isWholeNumber == true else { return nil }
    var hasWords = name.hasPrefix("0")
    var rest = hasWords ? name.dropFirst() : name
    repeat {
      guard let part = rest.prefixMatch(of: /[a-z]*([A-Z]?)(0|[1-9][0-9]*)/), let count = Int(part.2) else {
        return nil
      }
      rest = rest[part.range.upperBound...].dropFirst(count)
      if !part.1.isEmpty || count == 0 { hasWords = false }
    } while hasWords
    return rest
  }

  /// Whether a function belongs to the standard library. `$ss` is the module Swift itself, and `$sS` with a letter is
  /// one of its types. A program may extend these types. The name of an extension, such as `$sSa4MineE…`, consists of
  /// the type, the program's module and an E.
  private static func isStandardLibrary(_ mangled: String) -> Bool {
    guard mangled.hasPrefix("$ss") || mangled.hasPrefix("$sS") else { return false }
    return mangled.hasPrefix("$sSo")
      || mangled.prefixMatch(of: /\$s(?:S[a-zA-Z]|s[0-9]+[A-Za-z_]+?V)[0-9]+[A-Za-z_0-9]+?E/) == nil
  }

  private static func isAllocator(_ name: String) -> Bool { name.hasPrefix("_Zn") || allocatorNames.contains(name) }

  private static let allocatorNames: Set<String> = [
    "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign", "valloc", "pvalloc",
  ]
}

/// The code of springbench's package in a program that also has other code, such as the layout of an app.
package struct EngineCode {
  /// The folder of springbench's package.
  private let package: String
  /// The beginnings of mangled names in the package's modules, as in `$s5UIKit`.
  private var modules: Set<Substring> = []

  /// Returns nil if all symbols belong to the package, as in its own benchmarks, or if none shows the package's folder.
  /// - Parameter symbols: The symbols of the program.
  package init?(_ symbols: [Symbolizer.Symbol]) {
    let folders = symbols.lazy.compactMap { symbol in
      symbol.file.flatMap { file in file.firstRange(of: "/Sources/FrameBench/").map { file[..<$0.lowerBound] } }
    }
    guard let package = folders.first else { return nil }
    self.package = String(package)
    var hasOther = false
    for symbol in symbols where StackNaming.origin(symbol.mangled, library: nil) == .program {
      guard let file = symbol.file else { continue }
      if owns(file) { modules.insert(Self.module(of: symbol.mangled)) } else { hasOther = true }
    }
    if !hasOther { return nil }
  }

  package func has(_ symbol: Symbolizer.Symbol) -> Bool {
    symbol.file.map(owns) ?? modules.contains(Self.module(of: symbol.mangled))
  }

  private func owns(_ file: String) -> Bool {
    file.hasPrefix("\(package)/Sources/")
      || file.hasPrefix("\(package)/Benchmarks/") && !file.hasPrefix("\(package)/Benchmarks/Packages/")
  }

  private static func module(of mangled: String) -> Substring {
    guard let length = mangled.prefixMatch(of: /\$s([0-9]+)/), let count = Int(length.1) else { return mangled[...] }
    return mangled[..<length.range.upperBound] + mangled[length.range.upperBound...].prefix(count)
  }
}
