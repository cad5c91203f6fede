import Foundation
import FrameBench
import Measurements
import Platform
import SystemPackage
import TextFormat

/// The baselines of one machine by name, below `results/baselines/<machine>/`. Each baseline is a folder with a run
/// document for every measurement of a benchmark. The newest measurement is `<scenario>/<strategy>/<size>.json`, the
/// one before it `<size>.2.json`, and so on. Because benchmarks do not share files, branches that refresh different
/// benchmarks merge in git without a conflict.
package struct BaselineStore {
  package let results: String
  package let machine: String

  package init(results: String, machine: String) { (self.results, self.machine) = (results, machine) }

  package var folder: String { "\(results)/baselines/\(machine)" }

  package func names() -> [String] {
    Paths.names(in: folder).filter { !$0.hasPrefix(".") && !documents($0).isEmpty }.sorted()
  }

  /// The number of measurements of a benchmark that a baseline keeps. They are enough to know the spread, and the
  /// machine has probably changed since older measurements.
  package static let largestMeasurementCount = 20

  /// Saves each benchmark of a run in a baseline. Benchmarks that the run lacks stay unchanged.
  /// - Parameter adding: Whether earlier measurements of these benchmarks are kept, up to `largestMeasurementCount`.
  /// - Returns: The smallest number of measurements that any of these benchmarks now has, and how many benchmarks were
  ///   replaced.
  @discardableResult package func save(_ document: RunDocument, as name: String, adding: Bool = false) throws -> (
    measurementCount: Int, replacedCount: Int
  ) {
    try Self.check(name)
    guard !document.benchmarks.isEmpty else {
      throw RunError("the run measured nothing; there is nothing to save as \(name)")
    }
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let whole = WholeFolder(path: "\(folder)/\(name)")
    var files: [String: Data] = [:]
    for path in paths(of: name) {
      let file = "\(folder)/\(name)/\(path)"
      files[path] = try attempt(try InputFile(file).read()) {
        RunError("\(file) \($0); the baseline is as it was before")
      }
    }
    var replaced = 0
    var least = Self.largestMeasurementCount
    for record in document.benchmarks {
      let own = Self.paths(of: record.id)
      let earlier = own.filter { files[$0] != nil }.compactMap { files.removeValue(forKey: $0) }
      // A run that counts twice would make the baseline look more certain than it is.
      let starts = adding ? earlier.compactMap { try? RunDocument(contentsOf: $0).startedAt } : []
      if starts.contains(document.startedAt) {
        throw RunError(
          "the run of \(document.startedAt) is in the baseline \(name) already; measure again, then add that run")
      }
      if !adding, !earlier.isEmpty { replaced += 1 }
      let kept = [try document.single(record).encoded()] + (adding ? earlier : [])
      for (path, data) in zip(own, kept) { files[path] = data }
      least = min(least, kept.count)
    }
    try attempt(try whole.replace(files.map { (name: $0.key, data: $0.value) })) {
      RunError("the baseline \"\(whole.path)\" could not be written: \($0); it is as it was before")
    }
    return (least, replaced)
  }

  /// Keeps other processes from writing baselines of this machine. It locks the folder itself, so that no lock file
  /// ends up in git.
  private func lock() throws(RunError) -> FileLock {
    do throws(Errno) {
      try Paths.makeFolder(folder)
      return try FileLock.holding(folder: folder)
    } catch {
      throw RunError("the baselines \"\(folder)\" cannot be written: \(error); name a folder that you may write to")
    }
  }

  /// Returns the paths of all files of a baseline, relative to its folder.
  private func paths(of name: String) -> [String] {
    let root = "\(folder)/\(name)"
    let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return paths.filter { !Paths.isFolder("\(root)/\($0)") }.sorted()
  }

  private func documents(_ name: String) -> [String] {
    paths(of: name).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { "\(folder)/\(name)/\($0)" }
  }

  package func load(_ name: String) throws -> Baseline {
    try Self.check(name)
    let paths = documents(name)
    guard !paths.isEmpty else { throw missing(name) }
    return Baseline(try paths.map { try StoredRun(path: $0).read() })
  }

  package func remove(_ name: String) throws {
    try Self.check(name)
    guard FileManager.default.fileExists(atPath: "\(folder)/\(name)") else { throw missing(name) }
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    try attempt(try WholeFolder(path: "\(folder)/\(name)").remove()) {
      RunError("\(folder)/\(name) could not be removed: \($0)")
    }
  }

  private func missing(_ name: String) -> NotComparable {
    let others = Paths.names(in: "\(results)/baselines").sorted().filter {
      $0 != machine && !BaselineStore(results: results, machine: $0).documents(name).isEmpty
    }
    let known = names()
    let remedy =
      !others.isEmpty
      ? "\(Format.list(others)) has one, but figures from different machines are not comparable; save one here"
      : known.isEmpty
        ? "save one with springbench baseline save \(name)"
        : Suggestion.remedy(for: name, among: known, called: "there are")
    return NotComparable("baseline \"\(name)\" is not there for \(machine); \(remedy)")
  }

  /// Returns the paths of a benchmark's measurements, the newest first, relative to the folder of a baseline. No two
  /// benchmarks share a path.
  private static func paths(of id: BenchmarkID) -> [String] {
    let parameters = id.parameters.map { "/" + folderName($0.description) }.joined()
    let path = "\(folderName(id.scenario))/\(folderName(id.strategy))\(parameters)/\(id.size)"
    return ["\(path).json"] + (2...largestMeasurementCount).map { "\(path).\($0).json" }
  }

  private static func folderName(_ part: String) -> String {
    let plain = part.replacing("%", with: "%25").replacing("\0", with: "%00")
    // A leading dot would hide the folder, and two dots would lead out of the baseline.
    let name = plain.hasPrefix(".") ? "%2E" + plain.dropFirst() : plain
    // Linux allows 255 bytes in a name.
    guard name.utf8.count > 200 else { return name }
    return String(decoding: name.utf8.prefix(120), as: UTF8.self) + "%\(String(Checksum(part.utf8).value, radix: 16))"
  }

  private static func check(_ name: String) throws(UsageError) {
    let allowed = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-+".contains($0)) }
    guard allowed, !name.isEmpty, !name.hasPrefix("."), !name.hasPrefix("-"), name.utf8.count <= 100 else {
      throw UsageError(
        "\"\(name)\" is not the name of a baseline", remedy: "use letters, digits and . _ - +, as in main")
    }
  }
}

/// The runs to compare later runs with: for each benchmark the documents that measured it, the newest last.
package typealias Baseline = [BenchmarkID: [RunDocument]]

extension Baseline {
  package init(_ documents: [RunDocument]) {
    self.init()
    for document in documents.sorted(by: { $0.startedAt < $1.startedAt }) {
      for record in document.benchmarks { self[record.id, default: []].append(document.single(record)) }
    }
  }

  package var ids: [BenchmarkID] { keys.sorted { "\($0)" < "\($1)" } }
}

extension RunDocument {
  fileprivate func single(_ record: BenchmarkRecord) -> RunDocument {
    var single = self
    single.benchmarks = [record]
    single.environment = environment(of: record.id)
    (single.failures, single.warnings, single.capacities, single.parts) = ([], [], nil, nil)
    return single
  }
}
