import Foundation
import Judging
import Measurements

extension HistoryFolder {
  /// Imports nights and run documents of other machines: all of them, or none if one cannot be read.
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
    func refusal(_ problem: String) -> UsageError { UsageError("--import", problem, remedy: "nothing was imported") }
    let data = try InputFile(file).read { refusal("\"\(file)\" \($0)") }
    let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
    let isRun = object?["durationSeconds"] != nil && object?["metrics"] == nil
    let night: Night
    do {
      // A run passes the reader of nights, too, so that only readable nights are imported.
      night = try Night(reading: isRun ? try Night(RunDocument(contentsOf: data)).data() : data)
    } catch { throw refusal("\"\(file)\"\(error is RunDocumentError ? ":" : "") \(error)") }
    let machine = night.environment.machine
    guard MachineName.slug(machine) == machine else {
      throw refusal("\"\(file)\" has the machine name \"\(machine.prefix(40))\", which cannot name a folder")
    }
    return night
  }
}
