import Foundation
import Testing

@testable import Builds
@testable import Platform

/// Tests which modules must be compiled again according to the dependency files that the compiler writes.
@Suite struct CompiledModulesTests {
  private let folder: TemporaryFolder
  private let scratch: String
  private var release: String { scratch + "/release" }
  private var modules: CompiledModules { CompiledModules(scratch: scratch, binaries: release) }

  init() throws {
    folder = try TemporaryFolder()
    scratch = try #require(Paths.real(folder.path))
  }

  /// - Parameter time: The file's modification time, in seconds since 1970.
  private func write(_ path: String, _ text: String = "", time: Int) throws {
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(time))], ofItemAtPath: path)
  }

  private func module(_ name: String) -> String { "\(release)/Modules/\(name).swiftmodule" }

  private func compile(_ name: String, from inputs: [String], time: Int) throws {
    let outputs = [module(name), "\(release)/\(name).build/\(name).swift.o"]
    for path in outputs { try write(path, time: time) }
    let list = outputs.map { "\($0) : \(inputs.joined(separator: " "))\n" }.joined()
    try write("\(release)/\(name).build/\(name).d", list, time: time)
  }

  private var compiled: Set<String> {
    Set(
      ["Low", "Middle", "Top", "Aside"].filter { name in
        let files = [module(name), "\(release)/\(name).build/\(name).swift.o", "\(release)/\(name).build/\(name).d"]
        let count = files.count { FileManager.default.fileExists(atPath: $0) }
        #expect(count == 0 || count == 3)
        return count == 3
      })
  }

  private func compileAll() throws {
    try write(scratch + "/head er.h", time: 1)
    try compile("Low", from: [scratch + "/head\\ er.h"], time: 2)
    try compile("Middle", from: [module("Low")], time: 3)
    try compile("Top", from: [module("Middle"), module("Low")], time: 4)
    try compile("Aside", from: [], time: 2)
    // This is a C compiler's dependency file. SwiftPM itself checks such files, so the missing header must not matter.
    let lines = "dependencies: /no/such/header.h \\\n  /other.h /with\\ space.h\n"
    for name in ["low.c.d", "folder/low.c.d"] { try write("\(release)/CLow.build/\(name)", lines, time: 1) }
  }

  @Test func whatIsAsItWasWhenItWasCompiledStays() throws {
    try compileAll()
    #expect(try !modules.removeOutdated())
    #expect(compiled == ["Low", "Middle", "Top", "Aside"])
  }

  @Test func theListsOfBothCompilersNameWhatWasRead() throws {
    try compileAll()
    let headers: Set = [scratch + "/head er.h", "/no/such/header.h", "/other.h", "/with space.h"]
    #expect(modules.inputs() == headers.union([module("Low"), module("Middle")]))
  }

  @Test func aModuleThatReadWhatChangedInTheMeantimeGoesThoughItsOwnDependencyDidNot() throws {
    try compileAll()
    // `Middle` was compiled again, but its module file did not change.
    try write(module("Low"), time: 5)
    try write("\(release)/Middle.build/Middle.d", "\(module("Middle")) : \(module("Low"))\n", time: 6)
    #expect(try modules.removeOutdated())
    #expect(compiled == ["Low", "Middle", "Aside"])
    #expect(try !modules.removeOutdated())
  }

  @Test func aChangedHeaderTakesAllModulesWithItThatWereCompiledFromIt() throws {
    try compileAll()
    try write(scratch + "/head er.h", time: 3)
    #expect(try modules.removeOutdated())
    #expect(compiled == ["Aside"])
  }

  @Test func aHeaderThatIsGoneCountsAsChanged() throws {
    try compileAll()
    unlink(scratch + "/head er.h")
    #expect(try modules.removeOutdated())
    #expect(compiled == ["Aside"])
  }

  @Test func whatWasCompiledInTheFutureIsNotTrusted() throws {
    try compileAll()
    try compile("Middle", from: [module("Low")], time: 8_000_000_000)
    #expect(try modules.removeOutdated())
    #expect(compiled == ["Low", "Aside"])
  }

  @Test func nothingOutsideOfTheBuildFolderIsRemoved() throws {
    let other = try TemporaryFolder()
    try write(other.path + "/precious.swiftmodule", time: 1)
    try compile("Top", from: ["/no/such/file"], time: 2)
    try write(
      "\(release)/Top.build/Top.d", "\(module("Top")) : /gone\n\(other.path)/precious.swiftmodule : /gone\n", time: 2)
    #expect(try modules.removeOutdated())
    #expect(FileManager.default.fileExists(atPath: other.path + "/precious.swiftmodule"))
  }

  @Test func aListThatIsAPipeOrALinkIsNotRead() throws {
    let other = try TemporaryFolder()
    try compile("Low", from: ["/gone"], time: 2)
    let list = "\(release)/Low.build/Low.d"
    try FileManager.default.moveItem(atPath: list, toPath: other.path + "/Low.d")
    #expect(mkfifo(list, 0o600) == 0)
    #expect(try !modules.removeOutdated())
    unlink(list)
    try FileManager.default.createSymbolicLink(atPath: list, withDestinationPath: other.path + "/Low.d")
    #expect(try !modules.removeOutdated())
    #expect(InputFile.untrusted(list) == nil && InputFile.untrusted(other.path + "/Low.d") != nil)
  }

  @Test func anEmptyFolderHasNothingOutdated() throws { #expect(try !modules.removeOutdated()) }
}
