import Foundation
import FrameBench
import Measurements
import TextFormat

/// Baselines by name, below `results/baselines/<machine>/`: a folder each, and in it a document for each
/// benchmark, `<scenario>/<strategy>/<size>.json`. Branches that refresh different benchmarks merge in git
/// without a conflict, and each document is a run document like any other.
package struct BaselineStore {
  /// `results`
  let results: String
  package let machine: String

  /// - Parameter machine: A name that the user gave; nil: this machine's.
  package static func resolve(
    results: String, machine: String?, _ context: CommandContext
  ) throws(UsageError) -> BaselineStore {
    let name = try MachineName.resolve(flag: machine, context, of: .current())
    return BaselineStore(results: results, machine: name)
  }

  package var folder: String { "\(results)/baselines/\(machine)" }

  /// What there is, by name.
  package func names() -> [String] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return entries.filter { !$0.hasPrefix(".") && !documents($0).isEmpty }.sorted()
  }

  /// Other machines that have a baseline of this name.
  func machines(having name: String) -> [String] {
    let machines = (try? FileManager.default.contentsOfDirectory(atPath: "\(results)/baselines")) ?? []
    return machines.filter { $0 != machine }.sorted().filter {
      !BaselineStore(results: results, machine: $0).documents(name).isEmpty
    }
  }

  /// Writes each benchmark of a run; those that the run did not measure stay as they were.
  /// - Returns: How many were there before.
  @discardableResult
  package func save(_ document: RunDocument, as name: String) throws -> Int {
    try Self.check(name)
    guard !document.benchmarks.isEmpty else {
      throw RunError("the run measured nothing; there is nothing to save as \(name)")
    }
    var replaced = 0
    for record in document.benchmarks {
      var single = document
      single.benchmarks = [record]
      single.environment = document.environment(of: record.id)
      single.failures = []
      single.warnings = []
      single.capacities = nil
      single.parts = nil
      let path = path(of: record.id, in: name)
      if FileManager.default.fileExists(atPath: path) { replaced += 1 }
      do {
        try FileManager.default.createDirectory(
          atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      } catch {
        throw RunError("\(path) could not be written: \(SystemReason.text(error))")
      }
      try OutputFile(path: path).write(try single.encoded())
    }
    return replaced
  }

  package func load(_ name: String) throws -> Baseline {
    try Self.check(name)
    let paths = documents(name)
    guard !paths.isEmpty else { throw missing(name) }
    return try Baseline(name: name, documents: paths.map { ($0, try StoredRun(path: $0).read()) })
  }

  package func remove(_ name: String) throws {
    try Self.check(name)
    guard FileManager.default.fileExists(atPath: "\(folder)/\(name)") else { throw missing(name) }
    // A name that a listing leaves out: half a removal is no baseline.
    let hidden = "\(folder)/.\(name)-\(getpid())-removed"
    guard rename("\(folder)/\(name)", hidden) == 0 else {
      throw RunError("\(folder)/\(name) could not be removed: \(String(cString: strerror(errno)))")
    }
    try? FileManager.default.removeItem(atPath: hidden)
  }

  private func missing(_ name: String) -> NotComparable {
    let others = machines(having: name)
    let known = names()
    let remedy =
      !others.isEmpty
      ? "\(Format.list(others)) has one, but figures of machines are not comparable; save one here"
      : known.isEmpty
        ? "save one with springbench baseline save \(name)"
        : Suggestion.remedy(for: name, among: known, called: "there are")
    return NotComparable("baseline \"\(name)\" is not there for \(machine); \(remedy)")
  }

  private func documents(_ name: String) -> [String] {
    let root = "\(folder)/\(name)"
    let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted().map { "\(root)/\($0)" }
  }

  private func path(of id: BenchmarkID, in name: String) -> String {
    // A leading dot would hide a folder, or lead out of it.
    func safe(_ part: String) -> String { part.hasPrefix(".") ? "%2E" + part.dropFirst() : part }
    return "\(folder)/\(name)/\(safe(id.scenario))/\(safe(id.strategy))/\(id.size).json"
  }

  private static func check(_ name: String) throws(UsageError) {
    let allowed = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-+".contains($0)) }
    guard allowed, !name.isEmpty, !name.hasPrefix("."), !name.hasPrefix("-"), name.utf8.count <= 100 else {
      throw UsageError(
        "\"\(name)\" is not the name of a baseline", remedy: "use letters, digits and . _ - +, as in main")
    }
  }
}

/// The figures that later runs are held against.
package struct Baseline {
  var name: String
  /// Each benchmark with the run that it is from.
  package var documents: [BenchmarkID: RunDocument] = [:]

  package init(name: String, documents: [(path: String, document: RunDocument)]) throws {
    self.name = name
    for (path, document) in documents {
      for record in document.benchmarks {
        guard self.documents[record.id] == nil else {
          throw RunError("\(path): \(record.id) is in the baseline twice; remove one of the files")
        }
        var single = document
        single.environment = document.environment(of: record.id)
        self.documents[record.id] = single
      }
    }
  }

  package var ids: [BenchmarkID] { documents.keys.sorted { "\($0)" < "\($1)" } }

  package func record(_ id: BenchmarkID) -> BenchmarkRecord? {
    documents[id]?.benchmarks.first { $0.id == id }
  }
}
