import Foundation
import Linking
import Platform
import SystemPackage

/// Links one build, or a baseline and a candidate, with their functions in many different orders. In each order,
/// unchanged code has the same addresses in both builds (see `CodeSlots`). The linked programs stay in the store of
/// builds, for the next comparison of the same builds.
package actor LinkOrderPool {
  /// How to relink each build: one recipe for a single build, or the recipes of the baseline and the candidate.
  private let recipes: [LinkRecipe]
  /// The paths of the programs as built, next to their libraries and resources.
  private let originals: [String]
  private nonisolated let folder: String
  private let lease: FileLock
  /// The end of the names of the folders of link orders, beside the builds.
  static let folderSuffix = "-orders"
  private var whole: [LinkedProgram]?
  private typealias Plan = (slots: CodeSlots, starts: [SectionStart])
  private var plan: Plan?

  /// Whether this machine can link programs in other orders. Only x86-64 can, because the padding between functions is
  /// x86-64 assembly, and `CodeDifference` reads x86-64 relocations.
  private static var isPossible: Bool {
    #if arch(x86_64)
      true
    #else
      false
    #endif
  }

  package init(_ builds: [BuildStore.Entry], store: BuildStore) throws {
    guard Self.isPossible else { throw LinkProblem("springbench relinks programs on x86-64 only") }
    recipes = try builds.map { build in
      guard let recipe = build.recipe else {
        throw LinkProblem(build.record.linkProblem ?? "it was built by an earlier version")
      }
      return recipe
    }
    originals = builds.map(\.url.path)
    let names = builds.map { Paths.name($0.folder) }
    folder = "\(store.folder)/\(names.joined(separator: "+"))\(Self.folderSuffix)"
    guard let lease = try FileLock.tryTaking("\(folder).lock", .shared) else {
      throw LinkProblem("another springbench is removing its link orders")
    }
    self.lease = lease
  }

  /// Returns the paths, by build, of the programs that are linked in this order. They exist only after `link` has run.
  package nonisolated func executables(_ order: Int) -> [String] { originals.indices.map { path(order, build: $0) } }

  private nonisolated func path(_ order: some CustomStringConvertible, build: Int, keepsSymbols: Bool = false) -> String
  { "\(folder)/\(build)/\(order)\(keepsSymbols ? "-symbols" : "")" }

  /// Links the first `count` orders with symbols and debug information, for profiles. Returns the paths by build and
  /// order.
  package func profiled(_ count: Int = 4) async throws -> [[String]] {
    try await link(0..<count, keepsSymbols: true)
    return originals.indices.map { build in (0..<count).map { path($0, build: build, keepsSymbols: true) } }
  }

  /// Links the programs in these orders, unless they are linked already.
  ///
  /// - Throws: `LinkProblem` or `CancellationError`.
  package func link(_ orders: Range<Int>, keepsSymbols: Bool = false) async throws {
    let missing = orders.flatMap { order in originals.indices.map { (order, $0) } }.filter { order, build in
      !isWhole(path(order, build: build, keepsSymbols: keepsSymbols))
    }
    guard !missing.isEmpty else { return touch() }
    do { try await link(missing, keepsSymbols: keepsSymbols) } catch let error as CancellationError {
      throw error
    } catch { throw LinkProblem(error, in: folder) }
  }

  /// - Parameter programs: The link order and the build of each program to link.
  private func link(_ programs: [(Int, Int)], keepsSymbols: Bool) async throws {
    let lock = try await lock()
    let plan = try await planned()
    _ = try await concurrently(programs) { order, build in
      let path = self.path(order, build: build, keepsSymbols: keepsSymbols)
      if self.isWhole(path) { return }
      let side = Build.allCases[build]
      try await self.recipes[build].link(
        to: "\(path).new", symbols: plan.slots.symbols(of: side, order: order) + [Import.symbol],
        padding: self.path("padding.o", build: build), starts: plan.starts.map { $0.in(order: order) },
        keepsSymbols: keepsSymbols)
      if order == 0 { try await self.check(build, "\(path).new") }
      let sum = self.sum(path, of: "\(path).new") ?? ""
      try Data(sum.utf8).write(to: URL(fileURLWithPath: "\(path).sum"))
      guard rename("\(path).new", path) == 0 else { throw RevisionError.file(path, Errno.last) }
    }
    withExtendedLifetime(lock) { touch() }
  }

  /// Whether the program exists and has not changed since it was linked.
  private nonisolated func isWhole(_ path: String) -> Bool {
    FileManager.default.contents(atPath: "\(path).sum").map { String(decoding: $0, as: UTF8.self) }
      == sum(path, of: path) && FileManager.default.isExecutableFile(atPath: path)
  }

  /// Returns the checksum of a program that belongs at `path`. The checksum includes the path, so that a program of the
  /// other build or of another order is not taken for this program.
  private nonisolated func sum(_ path: String, of file: String) -> String? {
    FileTree(path: file, isOfSources: false).checksum().map { "\($0) \(path.dropFirst(folder.count))" }
  }

  private func planned() async throws -> Plan {
    if let plan { return plan }
    let programs = try await linkedWhole()
    let blocks = try programs.map { try $0.blocks() }
    let slots = CodeSlots(baseline: blocks[0], candidate: blocks[blocks.count - 1])
    // The number of bytes of `.text` outside of all blocks, by build: code without a symbol, and padding.
    let others = zip(programs, blocks).map { $0.text.bytes.count - $1.reduce(0) { $0 + $1.size } }
    let images = programs.map(\.image)
    let imports = Import.common(images)
    for (build, recipe) in recipes.enumerated() {
      let padding = Import.assembly(imports) + slots.paddingAssembly(of: Build.allCases[build])
      try await recipe.assemble(padding, to: path("padding.o", build: build))
    }
    let textSize = slots.size + max(0, others.max() ?? 0) + Import.byteCount(imports)
    let plan = (slots, SectionStart.all(textSize: textSize, images: images))
    self.plan = plan
    return plan
  }

  private func linkedWhole() async throws -> [LinkedProgram] {
    if let whole { return whole }
    for (build, original) in originals.enumerated() {
      try Paths.makeFolder("\(folder)/\(build)")
      // `build.json` is linked, too, because `companions` reads it to find the files beside a program.
      let companions = BuildStore.companions(in: Paths.parent(original)) + ["build.json"]
      // Relative links stay valid if the checkout moves.
      let source = Paths.relative(Paths.parent(original), from: "\(folder)/\(build)")
      try BuildStore.link(companions, of: source, into: "\(folder)/\(build)")
    }
    let whole = try await concurrently(Array(recipes.enumerated())) { build, recipe in
      try await recipe.linkWhole(to: self.path("whole", build: build))
    }
    self.whole = whole
    return whole
  }

  /// Links each build in its original order, with symbols. Returns the path and the content (functions and data) of
  /// each program.
  package func wholePrograms() async throws -> [(path: String, content: LinkedProgram)] {
    let lock = try await lock()
    let programs = try await linkedWhole()
    return withExtendedLifetime(lock) { programs.enumerated().map { (path("whole", build: $0), $1) } }
  }

  private func lock() async throws -> FileLock {
    try Paths.makeFolder(folder)
    return try await FileLock.take("\(folder)/linking.lock", .exclusive)
  }

  /// Checks that a relinked program still lists the same benchmarks.
  private func check(_ build: Int, _ program: String) async throws {
    var answers: [Data] = []
    for path in [originals[build], program] {
      let end = try await ChildProcess(
        executable: path, arguments: ["describe"], timeout: .seconds(60), inherited: InheritedEnvironment.ofWorkers,
        role: .worker(files: [path, originals[build]])
      ).run { _ in LinkProblem("a program in another link order cannot be started") }
      answers.append(end.isSuccess ? end.output : Data("\(end.status)".utf8))
    }
    guard answers[0] == answers[1] else {
      throw LinkProblem("a program in another link order does not list the same benchmarks")
    }
  }

  private func touch() { try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: folder) }
}
