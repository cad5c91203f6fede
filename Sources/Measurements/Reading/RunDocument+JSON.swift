import Foundation
import TextFormat

extension RunDocument {
  /// Schema versions that this build reads.
  public static let readableSchemaVersions = 1...RunDocument.currentSchemaVersion

  /// The content of `run.json`: one line, no white space, keys sorted, so that equal documents are equal byte
  /// for byte.
  ///
  /// - Throws: `EncodingError` if a number is infinite or NaN; JSON has no such numbers.
  public func encoded() throws -> Data { try JSONText.file(self) }

  /// Reads the content of a `run.json`.
  ///
  /// - Throws: `RunDocumentError`, which says what is wrong and where. It does not know the file's name:
  ///   put that before it.
  public init(contentsOf data: Data) throws {
    try self.init(contentsOf: data, readableVersions: Self.readableSchemaVersions)
  }

  init(contentsOf data: Data, readableVersions: ClosedRange<Int>) throws {
    guard data.contains(where: { !"\n\r\t ".utf8.contains($0) }) else { throw RunDocumentError.empty }
    let decoder = JSONDecoder()
    do {
      let head = try decoder.decode(Head.self, from: data)
      guard let version = head.schemaVersion else { throw RunDocumentError.notRunDocument(.noVersion) }
      guard version <= readableVersions.upperBound else {
        throw RunDocumentError.newer(version: version, readable: readableVersions)
      }
      guard version >= readableVersions.lowerBound else {
        throw RunDocumentError.older(version: version, readable: readableVersions)
      }
      self = try decoder.decode(RunDocument.self, from: data)
    } catch let error as DecodingError {
      throw RunDocumentError(error, data: data)
    }
    try RunDocumentCheck(self).check()
  }

  private struct Head: Decodable {
    var schemaVersion: Int?
  }
}
