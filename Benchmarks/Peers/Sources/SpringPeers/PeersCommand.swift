import ArgumentParser
import CPeerMachine
import Foundation

/// `peers`: checks that all contestants swing, lets them race, prints the report and writes it.
public struct PeersCommand: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "peers",
    abstract: "Run the same springs on Box2D, Chipmunk, objects, this engine and a bare C loop.",
    discussion: "Prints a markdown report and writes it. Fails if an engine does not swing as it should.")

  @Option(help: "Springs of the lists, separated by commas.")
  var sizes = "100,1000,10000,100000"

  @Flag(help: "Run the cradle and the drag only.")
  var systemsOnly = false

  @Option(help: "Turns that each contestant has.")
  var rounds = 41

  @Option(help: "Seed of the scroll and of the turns' order.")
  var seed: UInt64 = 2013

  @Option(help: "The file to write.")
  var output = "results/peers.md"

  public init() {}

  public func validate() throws {
    _ = try parsedSizes()
    guard (1...100_000).contains(rounds) else {
      throw ValidationError("--rounds \(rounds) is not a number of turns: give 1 to 100000")
    }
    guard !output.isEmpty, !output.hasSuffix("/") else {
      throw ValidationError("--output \"\(output)\" names no file: give one as in --output results/peers.md")
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

    let checks = try options.contestants.filter(\.oscillates).map {
      try PeerCheck.measure($0, seed: seed)
    }
    try Self.verify(checks)
    let agreements = try SystemAgreement.measure()
    try Self.verify(agreements)

    let race = Race(options)
    let heats = try race.run { Self.tell("peers: \($0)") }
    let systems = try SystemRace(
      options: SystemRace.Options(roundCount: rounds, seed: seed), clockCost: race.clockCost
    ).run { Self.tell("peers: \($0)") }
    let report = PeersReport(
      machine: .current(core: core >= 0 ? Int(core) : nil), options: options, clockCost: race.clockCost,
      checks: checks, heats: heats, systems: systems, agreements: agreements
    ).render()
    print(report, terminator: "")
    try write(report)
  }

  /// An engine with the wrong motion makes all figures worthless.
  static func verify(_ checks: [PeerCheck]) throws {
    let violations = checks.flatMap(\.violations)
    guard violations.isEmpty else { throw PeersError.strays(violations) }
  }

  static func verify(_ agreements: [SystemAgreement]) throws {
    let violations = agreements.compactMap(\.violation)
    guard violations.isEmpty else { throw PeersError.strays(violations) }
  }

  /// Writes the file whole or not at all, and makes its folder.
  func write(_ report: String) throws {
    let file = URL(fileURLWithPath: output)
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(report.utf8).write(to: file, options: .atomic)
    } catch {
      throw PeersError.unwritable(output, reason: error.localizedDescription)
    }
  }

  private static func tell(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}

enum PeersError: Error, Equatable, CustomStringConvertible {
  case unwritable(String, reason: String)
  /// Engines that do not do what they are said to do, in sentences.
  case strays([String])

  var description: String {
    switch self {
    case .strays(let violations):
      "nothing was timed, because\n  " + violations.joined(separator: "\n  ")
    case .unwritable(let path, let reason):
      "--output \"\(path)\" cannot be written (\(reason)): name a file that you may write"
    }
  }
}
