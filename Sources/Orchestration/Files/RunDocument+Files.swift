import Foundation
import Measurements

extension RunDocument {
  /// The files of a run's folder.
  func files() throws -> [(name: String, data: Data)] {
    [("run.json", try encoded())] + ReportWriting.files(self).map { ($0.name, Data($0.text.utf8)) }
  }
}
