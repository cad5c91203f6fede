import FrameBench
import TextFormat

/// The command line that repeats a comparison or a gate, of some benchmarks only: with all that decides the verdict,
/// and without what says where reports go.
struct RepeatedCommand: Sendable {
  private let arguments: [String]

  private static let deliveryFlags: Set = ["--json", "--markdown"]
  private static let deliveryOptions: Set = ["--report"]
  /// What chooses benchmarks by other means than an id.
  private static let selectionOptions: Set = ["--filter", "--skip", "--shard"]

  /// - Parameters:
  ///   - arguments: Of the command, without the program's path.
  ///   - added: Options that the command chose by itself.
  init(_ arguments: [String], adding added: [String] = []) {
    self.arguments = arguments + added
  }

  /// - Parameter benchmarks: Empty: those of the command itself.
  func line(_ benchmarks: [BenchmarkID]) -> String {
    var words: [String] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      let name = String(word.prefix { $0 != "=" })
      if Self.deliveryFlags.contains(word) { continue }
      if Self.deliveryOptions.contains(name) || (!benchmarks.isEmpty && Self.selectionOptions.contains(name))
      {
        if name == word { _ = rest.popFirst() }
        continue
      }
      words.append(word)
    }
    return ShellWord.quoted(
      ["springbench"] + words + benchmarks.flatMap { ["--filter", RegexText.whole("\($0)")] })
  }
}
