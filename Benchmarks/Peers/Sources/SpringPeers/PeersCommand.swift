import ArgumentParser
import CPeerMachine
import Foundation

/// The command `peers`. It checks the motion of all contestants, measures them, and prints and writes the report.
public struct PeersCommand: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "peers", abstract: "Run the same springs on Box2D, Chipmunk, objects, this engine and a bare C loop.",
    discussion: """
      Prints a markdown report and writes it.

      EXIT STATUS
        0  no claim is missed
        1  an engine does not swing as it should, or a file cannot be written
        3  a claim is missed, in two measurements
      """)

  @Option(help: "Springs of the lists, separated by commas.") var sizes = "100,1000,10000,100000"

  @Flag(help: "Run the cradle, the drag and the heaps only.") var systemsOnly = false

  @Option(help: "Turns that each contestant has.") var rounds = 41

  @Option(help: "Seed of the scroll and of the turns' order.") var seed: UInt64 = 2013

  @Option(help: "The file to write.") var output = "results/peers.md"

  @Option(help: "Also write the figures as JSON, to this file.") var json: String?

  public init() {}

  public func validate() throws {
    _ = try parsedSizes()
    guard (1...100_000).contains(rounds) else {
      throw ValidationError("--rounds \(rounds) is not a number of turns: give 1 to 100000")
    }
    for (option, path) in [("--output", output), ("--json", json ?? "-")] where path.isEmpty || path.hasSuffix("/") {
      let example = option == "--json" ? "peers.json" : "peers.md"
      throw ValidationError("\(option) \"\(path)\" names no file: give one as in \(option) results/\(example)")
    }
  }

  func parsedSizes() throws -> [Int] {
    let sizes = try self.sizes.split(separator: ",", omittingEmptySubsequences: false).map { text in
      guard let size = Int(text), (1...1_000_000).contains(size) else {
        throw ValidationError("--sizes \"\(text)\" is not a size: give 1 to 1000000, as in --sizes 100,10000")
      }
      return size
    }
    guard Set(sizes).count == sizes.count else {
      throw ValidationError("--sizes \(self.sizes) names a size twice: give each once")
    }
    return sizes
  }

  public func run() throws {
    let core = machine_pin_to_one_core()
    var options = Race.Options()
    (options.sizes, options.roundCount, options.seed) = (try parsedSizes(), rounds, seed)
    if systemsOnly { options.sizes = [] }

    let checks = try options.contestants.filter(\.oscillates).map { try PeerCheck.measure($0, seed: seed) }
    try Self.verify(checks)
    let agreements = try SystemAgreement.measure()
    try Self.verify(agreements)

    let race = Race(options)
    let heats = try race.run { Self.tell("peers: \($0)") }
    let lists = try listRace(systemsOnly ? [] : ListScene.judged, race).run { Self.tell("peers: \($0)") }
    let systems = try systemRace(SystemScene.judged, race).run { Self.tell("peers: \($0)") }
    let courses = try HeapCourse.Heap.all.flatMap { heap in
      Self.tell("peers: \(heap.name)")
      return try HeapCourse.measure(heap, seed: seed)
    }
    let claims = try confirmed(Claim.all(heats, lists, systems), race)
    var report = PeersReport(
      machine: .current(core: core >= 0 ? Int(core) : nil), options: options, clockCost: race.clockCost, checks: checks,
      heats: heats, lists: lists, systems: systems, agreements: agreements, courses: courses, claims: claims)
    report.picturePath = try drawn(courses)
    print(report.render(), terminator: "")
    try write(report.render(), to: output, named: "--output")
    if let json { try write(try PeersDocument(report, date: Date()).json(), to: json, named: "--json") }
    let missed = Self.missed(claims)
    for line in missed { Self.tell(line) }
    if !missed.isEmpty { throw Self.overBudget }
  }

  /// Draws the heap of 1,000 boxes and discs in a file next to the report. Returns the file's name, or nil if this heap
  /// was not measured.
  private func drawn(_ courses: [HeapCourse]) throws -> String? {
    let shown = courses.filter { $0.heap == HeapCourse.Heap(strategy: .both, count: 1_000) }
    guard !shown.isEmpty else { return nil }
    let name = URL(fileURLWithPath: output).deletingPathExtension().lastPathComponent + "-heap.svg"
    let path = URL(fileURLWithPath: output).deletingLastPathComponent().appendingPathComponent(name).path
    try write(HeapPicture(courses: shown).render(), to: path, named: "--output")
    return name
  }

  /// The exit code of every springbench command when a limit is exceeded.
  static let overBudget = ExitCode(3)

  static func missed(_ claims: [Claim]) -> [String] {
    claims.filter { $0.verdict == .missed }.map { "peers: missed: \($0.sentence)" }
  }

  private func listRace(_ scenes: [ListScene], _ race: Race) -> ListRace {
    ListRace(options: ListRace.Options(scenes: scenes, roundCount: rounds, seed: seed), clockCost: race.clockCost)
  }

  private func systemRace(_ scenes: [SystemScene], _ race: Race) -> SystemRace {
    SystemRace(options: SystemRace.Options(scenes: scenes, roundCount: rounds, seed: seed), clockCost: race.clockCost)
  }

  /// Measures missed claims a second time, with memory at other addresses. This shows whether a miss was chance.
  private func confirmed(_ claims: [Claim], _ race: Race) throws -> [Claim] {
    let missed = claims.filter { $0.verdict == .missed }
    guard !missed.isEmpty else { return claims }
    Self.tell("peers: once more, what missed")
    var options = race.options
    options.sizes = [Claim.size]
    options.works = Work.allCases.filter { work in missed.contains { $0.source == .list(work) } }
    let scenes = SystemScene.judged.filter { scene in missed.contains { $0.source == .system(scene) } }
    let views = ListScene.judged.filter { scene in missed.contains { $0.source == .view(scene) } }
    let heats = options.works.isEmpty ? [] : try Race(options).run { Self.tell("peers: \($0)") }
    let systems = try systemRace(scenes, race).run { Self.tell("peers: \($0)") }
    let lists = try listRace(views, race).run { Self.tell("peers: \($0)") }
    return Claim.confirmed(claims, by: Claim.all(heats, lists, systems))
  }

  /// Throws if an engine simulates the wrong motion, because its times would mean nothing.
  static func verify(_ checks: [PeerCheck]) throws {
    let violations = checks.flatMap(\.violations)
    guard violations.isEmpty else { throw PeersError.strays(violations) }
  }

  static func verify(_ agreements: [SystemAgreement]) throws {
    let violations = agreements.compactMap(\.violation)
    guard violations.isEmpty else { throw PeersError.strays(violations) }
  }

  /// Writes the file atomically, and creates its folder if necessary.
  func write(_ text: String, to path: String, named option: String) throws {
    let file = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch { throw PeersError.unwritable(path, option: option, reason: error.localizedDescription) }
  }

  private static func tell(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}

enum PeersError: Error, Equatable, CustomStringConvertible {
  case unwritable(String, option: String, reason: String)
  /// Some engines simulate the wrong motion. There is a sentence for each deviation.
  case strays([String])

  var description: String {
    switch self {
    case .strays(let violations): "nothing was timed, because\n  " + violations.joined(separator: "\n  ")
    case .unwritable(let path, let option, let reason):
      "\(option) \"\(path)\" cannot be written (\(reason)): name a file that you may write"
    }
  }
}
