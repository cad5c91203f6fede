import FoundationEssentials

package enum WorkerProtocolError: Error, Equatable, CustomStringConvertible {
  case versionMismatch(found: Int, expected: Int)
  case unreadable(String)

  package var description: String {
    switch self {
    case .versionMismatch(let found, let expected):
      "protocol version \(found) instead of \(expected): springbench and the FrameBench that the benchmarks were"
        + " built with are of different versions; build both from the same one"
    case .unreadable(let why): "not a line of the worker protocol: \(why)"
    }
  }
}

/// A message between springbench and a benchmark program: one line of JSON with the version of the protocol. Only
/// `TurnCommand` and `TurnAnswer` are binary.
package protocol ProtocolLine: Codable {}

extension ProtocolLine {
  /// Decodes a line. The version is decoded first, because a line of another version may have other members.
  package init(line: Data) throws(WorkerProtocolError) {
    let decoder = JSONDecoder()
    let expected = WorkerRequest.currentProtocolVersion
    do {
      let found = try decoder.decode(VersionOnly.self, from: line).protocolVersion
      guard found == expected else { throw WorkerProtocolError.versionMismatch(found: found, expected: expected) }
      self = try decoder.decode(Self.self, from: line)
    } catch let error as WorkerProtocolError { throw error } catch { throw .unreadable(excerpt(of: line)) }
  }
}

extension Encodable {
  /// Returns the value as one line of JSON, with a line feed only at its end.
  package func line() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}

private struct VersionOnly: Decodable { var protocolVersion: Int }

private func excerpt(of line: Data) -> String {
  guard !line.isEmpty else { return "nothing was written" }
  let text = String(decoding: line.prefix(60), as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
  return "\"\(text)\"" + (line.count > 60 ? "…" : "")
}
