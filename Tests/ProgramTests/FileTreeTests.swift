import Foundation
import SystemPackage
import Testing

@testable import Platform

/// Tests whether two states of a folder count as equal.
@Suite struct FileTreeTests {
  private let folder: TemporaryFolder
  private var root: String { folder.path + "/root" }

  init() throws {
    folder = try TemporaryFolder()
    try write("1", to: "root/Sources/a.swift")
    try write("1", to: "outside/b.swift")
    try FileManager.default.createSymbolicLink(atPath: root + "/link", withDestinationPath: "../outside")
  }

  private func write(_ text: String, to name: String) throws {
    let path = "\(folder.path)/\(name)"
    try Paths.makeFolder(Paths.parent(path))
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func checksum() throws -> String? { FileTree(path: try #require(Paths.real(root))).checksum() }

  @Test(arguments: ["root/Sources/a.swift", "root/Sources/new.swift", "root/.hidden", "outside/b.swift"])
  func everyFileCountsAlsoBehindALink(name: String) throws {
    let before = try #require(try checksum())
    try write("2", to: name)
    #expect(try checksum() != before)
  }

  @Test(arguments: [".git/index", ".build/x.o", "Sources/.build-debug/x.o"]) func repositoriesAndBuildFoldersDoNot(
    name: String
  ) throws {
    let before = try #require(try checksum())
    try write("2", to: "root/\(name)")
    #expect(try checksum() == before)
  }

  @Test func namesAndPermissionsCount() throws {
    var sums = [try checksum()]
    chmod(root + "/Sources/a.swift", 0o755)
    sums.append(try checksum())
    rename(root + "/Sources/a.swift", root + "/Sources/b.swift")
    sums.append(try checksum())
    #expect(Set(sums).count == 3)
  }

  @Test func aPipeIsNotWaitedForAndNothingIsNoTree() throws {
    let before = try checksum()
    #expect(mkfifo(root + "/pipe", 0o600) == 0)
    #expect(try checksum() != before)
    #expect(FileTree(path: root + "/none").checksum() == nil)
  }

  @Test func removingItLeavesWhatItsLinksLeadTo() throws {
    #expect(mkfifo(root + "/pipe", 0o600) == 0)
    try Paths.remove(root)
    #expect(Paths.mode(root) == nil && Paths.kind(folder.path + "/outside/b.swift") == S_IFREG)
    try Paths.remove(root)
    #expect(throws: Errno.notDirectory) { try Paths.remove(folder.path + "/outside/b.swift/none") }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away")) func leftoversOfOtherUsersStay() throws {
    for name in ["left-own", "left-other"] { try Paths.makeFolder("\(folder.path)/\(name)") }
    #expect(chown("\(folder.path)/left-other", 65_534, 65_534) == 0)
    HiddenEntry.sweep(folder.path, prefix: "left-")
    #expect(Paths.names(in: folder.path).filter { $0.hasPrefix("left-") } == ["left-other"])
  }

  @Test func itsExitsAreWhereItsLinksLeadOutOfIt() throws {
    try FileManager.default.createSymbolicLink(atPath: root + "/inside", withDestinationPath: "Sources/a.swift")
    try FileManager.default.createSymbolicLink(atPath: root + "/nowhere", withDestinationPath: "none")
    let exits = FileTree(path: try #require(Paths.real(root))).exits()
    #expect(exits == [Paths.real(folder.path + "/outside"), nil])
  }
}
