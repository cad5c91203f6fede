import Foundation
import Testing

@testable import SpringBenchCLI

@Suite struct ProgramImageTests {
  @Test func whatIsNotLoadedIsLeftOut() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: FixtureProcess.path)))
    let loaded = try #require(ProgramImage.loaded(bytes))
    #expect(loaded.count < bytes.count)
    #expect(loaded == Array(bytes.prefix(loaded.count)))
  }

  @Test func aScriptIsRunFromItsFile() {
    #expect(ProgramImage.loaded(Array("#!/bin/sh\nexec true\n".utf8)) == nil)
    #expect(ProgramImage.loaded([]) == nil)
  }

  @Test func aBrokenProgramIsRunFromItsFile() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: FixtureProcess.path)))
    // Cut off in the middle of what is loaded, and within the header.
    #expect(ProgramImage.loaded(Array(bytes.prefix(70))) == nil)
    #expect(ProgramImage.loaded(Array(bytes.prefix(4_096))) == nil)
    var wild = bytes
    for index in 32..<40 { wild[index] = 0xff }
    #expect(ProgramImage.loaded(wild) == nil)
  }
}
