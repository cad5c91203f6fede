import FoundationEssentials

/// A line of the worker protocol that cannot be understood.
package enum WorkerProtocolError: Error, Equatable, CustomStringConvertible {
  case versionMismatch(found: Int, expected: Int)
  case unreadable(String)

  package var description: String {
    switch self {
    case .versionMismatch(let found, let expected):
      "protocol version \(found) instead of \(expected): springbench and the FrameBench that the benchmarks were"
        + " built with are of different versions; build both from the same one"
    case .unreadable(let why):
      "not a line of the worker protocol: \(why)"
    }
  }
}

extension WorkerRequest {
  /// Reads one line of JSON.
  ///
  /// - Throws: `versionMismatch` for another protocol version, `unreadable` for what is not such a line.
  package init(line: Data) throws(WorkerProtocolError) {
    self = try decodeProtocolLine(WorkerRequest.self, from: line)
  }

  /// JSON with a line feed at its end and none inside.
  package func line() throws -> Data { try encodeProtocolLine(self) }
}

extension WorkerReply {
  /// Reads one line of JSON.
  ///
  /// - Throws: `versionMismatch` for another protocol version, `unreadable` for what is not such a line.
  package init(line: Data) throws(WorkerProtocolError) {
    self = try decodeProtocolLine(WorkerReply.self, from: line)
  }

  /// JSON with a line feed at its end and none inside.
  package func line() throws -> Data { try encodeProtocolLine(self) }
}

extension SuiteDescription {
  /// Reads one line of JSON.
  ///
  /// - Throws: `versionMismatch` for another protocol version, `unreadable` for what is not such a line.
  package init(line: Data) throws(WorkerProtocolError) {
    self = try decodeProtocolLine(SuiteDescription.self, from: line)
  }

  /// JSON with a line feed at its end and none inside.
  func line() throws -> Data { try encodeProtocolLine(self) }
}

extension PreflightRequest {
  /// Reads one line of JSON.
  ///
  /// - Throws: `versionMismatch` for another protocol version, `unreadable` for what is not such a line.
  init(line: Data) throws(WorkerProtocolError) {
    self = try decodeProtocolLine(PreflightRequest.self, from: line)
  }

  /// JSON with a line feed at its end and none inside.
  package func line() throws -> Data { try encodeProtocolLine(self) }
}

extension [Preflight] {
  /// JSON with a line feed at its end and none inside.
  func line() throws -> Data { try encodeProtocolLine(self) }
}

private struct VersionOnly: Decodable {
  var protocolVersion: Int
}

/// The version is read first: another version's line may have another shape.
private func decodeProtocolLine<Line: Decodable>(
  _ type: Line.Type, from line: Data
) throws(WorkerProtocolError) -> Line {
  let decoder = JSONDecoder()
  let expected = WorkerRequest.currentProtocolVersion
  do {
    let found = try decoder.decode(VersionOnly.self, from: line).protocolVersion
    guard found == expected else {
      throw WorkerProtocolError.versionMismatch(found: found, expected: expected)
    }
    return try decoder.decode(type, from: line)
  } catch let error as WorkerProtocolError {
    throw error
  } catch {
    throw .unreadable(excerpt(of: line))
  }
}

private func encodeProtocolLine(_ line: some Encodable) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys]
  return try encoder.encode(line) + Data("\n".utf8)
}

private func excerpt(of line: Data) -> String {
  guard !line.isEmpty else { return "nothing was written" }
  let text = String(decoding: line.prefix(60), as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
  return "\"\(text)\"" + (line.count > 60 ? "…" : "")
}
