import Formats
import HistoryPages
import Judging
import Markup
import Pages

/// Uses a history as commands do. One of its nights has arbitrary content.
enum NightUse {
  /// Runs the code of the commands that read a history, and throws its errors. Ends the process if a night changes when
  /// it is written and read again.
  static func all(_ night: Night, pick: UInt64) throws {
    guard (try? Night(reading: try night.data())) == night else { fatalError("a night is not read as it was written") }
    var nights = (1...6).map { day in
      var usual = Corpus.night
      usual.suite = night.suite
      usual.startedAt = "2026-11-1\(day)T03:00:00Z"
      return usual
    }
    if pick % 3 == 0 {
      // Appends several nights with this content, as happens after a change.
      nights += (1...6).map { day in
        var again = night
        again.startedAt = "2026-11-2\(day)T03:00:00Z"
        return again
      }
    }
    nights.append(night)
    var analysis = HistoryAnalysis(nights.sorted { $0.startedAt < $1.startedAt })
    analysis.announce()
    _ = analysis.report.markdown()
    _ = analysis.sentences
    _ = NightEvent.json([analysis])
    _ = analysis.overview(usesColor: true)
    for id in analysis.benchmarks.prefix(2) { _ = analysis.page(of: id, usesColor: false) }
    let rows = [analysis]
    _ = rows.json()
    _ = rows.csv()
    for format in HistoryExport.allCases { _ = format.rows(night) }
    if pick % 5 == 0 {
      let part = Site.Part(machine: night.environment.machine, suite: night.suite, analysis: analysis)
      _ = Site([part]).files()
    }
  }
}
