/// A worker's answer. One line of JSON on its stdout.
package struct WorkerReply: Codable, Sendable, Equatable {
  /// How the request went.
  package enum Outcome: Codable, Sendable, Equatable {
    case measured(RunMeasurement)
    /// The run could not be done; one line that says why.
    case failed(reason: String)
    /// A worker that was asked for turns is set up, and waits for the first.
    case ready(TurnReadiness)
  }

  /// Protocol version of the writer; `init(line:)` refuses any other than its own.
  package var protocolVersion = WorkerRequest.currentProtocolVersion
  package var outcome: Outcome

  package init(_ outcome: Outcome) {
    self.outcome = outcome
  }
}
