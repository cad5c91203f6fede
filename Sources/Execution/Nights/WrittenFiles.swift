import HistoryPages
import Platform

/// Patterns for git that match what springbench writes to a folder. Sources may lie there, too, and count.
extension OutputFolder {
  /// The patterns of runs, profiles, baselines, the history and its pages below the folder of results.
  package var written: [String] {
    let files = [Self.indexName, "*/\(HistoryFolder.runPattern)/**", "baselines/*/*/**/*.json"]
    return files.map { "\(path.gitPattern)/\($0)" } + HistoryFolder.written("\(path)/history")
      + HistoryFolder.written(site: "\(path)/site")
  }
}

extension HistoryFolder {
  /// Matches the names of runs, nights and profiles.
  fileprivate static let runPattern = "[0-9]*T[0-9]*Z-*"

  /// Returns the patterns of the histories of all machines in a folder.
  package static func written(_ root: String) -> [String] {
    ["*/\(runPattern)", "*/\(HistoryIndex.fileName)", "*/\(Undelivered.fileName)", ".lock", ".measuring-*"].map {
      "\(root.gitPattern)/\($0)"
    }
  }

  /// Returns the patterns of the pages in a folder.
  package static func written(site: String) -> [String] {
    Site.topNames.flatMap { ["\(site.gitPattern)/\($0)", "\(site.gitPattern)/\($0)/**"] }
  }
}
