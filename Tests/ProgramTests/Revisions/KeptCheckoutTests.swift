import Foundation
import Testing

@testable import Builds
@testable import Platform

/// Tests which files of the last checkout are reused for the next one.
@Suite struct KeptCheckoutTests {
  private let folder: TemporaryFolder
  private let kept: KeptCheckout
  private var checkout: String { folder.path + "/checkout" }

  init() throws {
    folder = try TemporaryFolder()
    kept = KeptCheckout(folder: folder.path + "/kept")
  }

  private func write(_ files: [String: String]) throws {
    for (name, text) in files {
      let path = "\(checkout)/\(name)"
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
  }

  private func inode(_ name: String) -> UInt64? {
    var status = stat()
    return lstat("\(checkout)/\(name)", &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// Returns the names of the files that are reused when `after` is checked out where `before` was.
  private func reused(_ before: [String: String], _ after: [String: String], flags: [String] = []) async throws -> Set<
    String
  > {
    try write(before)
    let inodes = Dictionary(uniqueKeysWithValues: before.keys.map { ($0, inode($0)) })
    try kept.keep(checkout)
    try write(after)
    try await kept.putBack(into: checkout, flags: flags)
    #expect(!FileManager.default.fileExists(atPath: kept.folder))
    for (name, text) in after {
      #expect(FileManager.default.contents(atPath: "\(checkout)/\(name)") == Data(text.utf8), "\(name)")
    }
    return Set(after.keys.filter { inodes[$0] == .some(inode($0)) && inode($0) != nil })
  }

  @Test func onlyFilesWithTheSameBytesAreReused() async throws {
    let before = [
      "a.swift": "same", "b/b.c": "same", "b/changed.c": "one", "length.swift": "1", "gone.swift": "x",
      "kind": "a file", ".git": "gitdir: there",
    ]
    let after = [
      "a.swift": "same", "b/b.c": "same", "b/changed.c": "two", "length.swift": "12", "new.swift": "x",
      "kind/file.swift": "in a folder", ".git": "gitdir: there",
    ]
    #expect(try await reused(before, after) == ["a.swift", "b/b.c"])
    #expect(!FileManager.default.fileExists(atPath: checkout + "/gone.swift"))
  }

  @Test func aFileThatMayBeRunNowIsAnotherOne() async throws {
    try write(["tool.sh": "x"])
    chmod(checkout + "/tool.sh", 0o644)
    try kept.keep(checkout)
    try write(["tool.sh": "x"])
    chmod(checkout + "/tool.sh", 0o755)
    try await kept.putBack(into: checkout)
    #expect(FileManager.default.isExecutableFile(atPath: checkout + "/tool.sh"))
  }

  @Test(arguments: ["include/new.h", "Sources/C/module.modulemap", "include/vector"])
  func aNewHeaderHasEverythingCompiled(name: String) async throws {
    let files = ["a.swift": "same", "include/old.h": "same"]
    #expect(try await reused(files, files.merging([name: "new"]) { $1 }).isEmpty)
  }

  @Test func aChangedHeaderIsLeftToTheCompilersLists() async throws {
    #expect(try await reused(["a.c": "same", "a.h": "one"], ["a.c": "same", "a.h": "two"]) == ["a.c"])
  }

  @Test func aChangedModuleMapHasEverythingCompiled() async throws {
    let before = ["a.c": "same", "module.modulemap": "1"]
    #expect(try await reused(before, ["a.c": "same", "module.modulemap": "2"]).isEmpty)
  }

  private static let package = [
    "Package.swift": """
    // swift-tools-version: 6.1
    import PackageDescription
    let package = Package(name: "p", targets: [.target(name: "A"), .target(name: "B", path: "Other")])
    """, "Sources/A/a.swift": "same", "Sources/A/Data/table.json": "1", "Other/b.swift": "same", "Other/c.c": "same",
    "README.md": "1",
  ]
  private static let sources: Set = ["Package.swift", "Sources/A/a.swift", "Other/b.swift", "Other/c.c"]

  /// A macro or an assembler directive may have read a file that is no source. The compiler's dependency files would
  /// not show this, so the target is compiled again.
  @Test(arguments: [true, false]) func aFileThatIsNoSourceHasItsTargetCompiled(isRemoved: Bool) async throws {
    var after = Self.package
    after["Sources/A/Data/table.json"] = isRemoved ? nil : "2"
    let reused = try await reused(Self.package, after)
    #expect(reused.intersection(Self.sources) == Self.sources.subtracting(["Sources/A/a.swift"]))
  }

  @Test func aFileOutsideOfAllTargetsIsNoReasonToCompile() async throws {
    let reused = try await reused(Self.package, Self.package.merging(["README.md": "2"]) { $1 })
    #expect(reused.isSuperset(of: Self.sources))
  }

  @Test(arguments: [
    ("flags/c.cfg", ["-Xcc", "--config=flags/c.cfg"]), ("bench.profdata", ["-Xswiftc", "-profile-use=bench.profdata"]),
    ("Sources/A/bench.profdata", ["-Xswiftc", "-profile-use=Sources/A/bench.profdata"]),
    ("more.txt", ["-Xcc", "@flags.rsp"]), ("more.txt", ["-Xcc", "--config=flags/including.cfg"]),
  ]) func aFileThatAFlagOfTheUserMayNameHasEverythingCompiled(_ name: String, _ flags: [String]) async throws {
    let package = Self.package.merging(["flags/including.cfg": "-DA=1\n@more.rsp\n"]) { $1 }
    let (before, after) = (package.merging([name: "1"]) { $1 }, package.merging([name: "2"]) { $1 })
    #expect(try await reused(before, after, flags: flags).isDisjoint(with: Self.sources.subtracting(["Package.swift"])))
  }

  @Test(arguments: ["more.rsp", "Other/c.cfg"]) func aFileThatFlagsOfAManifestMayReadHasEverythingCompiled(
    _ name: String
  ) async throws {
    let manifest = Self.package["Package.swift", default: ""] + "// unsafeFlags([\"--config=c.cfg\"])\n"
    let package = Self.package.merging(["Package.swift": manifest, "c.cfg": "@more.rsp\n", name: "1"]) { $1 }
    let reused = try await reused(package, package.merging([name: "2"]) { $1 })
    #expect(reused.isDisjoint(with: Self.sources.subtracting(["Package.swift"])))
  }

  /// A macro may find files without naming them, for example all files of a folder.
  @Test(arguments: [
    ("Config/t.json", false), ("README.md", true), ("Sources/A/codes.def", false), ("Other/d.c", false),
  ]) func wherePackagesHaveMacrosAFileMayBeReadByThem(_ name: String, isReused: Bool) async throws {
    let manifest = Self.package["Package.swift", default: ""] + "// .macro(name: \"M\")\n"
    let package = Self.package.merging(["Package.swift": manifest, name: "1"]) { $1 }
    let reused = try await reused(package, package.merging([name: "2"]) { $1 })
    #expect(reused.intersection(Self.sources) == (isReused ? Self.sources : ["Other/c.c"]))
  }

  @Test func aFileThatNoFlagOfTheUserNamesIsNoReasonToCompile() async throws {
    let after = Self.package.merging(["README.md": "2"]) { $1 }
    #expect(
      try await reused(Self.package, after, flags: ["-Xcc", "--config=flags/c.cfg"]).isSuperset(of: Self.sources))
  }

  @Test(arguments: ["notes.md", "included.inc", "module/data.bin"])
  func whereAssemblerIncludesFilesAllOfCIsCompiledForIt(name: String) async throws {
    let before = [
      "a.c": "same", "b/b.c": "same", "b/b.h": "#define DATA \".incbin NAME\"", "a.swift": "same", name: "1",
    ]
    #expect(try await reused(before, before.merging([name: "2"]) { $1 }) == ["a.swift", "b/b.h"])
    #expect(try await reused(before, before.merging(["a.c": "other"]) { $1 }) == ["a.swift", "b/b.h", "b/b.c", name])
  }

  @Test func whereAssemblerIncludesNoFilesNothingIsCompiledForAPage() async throws {
    let before = ["a.c": "__asm__(\"nop\");", "a.h": "#include <b.h>", "a.swift": "same", "README.md": "1"]
    #expect(try await reused(before, before.merging(["README.md": "2"]) { $1 }) == ["a.c", "a.h", "a.swift"])
  }

  /// A C file may include any file that it names, for example through a macro in a header of another package.
  @Test func whatATextOfCNamesMayBeIncludedByIt() async throws {
    let before = ["a.c": "INCLUDE(\"data/words.bin\")", "b.c": "same", "data/words.bin": "1", "a.swift": "same"]
    #expect(try await reused(before, before.merging(["data/words.bin": "2"]) { $1 }) == ["a.swift"])
  }

  @Test func aSourceThatATextOfCNamesMayBeReadByAnAssembler() async throws {
    let before = ["a.c": "asm(\".include \\\"kernel.s\\\"\");", "kernel.s": "1", "b.c": "// b.c", "a.swift": "same"]
    #expect(try await reused(before, before.merging(["kernel.s": "2"]) { $1 }) == ["a.swift"])
    #expect(try await reused(before, before.merging(["b.c": "// b.c 2"]) { $1 }) == ["a.swift", "a.c", "kernel.s"])
  }

  /// A macro may read any file. Its implementation, its declaration or its caller names the file.
  @Test(arguments: [(#"#table("Config/t.json")"#, true), (#"// See t.json."#, false), (#"#table("t.jso")"#, false)])
  func aFileThatAStringOfSwiftNamesMayBeReadByAMacro(_ text: String, isNamed: Bool) async throws {
    for name in ["t.json", "t.h"] {
      let text = text.replacing("t.json", with: name)
      let before = Self.package.merging(["Sources/A/a.swift": text, "Config/\(name)": "1"]) { $1 }
      let reused = try await reused(before, before.merging(["Config/\(name)": "2"]) { $1 })
      #expect(reused.intersection(Self.sources) == (isNamed ? ["Other/c.c"] : Self.sources), "\(name)")
      try FileManager.default.removeItem(atPath: checkout)
    }
  }

  @Test(arguments: [true, false]) func nothingBehindASymbolicLinkIsTouched(wasLink: Bool) async throws {
    let outside = folder.path + "/outside"
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try Data("same".utf8).write(to: URL(fileURLWithPath: outside + "/file.swift"))
    var before = stat()
    #expect(lstat(outside + "/file.swift", &before) == 0)
    for isLink in [wasLink, !wasLink] {
      try write(["a.swift": "same"])
      if isLink {
        try FileManager.default.createSymbolicLink(atPath: checkout + "/link", withDestinationPath: outside)
      } else {
        try write(["link/file.swift": "same"])
      }
      if isLink == wasLink { try kept.keep(checkout) }
    }
    try await kept.putBack(into: checkout)
    var after = stat()
    #expect(lstat(outside + "/file.swift", &after) == 0 && after.st_ino == before.st_ino)
  }

  @Test func aLinkThatLeadsElsewhereHasEverythingCompiled() async throws {
    for target in ["x.swift", "y.swift"] {
      try write(["x.swift": "1", "y.swift": "2"])
      try FileManager.default.createSymbolicLink(atPath: checkout + "/z.swift", withDestinationPath: target)
      if target == "x.swift" { try kept.keep(checkout) }
    }
    let new = inode("x.swift")
    try await kept.putBack(into: checkout)
    #expect(inode("x.swift") == new)
  }
}
