import Foundation
import Judging
import Measurements

/// Imports documents of other machines into a history: nights, and run documents (`run.json`).
extension HistoryFolder {
  /// Imports all of them, or none if one cannot be read.
  static func importing(_ files: [String], root: String, _ context: CommandContext) async throws {
    var nights: [Night] = []
    for file in files { nights.append(try read(file)) }
    let lock = try await HistoryFolder.lock(root)
    defer { withExtendedLifetime(lock) {} }
    var added = 0
    for (machine, ofMachine) in Dictionary(grouping: nights, by: \.environment.machine).sorted(by: { $0.key < $1.key })
    {
      let folder = HistoryFolder(root: root, machine: machine)
      try folder.prepare()
      let stems = Set(ofMachine.map(HistoryFolder.stem))
      var content = try folder.load { names in
        names.filter { stems.contains($0.split { "-.".contains($0) }.prefix(2).joined(separator: "-")) }[...]
      }
      for problem in content.problems { context.console.warn(problem) }
      for night in ofMachine.sorted(by: { $0.startedAt < $1.startedAt }) {
        // Its reports do not make it a different night.
        guard !content.entries.contains(where: { isSame($0.night, night) }) else { continue }
        content = content.adding(try folder.append(night))
        added += 1
      }
      try folder.refreshIndex(content)
    }
    let skipped = nights.count - added
    let known = skipped == 0 ? "" : ", \(skipped) \(skipped == 1 ? "was" : "were") there already"
    context.console.tell("\(added) night\(added == 1 ? "" : "s") imported\(known)")
  }

  private static func isSame(_ one: Night, _ other: Night) -> Bool {
    guard one.startedAt == other.startedAt else { return false }
    var (one, other) = (one, other)
    (one.announced, other.announced) = ([], [])
    (one.withdrawn, other.withdrawn) = (nil, nil)
    return one == other
  }

  private static func read(_ file: String) throws(UsageError) -> Night {
    let data = try InputFile(file).read { UsageError("--import", "\"\(file)\" \($0)", remedy: "nothing was imported") }
    let night = try night(data, file)
    let machine = night.environment.machine
    guard MachineName.slug(machine) == machine else {
      throw UsageError(
        "--import", "\"\(file)\" has the machine name \"\(machine.prefix(40))\", which cannot name a folder",
        remedy: "nothing was imported")
    }
    return night
  }

  private static func night(_ data: Data, _ file: String) throws(UsageError) -> Night {
    do {
      guard isRun(data) else { return try Night(reading: data) }
      // Passes the reader, so that only readable nights are imported.
      return try Night(reading: try Night(RunDocument(contentsOf: data)).data())
    } catch let error as RunDocumentError {
      throw UsageError("--import", "\"\(file)\": \(error)", remedy: "nothing was imported")
    } catch { throw UsageError("--import", "\"\(file)\" \(error)", remedy: "nothing was imported") }
  }

  /// Recognizes a key that only runs have, or only nights.
  private static func isRun(_ data: Data) -> Bool {
    let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
    return object?["durationSeconds"] != nil && object?["metrics"] == nil
  }
}
