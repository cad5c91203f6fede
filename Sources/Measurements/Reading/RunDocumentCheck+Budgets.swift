import FrameBench

/// Budgets, capacities and the calibration of a run document.
extension RunDocumentCheck {
  func checkCalibration() throws(RunDocumentError) {
    guard let calibration = document.calibration else { return }
    try count("calibration.roundCount", calibration.roundCount, 1...Self.largestOption)
    for (name, times) in [("start", calibration.start as KernelTimes?), ("end", calibration.end)] {
      guard let times else { continue }
      try count("calibration.\(name).sampleCount", times.sampleCount)
      for (field, value) in [
        ("fastest", times.fastest), ("p50", times.p50), ("p90", times.p90), ("p99", times.p99),
        ("slowest", times.slowest),
      ] {
        try number("calibration.\(name).\(field)", value)
      }
    }
  }

  func checkClaims() throws(RunDocumentError) {
    for (index, claim) in (document.claims ?? []).enumerated() {
      try count("claims[\(index)].itemCount", claim.itemCount, 1...Self.largestCount)
    }
  }

  func checkCapacities() throws(RunDocumentError) {
    for (index, capacity) in (document.capacities ?? []).enumerated() {
      let path = "capacities[\(index)]"
      try count("\(path).refreshRateHertz", capacity.refreshRateHertz, 1...Self.largestOption)
      try share("\(path).share", capacity.share)
      try number("\(path).budgetNanoseconds", capacity.budgetNanoseconds)
      try count("\(path).itemCount", capacity.itemCount, 1...Self.largestCount)
      try count("\(path).exceedingItemCount", capacity.exceedingItemCount, 1...Self.largestCount)
      try number("\(path).precision", capacity.precision)
      try number("\(path).durationSeconds", capacity.durationSeconds, upTo: 1e12)
      for (index, probe) in capacity.probes.enumerated() {
        try count("\(path).probes[\(index)].itemCount", probe.itemCount, 1...Self.largestCount)
        try count("\(path).probes[\(index)].runCount", probe.runCount, 1...Self.largestOption)
        try number("\(path).probes[\(index)].p50Nanoseconds", probe.p50Nanoseconds)
        try number("\(path).probes[\(index)].p99Nanoseconds", probe.p99Nanoseconds)
      }
    }
  }

  func check(_ budget: BudgetRecord, _ path: String) throws(RunDocumentError) {
    try count("\(path).refreshRateHertz", budget.refreshRateHertz, 1...Self.largestOption)
    try share("\(path).share", budget.share)
    try number("\(path).budgetNanoseconds", budget.budgetNanoseconds)
    try count("\(path).missedFrameCount", budget.missedFrameCount)
    try number("\(path).hitchTimeRatio", budget.hitchTimeRatio)
  }

  /// Of a frame period: above 0 and up to 1.
  func share(_ path: String, _ value: Double?) throws(RunDocumentError) {
    guard let value, !(value > 0 && value <= 1) else { return }
    throw .invalid(path: path, reason: "\(value) is not above 0 and up to 1")
  }
}
