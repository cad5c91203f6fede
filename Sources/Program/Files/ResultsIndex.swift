import Foundation

/// `results/README.md`: where the newest report of each machine is.
struct ResultsIndex {
  static let fileName = "README.md"
  private static let mark = "Written by `springbench run`"

  var folder: String

  private var path: String { Paths.joined(folder, Self.fileName) }

  /// Whether there is a file at the index's path that springbench did not write.
  var isForeign: Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    let text = (try? InputFile(path).read()).map { String(decoding: $0.prefix(1_000), as: UTF8.self) }
    return text?.contains(Self.mark) != true
  }

  /// Rewrites the index from the content of the folder, replacing only an earlier index; readers see the old
  /// one or the new one.
  func refresh() throws(WholeFile.Problem) {
    guard !isForeign else { throw .taken }
    try WholeFile(folder: folder).replace(Self.fileName, Data(text().utf8))
  }

  func text() -> String {
    var lines = ["# Results", "", "\(Self.mark); the newest report of each machine first."]
    for machine in machines {
      let newestFirst = runs(of: machine).filter { run in
        FileManager.default.fileExists(atPath: "\(folder)/\(machine)/\(run)/report.md")
      }
      guard let newest = newestFirst.first else { continue }
      lines += ["", "## \(machine)", "", "Newest: \(link(machine, newest))"]
      let earlier = newestFirst.dropFirst()
      if !earlier.isEmpty {
        lines += ["", "Earlier:", ""]
        lines += earlier.map { "- \(link(machine, $0))" }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var machines: [String] { subfolders(of: folder) }

  /// The folders of a machine's runs, the newest first.
  func runs(of machine: String) -> [String] {
    subfolders(of: "\(folder)/\(machine)").filter(Self.isRunName).sorted { Self.order($0) > Self.order($1) }
  }

  private func link(_ machine: String, _ run: String) -> String { "[\(run)](\(machine)/\(run)/report.md)" }

  /// The folder of the newest run of any machine that has a document; nil where there is none.
  func newestRun() -> String? {
    let runs = machines.flatMap { machine in self.runs(of: machine).map { (name: $0, machine: machine) } }
    let newest = runs.filter {
      FileManager.default.fileExists(atPath: "\(folder)/\($0.machine)/\($0.name)/run.json")
    }.max { Self.order($0.name) < Self.order($1.name) }
    return newest.map { "\(folder)/\($0.machine)/\($0.name)" }
  }

  private func subfolders(of path: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// `20261121T064712Z-6a73046`, with or without a number at its end.
  static func isRunName(_ name: String) -> Bool {
    name.wholeMatch(of: /[0-9]{8}T[0-9]{6}Z-[0-9a-z]+(-[0-9]+)?/) != nil
  }

  /// By time, then by the number at the end: 10 comes after 2.
  private static func order(_ name: String) -> (String, Int, String) {
    let parts = name.split(separator: "-")
    return (String(parts[0]), parts.count > 2 ? Int(parts[2]) ?? 1 : 1, name)
  }
}
