import Foundation
import Testing

@testable import Program

/// Which files of the last checkout the next one gets.
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

  /// Names of the files that are the same as before, after the folder was checked out again with others.
  private func reused(_ before: [String: String], _ after: [String: String]) throws -> Set<String> {
    try write(before)
    let inodes = Dictionary(uniqueKeysWithValues: before.keys.map { ($0, inode($0)) })
    try kept.keep(checkout)
    try write(after)
    try kept.putBack(into: checkout)
    #expect(!FileManager.default.fileExists(atPath: kept.folder))
    for (name, text) in after {
      #expect(FileManager.default.contents(atPath: "\(checkout)/\(name)") == Data(text.utf8), "\(name)")
    }
    return Set(after.keys.filter { inodes[$0] == .some(inode($0)) && inode($0) != nil })
  }

  @Test func onlyFilesWithTheSameBytesAreReused() throws {
    let before = [
      "a.swift": "same", "b/b.c": "same", "b/changed.c": "one", "length.swift": "1", "gone.swift": "x",
      "kind": "a file", ".git": "gitdir: there",
    ]
    let after = [
      "a.swift": "same", "b/b.c": "same", "b/changed.c": "two", "length.swift": "12", "new.swift": "x",
      "kind/file.swift": "in a folder", ".git": "gitdir: there",
    ]
    #expect(try reused(before, after) == ["a.swift", "b/b.c"])
    #expect(!FileManager.default.fileExists(atPath: checkout + "/gone.swift"))
  }

  @Test func aFileThatMayBeRunNowIsAnotherOne() throws {
    try write(["tool.sh": "x"])
    chmod(checkout + "/tool.sh", 0o644)
    try kept.keep(checkout)
    try write(["tool.sh": "x"])
    chmod(checkout + "/tool.sh", 0o755)
    try kept.putBack(into: checkout)
    #expect(FileManager.default.isExecutableFile(atPath: checkout + "/tool.sh"))
  }

  @Test(arguments: ["include/new.h", "Sources/C/module.modulemap", "include/vector"])
  func aNewHeaderHasEverythingCompiled(name: String) throws {
    let files = ["a.swift": "same", "include/old.h": "same"]
    #expect(try reused(files, files.merging([name: "new"]) { $1 }).isEmpty)
  }

  @Test func aChangedHeaderIsLeftToTheCompilersLists() throws {
    #expect(try reused(["a.c": "same", "a.h": "one"], ["a.c": "same", "a.h": "two"]) == ["a.c"])
  }

  @Test(arguments: [true, false]) func nothingBehindASymbolicLinkIsTouched(wasLink: Bool) throws {
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
    try kept.putBack(into: checkout)
    var after = stat()
    #expect(lstat(outside + "/file.swift", &after) == 0 && after.st_ino == before.st_ino)
  }

  @Test func aLinkThatLeadsElsewhereHasEverythingCompiled() throws {
    for target in ["x.swift", "y.swift"] {
      try write(["x.swift": "1", "y.swift": "2"])
      try FileManager.default.createSymbolicLink(atPath: checkout + "/z.swift", withDestinationPath: target)
      if target == "x.swift" { try kept.keep(checkout) }
    }
    let new = inode("x.swift")
    try kept.putBack(into: checkout)
    #expect(inode("x.swift") == new)
  }
}
