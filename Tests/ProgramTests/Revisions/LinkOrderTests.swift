import CProcessControl
import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Linking
@testable import Platform

/// Tests revisions of a package with C, C++ and a resource, with real builds that are linked in several orders.
@Suite(.serialized) struct LinkOrderTests {
  @Test(arguments: [
    ("echo note >&2; echo 'x: error: no main' >&2; exit 1", "x: error: no main"), ("exit 3", "status 3"),
    ("echo PLEASE submit a bug report >&2; kill -XFSZ $$", "signal 25 (File size limit exceeded)"),
  ]) func whyALinkerFailedIsOneLine(_ script: String, _ reason: String) async throws {
    await #expect(throws: LinkProblem("lld: \(reason)")) {
      try await LinkTools.run("/bin/sh", ["-c", script], called: "lld")
    }
  }

  private static let manifest = """
    // swift-tools-version: 6.1
    import PackageDescription
    let package = Package(
      name: "tiny",
      targets: [
        .target(name: "CTiny"),
        .executableTarget(
          name: "tiny", dependencies: ["CTiny"], resources: [.copy("greeting.txt")],
          linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath=/some/where"])]),
      ])
    """
  private static let cSource = """
    #include "ctiny.h"
    static int hidden(int x) { return x * 3 + 1; }
    int ctiny_first(int x) { return hidden(x) ^ 5; }
    int ctiny_second(int x) { return x < 2 ? x : ctiny_second(x - 1) + ctiny_first(x - 2); }
    """
  private static let program = """
    import CTiny
    import Foundation
    if CommandLine.arguments.dropFirst().first == "describe" { print(Set(0..<20)) }
    let url = Bundle.module.url(forResource: "greeting", withExtension: "txt")!
    print(try String(contentsOf: url, encoding: .utf8), ctiny_second(9), ctiny_plus(4), [3, 1, 2].sorted())
    """

  private func repository() async throws -> ThrowawayRepository {
    let repository = try await ThrowawayRepository(usesFakeSwift: false)
    try repository.write(Self.manifest, to: "Package.swift")
    try repository.write(
      "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint ctiny_second(int);\nint ctiny_plus(int);\n"
        + "#ifdef __cplusplus\n}\n#endif\n", to: "Sources/CTiny/include/ctiny.h")
    try repository.write(Self.cSource, to: "Sources/CTiny/ctiny.c")
    try repository.write(
      "#include \"ctiny.h\"\n#include <vector>\n"
        + "int ctiny_plus(int n) { std::vector<int> v(n, 7); int s = 0; for (int x : v) s += x; return s; }\n",
      to: "Sources/CTiny/plus.cpp")
    try repository.write("hello", to: "Sources/tiny/greeting.txt")
    try repository.write(Self.program, to: "Sources/tiny/main.swift")
    try await repository.commit("a program")
    // The second commit changes the resource, and adds a function that has no effect on the output but imports
    // `getppid`. The function precedes all other code, because the name of its file sorts first.
    try repository.write(
      "#include <unistd.h>\n"
        + "__attribute__((constructor, noinline)) void a_dead(void) { static volatile int x; x = x * 7 + getppid(); }\n",
      to: "Sources/CTiny/a.c")
    try repository.write("hi", to: "Sources/tiny/greeting.txt")
    try await repository.commit("dead code")
    return repository
  }

  private func output(_ program: String) async throws -> String {
    let end = try await ChildProcess(executable: program, arguments: [], timeout: hangLimit).run(input: Data())
    try #require(end.isSuccess, "\(program): \(end.errorTail)")
    return String(decoding: end.output, as: UTF8.self)
  }

  @Test func unchangedCodeKeepsItsAddressesFromBuildToBuildInEveryOrder() async throws {
    let repository = try await repository()
    let builder = RevisionBuilder(location: try await PackageLocation.find(repository.root), console: Console())
    let builds = [
      try await builder.executable("tiny", for: .revision("HEAD~1")),
      try await builder.executable("tiny", for: .revision("HEAD")),
    ]
    #expect(BuildStore.entry(ofProgram: try #require(Paths.real(builds[0].url.path)))?.recipe != nil)
    let pool = try LinkOrderPool(builds.map(\.entry), store: builder.store)
    try await pool.link(0..<2)
    for order in 0..<2 {
      let programs = pool.executables(order)
      // Each build finds its own resource.
      for (build, greeting) in ["hello", "hi"].enumerated() {
        let text = try await output(programs[build])
        #expect(text.hasPrefix("\(greeting) ") && text.hasSuffix(" 28 [1, 2, 3]\n"))
        #expect(text == (try await output(builds[build].url.path)))
        let record = "\(Paths.parent(programs[build]))/build.json"
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: record).hasPrefix("../../"))
      }
    }
    let profiled = try await pool.profiled(4)
    let tables = try profiled.map { orders in try orders.map { try SymbolTable(path: $0) } }
    let names = ["ctiny_second", "ctiny_plus"]
    for order in 0..<2 {
      for name in names {
        let address = try #require(tables[0][order].functions[name])
        #expect(tables[1][order].functions[name] == address, "\(name) in order \(order)")
      }
    }
    for name in names {
      let quarters = tables[0].compactMap { $0.functions[name].map { $0 % 64 / 16 } }
      #expect(Set(quarters) == [0, 1, 2, 3], "\(name) begins in the quarters \(quarters) of a cache line")
    }
    #expect(tables[1][0].functions["a_dead"] != nil && tables[0][0].functions["a_dead"] == nil)
    #expect(names.contains { tables[0][0].functions[$0] != tables[0][1].functions[$0] })
    let images = try profiled.map { orders in
      try orders.map { try #require(ELFImage([UInt8](try Data(contentsOf: URL(fileURLWithPath: $0))))) }
    }
    let stubs = images.map { orders in orders.compactMap { $0.section(".plt") } }
    #expect(stubs[0][0].bytes.count + 16 == stubs[1][0].bytes.count, "an import more")
    #expect(stubs[0].map(\.address) == stubs[1].map(\.address))
    #expect(Set(stubs[0].map { $0.address % 64 / 16 }) == [0, 1, 2, 3])
    // Only the candidate imports `getppid`. Although its code calls `getppid` first, the import comes last.
    let called = images.map { image in imports(image[0], ".rela.plt") }
    #expect(called[1] == called[0] + ["getppid"])
    for name in [".data", ".rodata", ".data.rel.ro", ".got.plt"] {
      #expect(images[0][1].section(name)?.address == images[1][1].section(name)?.address, "\(name)")
    }
    // Linking the same orders again does nothing.
    let date = try modificationDate(pool.executables(1)[0])
    try await LinkOrderPool(builds.map(\.entry), store: builder.store).link(0..<2)
    #expect(try modificationDate(pool.executables(1)[0]) == date)
    // If the candidate's program and checksum are replaced by the baseline's, the candidate is linked again.
    let ends = pool.executables(1)
    for suffix in ["", ".sum"] {
      try FileManager.default.removeItem(atPath: ends[1] + suffix)
      try FileManager.default.copyItem(atPath: ends[0] + suffix, toPath: ends[1] + suffix)
    }
    try await LinkOrderPool(builds.map(\.entry), store: builder.store).link(0..<2)
    #expect(try await output(ends[1]).hasPrefix("hi "))
    // A build is not used if one of its object files has changed.
    let objects = "\(builds[1].entry.folder)/\(LinkRecipe.folderName)"
    let files = FileManager.default.enumerator(atPath: objects)?.compactMap { $0 as? String } ?? []
    let object = try #require(files.first { $0.hasSuffix("ctiny.c.o") }, "\(files)")
    // If the object were a symbolic link, the test would overwrite a file elsewhere.
    try #require(Paths.mode("\(objects)/\(object)").map { $0 & S_IFMT } == S_IFREG)
    try Data("changed".utf8).write(to: URL(fileURLWithPath: "\(objects)/\(object)"))
    #expect(BuildStore.entry(ofProgram: builds[1].url.path) == nil)
  }

  private func imports(_ image: ELFImage, _ table: String) -> [String] {
    let symbols = image.symbols(".dynsym", names: ".dynstr")
    return image.section(table).map { image.entries(Elf64_Rela.self, of: $0).map { symbols[$0.symbol].name } } ?? []
  }

  private func modificationDate(_ path: String) throws -> Date {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
  }

  @Test func aResponseFileIsMadeRepeatable() {
    let lines = [
      "--chroot .", "-o springbench", "--rpath opt/swift/lib", "-rpath \"$ORIGIN\"", "--rpath /abs", "-rpath Vendor",
      "a/b.o", "-l m",
    ]
    #expect(LinkRecipe.output(lines) == "springbench")
    #expect(LinkRecipe.output(["-l m"]) == nil)
    #expect(
      LinkRecipe.repeatable(lines) { $0 == "/opt/swift/lib" } == [
        "--rpath \"/opt/swift/lib\"", "-rpath \"$ORIGIN\"", "--rpath \"/abs\"", "-rpath \"Vendor\"", "a/b.o", "-l m",
      ])
  }
}

/// The addresses of a program's functions, by name. The program must not be stripped.
private struct SymbolTable {
  var functions: [String: UInt64] = [:]

  init(path: String) throws {
    for entry in ELFSymbols(path: path).entries where entry.address > 0 { functions[entry.name] = entry.address }
  }
}
