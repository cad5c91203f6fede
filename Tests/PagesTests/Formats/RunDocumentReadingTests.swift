import Foundation
import FrameBench
import Statistics
import Testing

@testable import Formats
@testable import Markup
@testable import Measurements

@Suite struct RunDocumentReadingTests {
  private let written: Data
  private let text: String

  init() throws {
    written = try Fixtures.deviating.encoded()
    text = String(decoding: written, as: UTF8.self)
  }

  @Test(arguments: FormatFixture.storable) func whatIsWrittenIsReadAsTheSameDocument(_ fixture: FormatFixture) throws {
    let data = try fixture.document.encoded()
    let read = try RunDocument(contentsOf: data)
    #expect(read == fixture.document)
    #expect(try read.encoded() == data)
  }

  @Test(arguments: [FormatFixture.hostile, .twins]) func namesThatNoSuiteMayHaveAreRefused(_ fixture: FormatFixture)
    throws
  {
    let data = try fixture.document.encoded()
    let error = #expect(throws: (any Error).self) { try RunDocument(contentsOf: data) }
    #expect(try #require(error.map { "\($0)" }).contains("is not scenario/strategy/size"))
  }

  @Test func aDocumentIsOneLine() {
    #expect(written.count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(written.last == UInt8(ascii: "\n"))
  }

  @Test func infiniteNumbersAreNotWritten() {
    var document = Fixtures.minimal
    document.benchmarks[0].frame.pooled.max = .infinity
    #expect(throws: EncodingError.self) { try document.encoded() }
  }

  @Test func aNewerDocumentIsRefusedByNameWhateverElseItHolds() {
    let message = refusal(of: #"{"schemaVersion": 9, "benchmarks": "in quite another form"}"#)
    #expect(message == "written by a newer springbench: schema 9, this one reads only 1; update springbench")
  }

  @Test func aVersionThatNeverWasIsRefused() throws {
    let message = refusal(of: text.replacing("\"schemaVersion\":1", with: "\"schemaVersion\":0"))
    #expect(message.contains("schemaVersion: 0 does not lie between 1 and 1"))
  }

  @Test(arguments: ["", " \n\t", "\u{FEFF}", "run", "[]", "3", "\"text\"", "{}", "null", "{\"a\":NaN}"])
  func whatIsNoRunDocumentIsRefusedInOneLine(_ text: String) {
    let message = refusal(of: text)
    #expect(message.contains(";"), "\(message) names no remedy")
    #expect(!message.contains { $0.isNewline })
  }

  @Test(arguments: ["suite", #"su\u0069te"#]) func aKeyThatAnObjectHasTwiceIsRefused(_ key: String) {
    let message = refusal(of: text.replacing("\"suite\":", with: "\"\(key)\":\"other\",\"suite\":"))
    #expect(message.contains("suite: an object has it twice"), "\(message)")
  }

  @Test(arguments: ["machine", "kernel", "toolchain"]) func aLineFeedInANameIsRefused(_ field: String) {
    let message = refusal(of: text.replacing("\"\(field)\":\"", with: "\"\(field)\":\"a\\nb: c"))
    #expect(message.contains("environment.\(field): a control character in it"), "\(message)")
  }

  struct Change: Sendable, CustomTestStringConvertible {
    var from: String
    var to: String
    /// The words that the message must contain.
    var mentions: [String]

    init(_ from: String, _ to: String, _ mentions: String...) {
      (self.from, self.to, self.mentions) = (from, to, mentions)
    }

    var testDescription: String { "\(from) → \(to)" }
  }

  static let changes = [
    Change("\"coreCount\":4", "\"coreCount\":4.5", "a number in it does not fit its field"),
    Change("\"coreCount\":4", "\"coreCount\":\"4\"", "environment.coreCount", "whole number"),
    Change("\"coreCount\":4", "\"coreCount\":null", "environment.coreCount"),
    Change("\"coreCount\":4,", "", "environment.coreCount is missing"),
    Change("\"coreCount\":4", "\"coreCount\":-4", "environment.coreCount", "-4"),
    Change("\"coreCount\":4", "\"coreCount\":1e400", "1e400"),
    Change("\"durationSeconds\":41.27", "\"durationSeconds\":1e400", "1e400"),
    Change("\"startedAt\":\"2026-11", "\"startedAt\":\"2026-13", "startedAt", "is not a time like"),
    Change("\"durationSeconds\":41.27", "\"durationSeconds\":-1", "durationSeconds", "-1"),
    Change("\"frameCount\":24,\"largest", "\"frameCount\":2,\"largest", "benchmarks[0].deviation.", "between 0 and"),
    Change("\"id\":\"springs/tiled/50\"", "\"id\":\"springs/tiled\"", "benchmarks[0].id", "springs/tiled"),
    Change("\"tileChurn\":[[", "\"tileChurn\":[[1,1],[", "counters.tileChurn", "25 values"),
    Change("\"tileChurn\":[[", "\"tileChurn\":[[1,0],[", "counters.tileChurn", "repetitions"),
    Change("\"tileChurn\":[[", "\"tileChurn\":[[9223372036854775807,2],[", "tileChurn", "64 bits"),
    Change("\"tileChurn\":[[", "\"tileChurn\":[[1,9223372036854775807],[", "tileChurn"),
    Change("\"tileChurn\":[[", "\"tileChurn\":[[1,1,1],[", "tileChurn", "[value, repetitions]"),
    Change("\"alignedNanoseconds\":[", "\"alignedNanoseconds\":[1,", "values"),
    Change("\"alignedNanoseconds\":[", "\"alignedNanoseconds\":[-1,", "benchmarks[0]"),
    Change("\"options\":{\"frameCount\":24", "\"options\":{\"frameCount\":25", "alignedNanoseconds", "24 values", "25"),
    Change("\"name\":\"query\"", "\"name\":\"solve\"", "benchmarks[0].phases[3].name", "second time"),
    Change("\"p99\":", "\"p99\":1e300,\"p98\":", "halfWidths.p99"),
    Change("\"refreshRateHertz\":60", "\"refreshRateHertz\":0", "options.refreshRateHertz"),
    Change("\"benchmarks\":[", "\"benchmarks\":[,", "not JSON at line 1"),
  ]

  @Test(arguments: changes) func aSpoiledFieldIsNamedWithItsPathAndARemedy(_ change: Change) throws {
    let range = try #require(text.range(of: change.from))
    let message = refusal(of: text.replacingCharacters(in: range, with: change.to))
    #expect(change.mentions.allSatisfy { message.contains($0) }, "\(message)")
    #expect(message.hasSuffix("restore the file, or measure again"), "\(message)")
    #expect(!message.contains { $0.isNewline })
  }

  @Test func aDocumentThatIsCutOffAnywhereIsRefusedInOneLine() {
    for length in stride(from: 0, to: written.count - 2, by: 397) {
      do {
        _ = try RunDocument(contentsOf: written.prefix(length))
        Issue.record("\(length) of \(written.count) bytes were read as a document")
      } catch let error as RunDocumentError { #expect(!error.description.contains { $0.isNewline }) } catch {
        Issue.record("\(length) bytes: \(error)")
      }
    }
  }

  @Test func spoiledBytesAreRefusedOrReadAndRenderedAndNeverEndTheProgram() throws {
    var mutator = Mutator(random: SplitMix64(seed: 20_261_121))
    var readCount = 0
    for _ in 0..<150 {
      let spoiled = mutator.spoil(written)
      do {
        let document = try RunDocument(contentsOf: spoiled)
        readCount += 1
        for format in ReportFormat.allCases { do { _ = try format.render(document) } catch is ReportFormatError {} }
      } catch is RunDocumentError {}
    }
    #expect(readCount > 10, "the mutations are so coarse that nothing is read")
  }

  private func refusal(of text: String) -> String {
    do {
      _ = try RunDocument(contentsOf: Data(text.utf8))
      Issue.record("read: \(text.prefix(80))")
      return ""
    } catch { return "\(error)" }
  }
}

/// Damages bytes in the same way in every run.
private struct Mutator {
  var random: SplitMix64

  mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

  /// Makes a few changes. Some changes only replace a digit with a number, so some results are still documents. Other
  /// changes replace a byte, or duplicate or remove some bytes.
  mutating func spoil(_ data: Data) -> Data {
    var bytes = [UInt8](data)
    for _ in 0...below(3) {
      let place = below(bytes.count)
      switch below(5) {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + below(40))], at: place)
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + below(8)))
      default:
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let digit = bytes[place...].firstIndex(where: digits.contains) else { continue }
        bytes.replaceSubrange(digit...digit, with: Array(String(random.next() >> UInt64(below(60))).utf8))
      }
    }
    return Data(bytes)
  }
}
