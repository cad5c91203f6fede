import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Linking
@testable import Platform
@testable import Program

/// Tests, with real builds, that equal sources give equal programs in any folder and in any build.
@Suite(.serialized) struct MachineCodeTests {
  static let manifest = """
    // swift-tools-version: 6.1
    import PackageDescription
    let package = Package(
      name: "tiny",
      targets: [.target(name: "CTiny"), .executableTarget(name: "tiny", dependencies: ["CTiny"])])
    """
  static let cSource = """
    #include "ctiny.h"
    #include <assert.h>
    const char *ctiny_file(int x) { assert(x > 0); return __FILE__; }
    """
  static let program = """
    import CTiny
    fileprivate struct Hidden { var values = [1.5, 2.5] }
    print(String(cString: ctiny_file(CommandLine.argc)), #fileID, Hidden().values.reduce(0, +))
    """

  func repository() async throws -> ThrowawayRepository {
    let repository = try await ThrowawayRepository(usesFakeSwift: false)
    try repository.write(Self.manifest, to: "Package.swift")
    try repository.write("const char *ctiny_file(int);", to: "Sources/CTiny/include/ctiny.h")
    try repository.write(Self.cSource, to: "Sources/CTiny/ctiny.c")
    try repository.write(Self.program, to: "Sources/tiny/main.swift")
    try await repository.commit("a program")
    return repository
  }

  func program(_ process: FixtureProcess) throws -> String {
    try #require(process.status == 0, "\(process.error)")
    return process.output.trimmingCharacters(in: .newlines)
  }

  @Test func buildsOfTheSameSourcesHoldTheSameCodeAndConstants() async throws {
    let repository = try await repository()
    let clone = repository.base + "/a/folder/with/a/longer/path"
    try await repository.git("clone", "--quiet", repository.root, clone)
    let here = try ELFImage(path: try program(try await repository.build("HEAD")))
    let there = try ELFImage(path: try program(try await repository.build("HEAD", package: clone)))
    for name in [".text", ".rodata", ".data", ".eh_frame"] {
      #expect(try here.bytes(of: name) == there.bytes(of: name), "\(name)")
    }
    // The compiler's path maps do not apply to `#filePath`, but it is the same in all builds of one checkout.
    try repository.write(Self.program + "\nprint(#filePath)", to: "Sources/tiny/main.swift")
    try await repository.commit("a path")
    let first = try ELFImage(path: try program(try await repository.build("HEAD")))
    try await repository.commit("nothing")
    let second = try ELFImage(path: try program(try await repository.build("HEAD")))
    for name in [".text", ".rodata", ".data", ".eh_frame"] {
      #expect(try first.bytes(of: name) == second.bytes(of: name), "\(name)")
    }
    // Different sources give different code, so the comparisons above can fail.
    #expect(try first.bytes(of: ".text") != here.bytes(of: ".text"))
    let process = ChildProcess(
      executable: try program(try await repository.build("HEAD")), arguments: [], timeout: hangLimit)
    let output = String(decoding: try await process.run(input: Data()).output, as: UTF8.self)
    #expect(output.hasPrefix("/springbench/source/Sources/CTiny/ctiny.c "))
    #expect(try await repository.git("worktree", "list").split(separator: "\n").count == 1)
  }

  @Test func aRealCompilersMessageIsShown() async throws {
    let repository = try await repository()
    try repository.write("let x: Int = \"text\"\n", to: "Sources/tiny/main.swift")
    let process = try await repository.build()
    #expect(process.status == 1)
    let first = try #require(process.errorLines.first)
    #expect(first.hasPrefix("springbench: error: the working tree does not build: "))
    #expect(first.contains("Sources/tiny/main.swift:1:14: error: cannot convert value of type 'String'"))
    #expect((2...21).contains(process.errorLines.count))
    #expect(repository.leftovers.isEmpty)
  }
}

extension ELFImage {
  init(path: String) throws {
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    self = try #require(ELFImage(file), "\(path) is no such file")
  }

  func bytes(of name: String) throws -> ArraySlice<UInt8> {
    let bytes = self.bytes[try #require(section(name), "no section \(name)").bytes]
    try #require(!bytes.isEmpty)
    return bytes
  }
}
