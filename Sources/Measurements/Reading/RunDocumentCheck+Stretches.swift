import TextFormat

extension RunDocumentCheck {
  func checkStretches() throws(RunDocumentError) {
    guard let records = document.stretches else { return }
    try unique(records.map { "\($0.scenario), \(Format.items($0.size))" }) { "stretches[\($0)]" }
    for (index, record) in records.enumerated() {
      let path = "stretches[\(index)]"
      try count("\(path).size", record.size, 1...Self.largestCount)
      guard !record.names.isEmpty else {
        throw .invalid(path: "\(path).names", reason: "there is none; every frame needs one")
      }
      try unique(record.names) { "\(path).names[\($0)]" }
      // Without its parameters: `list/viewport=320`.
      let scenario = String(record.scenario.prefix { $0 != "/" })
      let expected = document.options.of(scenario: scenario).frameCount
      guard record.frames.count == expected else {
        throw .invalid(
          path: "\(path).frames",
          reason:
            "\(Format.plural(record.frames.count, "value")), and options say \(expected); every series has"
            + " one value a recorded frame")
      }
      for (place, run) in record.frames.runs.enumerated() {
        try count("\(path).frames[\(place)]", run.value, 0...record.names.count - 1)
      }
    }
  }
}
