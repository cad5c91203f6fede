import Foundation
import Testing

@testable import Builds
@testable import Linking
@testable import Platform

/// The record of how a program was linked can be forged. Tests that none makes springbench run or overwrite a file.
@Suite struct LinkRecordTests {
  private let folder: TemporaryFolder
  private let root: String
  private var record: String { root + "/record" }
  private var slot: String { root + "/outside/slot" }
  private var recorder: LinkRecorder { LinkRecorder(folder: record, tools: LinkTools(linker: "", assembler: "")) }

  init() throws {
    folder = try TemporaryFolder()
    root = try #require(Paths.real(folder.path))
    for path in [record, slot] { try Paths.makeFolder(path) }
  }

  private func write(_ text: String, to path: String) throws {
    try Paths.makeFolder(Paths.parent(path))
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Adds a file with this text to the record, which is a tar archive. `member` is the file's name in the archive.
  private func record(_ text: String, as member: String) async throws {
    try write(text, to: "\(root)/member")
    let end = try await ChildProcess(
      executable: "tar",
      arguments: [
        "--append", "--file=\(record)/0.tar", "--directory=\(root)", "--absolute-names", "--transform=s,.*,\(member),",
        "member",
      ], timeout: hangLimit
    ).run()
    try #require(end.isSuccess, "\(end.errorTail)")
  }

  @Test func aMemberThatIsAnOptionOfTarIsNotPassedToTar() async throws {
    let script = root + "/response.txt"
    try write("#!/bin/sh\ntouch \(root)/ran\n", to: script)
    chmod(script, 0o755)
    try await record("-o tiny\n", as: "--use-compress-program=\(script)")
    await #expect(throws: LinkProblem.self) {
      try await recorder.unpack("tiny", to: root + "/staging/link", volatile: slot)
    }
    #expect(Paths.kind(root + "/ran") == nil && Paths.kind(root + "/staging") == nil)
  }

  @Test func whyLldDidNotLinkIsNamed() async throws {
    try write("ld.lld: warning: odd\nld.lld: error: unknown argument '--frob'\nmore\n", to: "\(record)/1.tar.log")
    let problem = await #expect(throws: LinkProblem.self) {
      try await recorder.unpack("tiny", to: root + "/staging/link", volatile: slot)
    }
    #expect(problem?.description == "its build did not link with lld: ld.lld: error: unknown argument '--frob'")
  }

  @Test func membersAreUnpackedBelowTheDestinationOnly() async throws {
    let (own, odd) = (slot + "/own.o", slot + "/-ödd \\n.o")
    try write("precious", to: own)
    try write("library", to: root + "/lib/shared.a")
    try await record("-o tiny\na.o\n", as: "0/response.txt")
    for path in ["\(root)/outside", own, odd.replacing("\\", with: "\\\\"), "\(root)/lib/shared.a"] {
      try await record("new", as: "0\(path)")
    }
    let destination = root + "/staging/link"
    try await recorder.unpack("tiny", to: destination, volatile: slot)
    #expect(try String(contentsOfFile: own, encoding: .utf8) == "precious")
    for path in [own, odd] { #expect(InputFile.untrusted(destination + path) == Data("new".utf8), "\(path)") }
    #expect(Paths.target("\(destination)\(root)/lib/shared.a") == "\(root)/lib/shared.a")
    #expect(Set(Paths.names(in: root + "/staging")) == ["link"])
    #expect(InputFile.untrusted(destination + "/response.txt") == Data("a.o\n".utf8))
  }
}
