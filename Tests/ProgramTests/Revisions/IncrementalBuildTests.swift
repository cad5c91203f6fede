import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import Linking
@testable import Platform
@testable import Program

/// Tests, with real builds, that a build on top of an earlier one gives the same program as a build from scratch.
@Suite(.serialized) struct IncrementalBuildTests {
  private static let manifest = """
    // swift-tools-version: 6.1
    import PackageDescription
    let package = Package(
      name: "tiny",
      targets: [
        .target(name: "CTiny"), .target(name: "CHeader"), .target(name: "Low"), .target(name: "Aside"),
        .target(name: "Middle", dependencies: ["Low"]),
        .executableTarget(
          name: "tiny", dependencies: ["Aside", "CTiny", "CHeader", "Middle"],
          resources: [.process("Resources")]),
      ])
    """
  private static let program = """
    import Aside
    import CHeader
    import CTiny
    import Foundation
    import Middle
    let files = try FileManager.default.contentsOfDirectory(atPath: Bundle.module.bundlePath).sorted()
    let count = Int(CommandLine.argc)
    print(low(count).value(count), aside(count), ctiny(2), cheader(2), files)
    """
  /// Returns the source of the module `Low`. The program does not import this module, but inlines `value`: it gets a
  /// value of the type `Low` from the module `Middle`.
  private static func low(_ factor: Int) -> String {
    "public struct Low { public init() {}\n" + "  @inlinable public func value(_ x: Int) -> Int { x * \(factor) }\n}\n"
  }

  private func repository() async throws -> ThrowawayRepository {
    let repository = try await ThrowawayRepository(usesFakeSwift: false)
    for (name, text) in [
      "Package.swift": Self.manifest, "Sources/CTiny/include/ctiny.h": "int ctiny(int);",
      "Sources/CTiny/ctiny.c": "#include \"ctiny.h\"\nint ctiny(int x) { return x + 1; }\n",
      "Sources/CHeader/include/cheader.h": "static inline int cheader(int x) { return x * 10; }\n",
      "Sources/CHeader/empty.c": "\n", "Sources/Low/low.swift": Self.low(3),
      "Sources/Middle/middle.swift":
        "import Low\n@inline(never) public func low(_ x: Int) -> Low { precondition(x > 0); return Low() }\n",
      "Sources/Aside/aside.swift": "public func aside(_ x: Int) -> Int { x }\n",
      "Sources/tiny/main.swift": Self.program, "Sources/tiny/gone.swift": "func gone() {}\n",
      "Sources/tiny/Resources/a.txt": "a", "Sources/tiny/Resources/b.txt": "b",
    ] { try repository.write(text, to: name) }
    try await repository.commit("a program")
    try repository.write(Self.low(300), to: "Sources/Low/low.swift")
    try repository.write(
      "static inline int cheader(int x) { return x * 20; }\n", to: "Sources/CHeader/include/cheader.h")
    try await repository.git("rm", "--quiet", "Sources/tiny/gone.swift", "Sources/tiny/Resources/b.txt")
    try repository.write("func added() {}\n", to: "Sources/tiny/added.swift")
    try await repository.commit("what SwiftPM overlooks")
    return repository
  }

  private func program(_ process: FixtureProcess) throws -> String {
    try #require(process.status == 0, "\(process.error)")
    return process.output.trimmingCharacters(in: .newlines)
  }

  private func output(_ program: String) async throws -> String {
    let end = try await ChildProcess(executable: program, arguments: [], timeout: hangLimit).run(input: Data())
    return String(decoding: end.output, as: UTF8.self)
  }

  /// Returns the time at which a module was last compiled.
  private func time(_ module: String, in repository: ThrowawayRepository) throws -> Date {
    let slot = repository.root + "/.build/springbench/revisions/slot"
    let list = "\(slot)/scratch/release/\(module).build/\(module == "CTiny" ? "ctiny.c" : module).d"
    return try #require(try FileManager.default.attributesOfItem(atPath: list)[.modificationDate] as? Date)
  }

  @Test func itIsTheProgramThatAnEmptyFolderGivesThoughOnlyWhatChangedIsCompiled() async throws {
    let repository = try await repository()
    let first = try program(try await repository.build("HEAD~1"))
    #expect(try await output(first) == "3 1 3 20 [\"a.txt\", \"b.txt\"]\n")
    let modules = ["CTiny", "Low", "Middle", "Aside", "tiny"]
    let before = try modules.map { try time($0, in: repository) }

    let second = try program(try await repository.build("HEAD"))
    let after = try modules.map { try time($0, in: repository) }
    #expect(zip(before, after).map { $0 < $1 } == [false, true, true, false, true])
    #expect(try await output(second) == "300 1 3 40 [\"a.txt\"]\n")
    let image = try ELFImage(path: second)

    _ = try await FixtureProcess.run(["clean", "--package-path", repository.root])
    let whole = try program(try await repository.build("HEAD"))
    // Sections that contain names of C modules are left out, because they differ even between two full builds.
    for name in [".text", ".rodata", ".data", ".eh_frame", ".symtab", ".strtab"] {
      #expect(try ELFImage(path: whole).bytes(of: name) == image.bytes(of: name), "\(name)")
    }
    #expect(try await repository.git("worktree", "list").split(separator: "\n").count == 1)
    #expect(try await repository.git("status", "--porcelain").isEmpty && repository.leftovers.isEmpty)
  }

  @Test func whatOnlyAnAssemblerReadsIsReadAgain() async throws {
    let repository = try await ThrowawayRepository(usesFakeSwift: false)
    func include(_ name: String) -> String {
      "__asm__(\".data\\n.globl \(name)\\n\(name): .incbin \\\"\(name).txt\\\"\\n.byte 0\\n.text\\n\");\n"
        + "extern const char \(name)[];\n"
    }
    for (name, text) in [
      "Package.swift": """
      // swift-tools-version: 6.1
      import PackageDescription
      let package = Package(
        name: "tiny",
        targets: [
          .target(name: "CData", cSettings: [.headerSearchPath("../..")]),
          .executableTarget(name: "tiny", dependencies: ["CData"]),
        ])
      """, "Sources/CData/include/data.h": "const char *first(void);\nconst char *second(void);\n",
      "Sources/CData/data.c": "#include \"data.h\"\n" + include("table") + include("outside")
        + "const char *first(void) { return table; }\nconst char *second(void) { return outside; }\n",
      "Sources/CData/include/table.txt": "1", "outside.txt": "1",
      "Sources/tiny/main.swift": "import CData\nprint(String(cString: first()), String(cString: second()))\n",
    ] { try repository.write(text, to: name) }
    try await repository.commit("data")
    #expect(try await output(program(try await repository.build())) == "1 1\n")
    try repository.write("2", to: "Sources/CData/include/table.txt")
    #expect(try await output(program(try await repository.build())) == "2 1\n")
    try repository.write("3", to: "outside.txt")
    #expect(try await output(program(try await repository.build())) == "2 3\n")
  }

  @Test func aFileThatAFlagNamesIsReadAgain() async throws {
    let repository = try await ThrowawayRepository(usesFakeSwift: false)
    for (name, text) in [
      "Package.swift": """
      // swift-tools-version: 6.1
      import PackageDescription
      let package = Package(
        name: "tiny",
        targets: [
          .target(name: "CData", cSettings: [.unsafeFlags(["--config=\\(Context.packageDirectory)/flags/c.cfg"])]),
          .executableTarget(name: "tiny", dependencies: ["CData"]),
        ])
      """, "Sources/CData/include/data.h": "int first(void);\n",
      "Sources/CData/data.c": "#include \"data.h\"\nint first(void) { return NUMBER; }\n",
      "flags/c.cfg": "-DNUMBER=1\n", "Sources/tiny/main.swift": "import CData\nprint(first())\n",
    ] { try repository.write(text, to: name) }
    try await repository.commit("flags")
    for number in 1...2 {
      try repository.write("-DNUMBER=\(number)\n", to: "flags/c.cfg")
      #expect(try await output(program(try await repository.build())) == "\(number)\n")
    }
  }

  /// Package managers give an installed file the time of its original, so a changed header may look old.
  @Test func headersOutsideOfTheRevisionAreReadAgainWhereTheyChanged() async throws {
    let repository = try await ThrowawayRepository(usesFakeSwift: false)
    let (outside, vendor) = ("\(repository.base)/library", "\(repository.root)/vendor")
    for (name, text) in [
      "Package.swift": """
      // swift-tools-version: 6.1
      import PackageDescription
      let package = Package(
        name: "tiny",
        targets: [
          .target(name: "CData", cSettings: [.unsafeFlags(["-I\(outside)", "-I\(vendor)"])]),
          .systemLibrary(name: "CInline"), .executableTarget(name: "tiny", dependencies: ["CData", "CInline"]),
        ])
      """, "Sources/CData/include/data.h": "int library(void);\nint vendor(void);\n",
      "Sources/CData/data.c": "#include <library.h>\n#include <vendor.h>\n"
        + "int library(void) { return LIBRARY; }\nint vendor(void) { return VENDOR; }\n",
      "Sources/CInline/module.modulemap": "module CInline [system] { header \"\(outside)/inline.h\" }\n",
      "Sources/tiny/main.swift": "import CData\nimport CInline\nprint(library(), vendor(), inlined())\n",
    ] { try repository.write(text, to: name) }
    func write(_ name: String, _ text: String) throws {
      try repository.write(text, to: name)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: "\(repository.root)/\(name)")
    }
    func build() async throws -> (path: String, output: String) {
      let process = try await repository.build("HEAD")
      let note = "the build reads \(vendor)/vendor.h in the working tree, so every revision uses what is there now"
      #expect(process.errorLines.count == 1 && process.error.contains(note), "\(process.error)")
      return (try program(process), try await output(try program(process)))
    }
    try write("../library/library.h", "#define LIBRARY 1\n")
    try write("../library/inline.h", "static inline int inlined(void) { return 1; }\n")
    try write("vendor/vendor.h", "#define VENDOR 1\n")
    try await repository.commit("headers")
    let first = try await build()
    #expect(first.output == "1 1 1\n")
    #expect(try await build().path == first.path)
    try write("../library/library.h", "#define LIBRARY 2\n")
    #expect(try await build().output == "2 1 1\n")
    try write("vendor/vendor.h", "#define VENDOR 2\n")
    #expect(try await build().output == "2 2 1\n")
    try write("../library/inline.h", "static inline int inlined(void) { return 2; }\n")
    #expect(try await build().output == "2 2 2\n")
  }
}

/// Tests which files are reused from the last checkout, with a fake compiler.
@Suite(.serialized) struct ReusedFilesTests {
  private func repository() async throws -> ThrowawayRepository {
    let repository = try await ThrowawayRepository()
    // The fake `swift` runs this script, and the output becomes the program.
    try repository.write("stat -c '%n %i %y' *.c *.swift; git diff-index --quiet HEAD || echo dirty", to: "script.sh")
    try repository.write("same", to: "same.c")
    try repository.write("one", to: "changed.c")
    try await repository.commit("sources")
    return repository
  }

  /// Returns the inode and the modification time of each file in the checkout as one string, keyed by file name.
  private func files(_ process: FixtureProcess) throws -> [String: String] {
    try #require(process.status == 0, "\(process.error)")
    let program = process.output.trimmingCharacters(in: .newlines)
    let text = String(decoding: FileManager.default.contents(atPath: program) ?? Data(), as: UTF8.self)
    return Dictionary(
      uniqueKeysWithValues: text.dropFirst("first".count).split(separator: "\n").map { line in
        (String(line.prefix { $0 != " " }), String(line.drop { $0 != " " }))
      })
  }

  @Test func aFileThatDidNotChangeKeepsItsInodeAndItsTime() async throws {
    let repository = try await repository()
    let first = try files(try await repository.build())
    try repository.write("two", to: "changed.c")
    let dirty = try files(try await repository.build())
    try await repository.commit("the change")
    try await repository.commit("a commit without a change")
    let second = try files(try await repository.build("HEAD", "--copy", "1"))
    #expect(Set(first.keys) == ["same.c", "changed.c", "Package.swift"])
    #expect(dirty["dirty"] != nil && second["dirty"] == nil)
    for name in ["same.c", "Package.swift"] {
      #expect(first[name] == dirty[name] && first[name] == second[name], "\(name)")
    }
    #expect(first["changed.c"] != dirty["changed.c"] && dirty["changed.c"] == second["changed.c"])
  }

  @Test func aRevisionThatDoesNotBuildLeavesItsFilesToTheNext() async throws {
    let repository = try await repository()
    let first = try files(try await repository.build("HEAD"))
    try repository.write("main.swift:3:1: error: no such thing\n", to: "broken.txt")
    #expect(try await repository.build().status == 1)
    unlink(repository.root + "/broken.txt")
    #expect(try files(try await repository.build("HEAD", "--copy", "1"))["same.c"] == first["same.c"])
  }

  @Test(arguments: ["the manifest", "the toolchain", "an interruption"]) func nothingIsReusedAfter(_ change: String)
    async throws
  {
    let repository = try await repository()
    let first = try files(try await repository.build("HEAD"))
    let slot = repository.root + "/.build/springbench/revisions/slot"
    #expect(FileManager.default.fileExists(atPath: slot + "/kept/same.c"))
    var environment: [String: String] = [:]
    switch change {
    case "the manifest": try repository.write("// swift-tools-version: 6.1\n// x\n", to: "Package.swift")
    case "the toolchain": environment = ["FAKE_VERSION": "9.10"]
    default:
      _ = try await repository.build("HEAD", "--copy", "2", environment: ["FAKE_SIGNAL": "INT"])
      #expect(!FileManager.default.fileExists(atPath: slot))
    }
    let second = try files(try await repository.build("--copy", "1", environment: environment))
    #expect(first["same.c"] != second["same.c"])
  }

  @Test func whatSwiftPMWouldNotMakeAgainIsRemovedBeforeABuild() throws {
    let scratch = try TemporaryFolder()
    let removed = [
      "release/tiny", "release/tiny_tiny.resources/a.txt", "release/libother.so", "release.yaml",
      "plugins/outputs/tiny/generated.swift", "release/helper",
    ]
    let kept = [
      "release/generator-tool", "release/Modules/Low.swiftmodule", "release/Low.build/low.swift.o",
      "repositories/x/HEAD", "build.db",
    ]
    for path in removed + kept {
      let file = URL(fileURLWithPath: "\(scratch.path)/\(path)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
      if file.pathExtension.isEmpty { chmod(file.path, 0o755) }
    }
    let build = SwiftBuild(name: "p", package: "/p", product: "tiny", scratch: scratch.path, checkout: "/p", flags: [])
    build.removeProducts(in: scratch.path + "/release")
    let left = (removed + kept).filter { FileManager.default.fileExists(atPath: "\(scratch.path)/\($0)") }
    #expect(left == kept)
  }
}
