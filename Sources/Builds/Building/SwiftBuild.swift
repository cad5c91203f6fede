import Foundation
import Linking
import Platform
import SystemPackage

/// Runs `swift build` in release mode.
package struct SwiftBuild: Sendable {
  /// The name of the package or of its revision in error messages.
  package var name: String
  package var package: String
  package var product: String
  package var scratch: String
  /// The checkout of a revision. Each function is then compiled into its own section. Nil for a package that is built
  /// in place, as its developers build it.
  package var checkout: String?
  package var flags: [String]
  /// The working directory of `swift build`. Nil means that of this process.
  package var folder: String?
  /// The home folder of the build inside the sandbox. Nil if there is no sandbox.
  package var home: String?
  /// Records the linker's inputs, so that the program can be linked again. Nil if the toolchain has no lld.
  package var recorder: LinkRecorder?

  private static let timeout = Duration.seconds(3_600)

  /// Flags that put each function into its own section, so that the linker can move it. Apart from them, the build is
  /// the package's usual release build.
  package static let sections = [
    "-Xswiftc", "-Xfrontend", "-Xswiftc", "-function-sections", "-Xcc", "-ffunction-sections", "-Xcxx",
    "-ffunction-sections",
  ]

  package var arguments: [String] {
    let command = ["build", "--package-path", package, "--configuration", "release", "--product", product]
    guard let checkout else { return command + flags }
    // Replaces paths with names that are the same everywhere, so that the program contains no path of this machine.
    // `#filePath` is not replaced.
    let maps = ["\(checkout)=/springbench/source", "\(scratch)=/springbench/build"]
    let mapping = maps.flatMap { map in
      ["-Xswiftc", "-file-prefix-map", "-Xswiftc", map]
        + ["-Xcc", "-Xcxx"].flatMap { [$0, "-ffile-prefix-map=\(map)"] }
    }
    // Without this flag, the compiler does not list headers of modules that a module map marks as `[system]`.
    let tracking = ["-Xswiftc", "-track-system-dependencies"]
    return command + ["--scratch-path", scratch] + mapping + tracking + Self.sections + (recorder?.arguments ?? [])
      + flags
  }

  /// Returns the folder of products, according to SwiftPM. The folder depends on flags, such as those for the build
  /// system, the platform and the build folder.
  package func binaries() async throws -> String {
    let end = try await build(arguments + ["--show-bin-path"])
    let binaries = end.text.split(separator: "\n").last.map(String.init) ?? ""
    try checkPlace(of: binaries)
    return binaries
  }

  /// - Parameter binaries: The folder from `binaries()`.
  package func run(into binaries: String) async throws {
    try recorder?.prepare()
    removeProducts(in: binaries)
    try await build(arguments)
    try checkPlace(of: binaries)
    try check(binaries)
  }

  /// Throws if the build has replaced one of its folders with a symbolic link. Springbench would follow the link and
  /// might change files that code of the package must not change.
  package func checkPlace(of binaries: String) throws(RevisionError) {
    guard let checkout else { return }
    let slot = Paths.parent(scratch)
    for path in [scratch, checkout, binaries] where path.hasPrefix(slot + "/") {
      guard let real = Paths.real(path), let place = Paths.real(slot), !real.hasPrefix(place + "/") else { continue }
      throw RevisionError(
        .sources, "the build of \(name) put a link to \(real) in place of \(path); let it keep its own folders")
    }
  }

  /// Removes linked products and build plans, so that SwiftPM links the product, builds resource bundles and runs
  /// plug-ins again, even if they look up to date.
  package func removeProducts(in binaries: String) {
    let products = [product] + BuildStore.products(in: binaries)
    let plans = ["\(scratch)/release.yaml", "\(scratch)/plugins/outputs"]
    for path in products.map({ "\(binaries)/\($0)" }) + plans { try? FileManager.default.removeItem(atPath: path) }
  }

  @discardableResult private func build(_ arguments: [String]) async throws -> ChildProcess.End {
    let end = try await Self.swift(arguments, Self.timeout, in: folder, home: home)
    if let stop = end.stop {
      let reason = stop == .timeout ? "took more than 60 minutes" : "printed more than 256 MB"
      throw RevisionError(.sources, "building \(name) \(reason) and was stopped")
    }
    if end.isSuccess { return end }
    let text = end.text + "\n" + end.errorTail
    if text.contains("was compiled with module cache path") {
      throw RevisionError(.failure, "\(scratch) was moved or copied, and the compiler refuses it; remove it")
    }
    if text.contains("No space left on device") || text.contains("Disk quota exceeded") {
      throw RevisionError.diskFull(folder: scratch)
    }
    if text.contains("no product named '\(product)'") { throw RevisionError.noProduct(product, name) }
    if let cause = Self.fetchFailure(in: text) {
      throw RevisionError.notFetched(name, cause: cause, isInSandbox: Sandbox.current != nil)
    }
    if end.status == .signaled(SIGKILL) || text.contains(#/due to signal 9\b|unable to execute command: Killed/#) {
      throw RevisionError(.failure, "the compiler was killed while it built \(name); is there enough memory?")
    }
    let errors = Self.errors(in: text.split(separator: "\n").map(String.init))
    let first = errors.first { $0.contains("error: ") && !$0.contains("error: fatalError") } ?? errors.last
    // Paths in the checkout are easier to read without the path of the checkout.
    let reason = first?.replacing(Paths.parent(scratch) + "/", with: "")
    throw RevisionError.doesNotBuild(name, reason: reason ?? "swift build ended with \(end.status)", lastLines: errors)
  }

  /// Returns the line that says why a dependency could not be fetched. Nil if no fetch failed because of the network.
  /// Inside the sandbox there is no network, so every failed fetch counts.
  package static func fetchFailure(in text: String, isInSandbox: Bool = Sandbox.current != nil) -> String? {
    guard text.contains(#/Failed to clone repository|fetch updates from remote|failed downloading/#) else { return nil }
    let isUnreachable =
      #/Could not resolve (host|proxy)|Failed to connect|Connection (timed out|refused|reset)|Network is unreachable/#
    let lines = text.split(separator: "\n").map(\.trimmed)
    if let line = lines.first(where: { $0.contains(isUnreachable) }) { return line }
    return isInSandbox ? lines.first { $0.hasPrefix("fatal: ") } ?? "a fetch failed" : nil
  }

  /// Returns each of the compiler's errors once, with the lines of code below it. SwiftPM's own output is left out. If
  /// no error names a line of a file, as with linker errors, the last lines are returned. There are at most 20 lines.
  package static func errors(in lines: [String]) -> [String] {
    var errors: [String] = []
    var seen: Set<String> = []
    var isShown = false
    for line in lines {
      if let found = line.prefixMatch(of: #/[^ ].*?:[0-9]+:[0-9]+: ([a-z]+): /#) {
        isShown = (found.1 == "error" || found.1 == "note" && isShown) && seen.insert(line).inserted
      } else if line.prefixMatch(of: #/ *[0-9]* *\|/#) == nil {
        isShown = false
      }
      if isShown { errors.append(line) }
    }
    // Leaves out progress, such as "[12/90] Compiling …".
    let progress = #/\[[0-9]+/[0-9]+\] |(Fetch|Updat|Comput|Creat|Resolv)(ing|ed) |Working copy of | *$/#
    let others = lines.filter { $0.prefixMatch(of: progress) == nil }
    // The compiler takes a frame of several statements without `return` for one that returns a checksum.
    let lacksReturn = errors.contains { $0.hasSuffix("missing return in closure expected to return 'UInt64'") }
    return (errors.isEmpty ? others.suffix(20) : errors.prefix(20))
      + (lacksReturn ? ["springbench: note: a frame that returns nothing ends with `return`"] : [])
  }

  private func check(_ binaries: String) throws {
    guard FileManager.default.isExecutableFile(atPath: "\(binaries)/\(product)") else {
      throw RevisionError.noProduct(product, name)
    }
  }

  /// The first line of `swift --version`. It is asked for once, because each answer takes a quarter of a second.
  package static let toolchain = Task {
    let end = try await swift(["--version"], .seconds(120))
    guard end.isSuccess, let line = end.text.split(separator: "\n").first else {
      throw RevisionError.missingTool("swift", remedy: "swift --version must work in this shell")
    }
    return line.trimmed
  }

  /// Builds a package in place, as its developers do. Returns the path of the program.
  package static func plain(package: String, product: String, flags: [String]) async throws -> String {
    let build = SwiftBuild(
      name: "the package in \(package)", package: package, product: product, scratch: "\(package)/.build", flags: flags)
    // If an earlier build was killed while SwiftPM wrote its plan, the plan is cut off, and SwiftPM would not mend it.
    // Writing it again takes no longer than checking it.
    unlink("\(build.scratch)/release.yaml")
    try await build.build(build.arguments)
    let binaries = try await build.binaries()
    try build.check(binaries)
    return Paths.real("\(binaries)/\(product)") ?? "\(binaries)/\(product)"
  }

  /// - Parameter home: In the sandbox, a home folder that several calls share. If nil, the call gets its own.
  package static func swift(_ arguments: [String], _ timeout: Duration, in folder: String? = nil, home: String? = nil)
    async throws -> ChildProcess.End
  {
    let process = ChildProcess(
      executable: "swift", arguments: arguments, timeout: timeout, folder: folder, role: .build(home: home))
    return try await process.run { _ in RevisionError.missingTool("swift", remedy: "put a Swift toolchain on the PATH")
    }
  }
}

/// The Swift modules in a build folder, with their input files, according to the compiler's lists (`.d` files).
///
/// SwiftPM compiles a module again only if inputs that SwiftPM knows have changed, such as sources. The compiler's list
/// contains more inputs: headers that only Swift reads, and indirectly imported modules whose functions are inlined.
package struct CompiledModules {
  /// The path of SwiftPM's build folder, without symbolic links.
  package var scratch: String
  /// The folder in which SwiftPM puts products and the folders of targets.
  package var binaries: String

  /// The folders of targets. With the build system `native`, they contain the compiler's lists of input files (`.d`).
  /// Other build systems put the lists elsewhere.
  private var targets: [String] {
    Paths.names(in: binaries).filter { $0.hasSuffix(".build") }.map { "\(binaries)/\($0)" }
  }

  /// Whether an earlier build left the compiler's lists of input files. Without them, outdated modules cannot be found.
  package var areListed: Bool { !targets.isEmpty }

  private struct Module {
    /// The path of the compiler's list of input files. Its modification time is the time of the last compilation. The
    /// times of modules and objects may be older, because the compiler writes these files only if they change.
    var list: String
    var outputs: Set<String> = []
    var inputs: Set<String> = []
    var isOutdated = false
  }

  /// Removes modules that are older than one of their inputs, and modules that were compiled from such modules, so that
  /// the next build compiles them again. Returns whether any module was removed.
  package func removeOutdated() throws(RevisionError) -> Bool {
    var modules = self.modules()
    var known: [String: Int?] = [:]
    /// Returns the modification time of a file, in nanoseconds since 1970. Nil if the file does not exist.
    func time(_ path: String) -> Int? {
      if let time = known[path] { return time }
      var status = stat()
      let isKnown = stat(path, &status) == 0
      // Nanoseconds since 1970 do not fit into an integer after the year 2262.
      status.st_mtim.tv_sec = min(max(status.st_mtim.tv_sec, -9_000_000_000), 9_000_000_000)
      let time = isKnown ? status.st_mtim.nanoseconds : nil
      known[path] = .some(time)
      return time
    }
    let now = timespec.now(CLOCK_REALTIME)
    for index in modules.indices {
      let compiled = time(modules[index].list) ?? .min
      // A module with a time in the future counts as outdated: the clock was set back, so files that changed after the
      // compilation may look older than the module.
      modules[index].isOutdated =
        compiled > now.nanoseconds || modules[index].inputs.contains { time($0) ?? .max > compiled }
    }
    var count = 0
    repeat {
      count = modules.count(where: \.isOutdated)
      let outdated = modules.filter(\.isOutdated).reduce(into: Set()) { $0.formUnion($1.outputs) }
      for index in modules.indices where !modules[index].inputs.isDisjoint(with: outdated) {
        modules[index].isOutdated = true
      }
    } while count < modules.count(where: \.isOutdated)
    let root = Paths.real(scratch).map { $0 + "/" }
    for module in modules where module.isOutdated {
      for path in module.outputs.union([module.list]) {
        // The package's code can add any path to a list, and add symbolic links. So no file outside of the build folder
        // is removed.
        guard let root, let folder = Paths.real(Paths.parent(path)), "\(folder)/".hasPrefix(root) else { continue }
        guard unlink(path) == 0 || errno == ENOENT else { throw .file(path, Errno.last) }
      }
    }
    return count > 0
  }

  /// Returns the paths of all files that the compilers of Swift and C read, according to their lists.
  package func inputs() -> Set<String> {
    targets.reduce(into: []) { inputs, target in
      let names = FileManager.default.enumerator(atPath: target)?.compactMap { $0 as? String } ?? []
      for name in names where name.hasSuffix(".d") { inputs.formUnion(Self.files(in: "\(target)/\(name)").inputs) }
    }
  }

  private func modules() -> [Module] {
    targets.flatMap { target in
      Paths.names(in: target).filter { $0.hasSuffix(".d") }.compactMap { module("\(target)/\($0)") }
    }
  }

  /// Reads a module's outputs and inputs from a list of the compiler (a `.d` file). Nil if the list is not from the
  /// Swift compiler.
  private func module(_ list: String) -> Module? {
    let (outputs, inputs) = Self.files(in: list)
    let module = Module(list: list, outputs: outputs.filter { $0.hasPrefix(scratch + "/") }, inputs: inputs)
    return module.outputs.isEmpty ? nil : module
  }

  /// Reads the outputs and inputs in a list of a compiler. A list of the C compiler has no outputs.
  private static func files(in list: String) -> (outputs: Set<String>, inputs: Set<String>) {
    let text = String(decoding: InputFile.untrusted(list) ?? Data(), as: UTF8.self)
    let start = "dependencies: "
    if text.hasPrefix(start) { return ([], Set(paths(text.dropFirst(start.count)))) }
    // The list of the Swift compiler has a line `OUTPUT : INPUTS` for each output. Usually all lines name the same
    // inputs.
    var outputs: Set<String> = []
    var inputs: Set<Substring> = []
    for line in text.split(separator: "\n") {
      guard let colon = line.firstRange(of: " : ") else { continue }
      outputs.formUnion(paths(line[..<colon.lowerBound]))
      inputs.insert(line[colon.upperBound...])
    }
    return (outputs, inputs.reduce(into: []) { $0.formUnion(paths($1)) })
  }

  /// Splits a list of paths that are separated by spaces or line feeds and escaped as in a makefile.
  private static func paths(_ text: Substring) -> [String] {
    var paths: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in text.utf8 {
      if !isEscaped, byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "$") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\n") || !isEscaped && byte == UInt8(ascii: " ") {
        // A line feed is escaped if the list continues in the next line.
        paths.append([])
        isEscaped = false
      } else {
        paths[paths.count - 1].append(byte)
        isEscaped = false
      }
    }
    return paths.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }
}
