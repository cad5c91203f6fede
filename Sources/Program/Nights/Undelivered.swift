import Foundation
import Judging
import TextFormat

/// `undelivered.json` of a machine's history: nights whose verdict may not have been seen, because the
/// command was stopped or could not write. It stands from before a night is appended until all of it is
/// written.
struct Undelivered: Codable, Equatable {
  static let fileName = "undelivered.json"

  var schemaVersion = 1
  var nights: [Key] = []

  struct Key: Codable, Hashable {
    var suite: String
    /// UTC, ISO 8601.
    var startedAt: String

    init(_ night: Night) {
      suite = night.suite
      startedAt = night.startedAt
    }
  }

  /// Of those nights that the history has; a night that was not appended is compared again anyway.
  init(in folder: HistoryFolder, _ content: HistoryFolder.Content) {
    guard let data = try? InputFile(Self.path(folder)).read(),
      let read = try? JSONDecoder().decode(Undelivered.self, from: data)
    else { return }
    let known = Set(content.entries.map { Key($0.night) })
    nights = read.nights.filter(known.contains)
  }

  func write(in folder: HistoryFolder) throws(RunError) {
    do {
      try WholeFile(folder: folder.path).replace(Self.fileName, try JSONText.file(self))
    } catch {
      throw RunError("the history \"\(folder.path)\" could not be written: \(error); it is as it was before")
    }
  }

  /// All has been delivered.
  static func clear(_ folder: HistoryFolder) { unlink(path(folder)) }

  private static func path(_ folder: HistoryFolder) -> String { Paths.joined(folder.path, fileName) }
}
