import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Linking
@testable import LockStep
@testable import Platform

@Suite struct ProgramImageTests {
  @Test func aCopyHoldsWhatIsLoadedAndNoMore() throws {
    let image = ProgramImage(of: "/bin/sh")
    let length = try #require(image.loadedLength)
    let file = try Data(contentsOf: URL(fileURLWithPath: "/bin/sh"))
    #expect(length < file.count)
    let copy = try #require(image.copy())
    #expect(FileManager.default.contents(atPath: copy.path) == file.prefix(length))
  }

  @Test func aScriptIsRunFromItsFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/script"
    try "#!/bin/sh\nexec true\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(ProgramImage(of: path).loadedLength == nil)
    #expect(ProgramImage(of: path).copy() == nil)
    #expect(ProgramImage(of: "/nonexistent").loadedLength == nil)
  }

  /// The copy must be in the program's folder, because a program looks for resources and libraries in its own folder.
  @Test func aCopyLiesInTheFolderOfItsProgramWithoutAName() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/program"
    // Copies the contents, because `/bin/sh` may be a symbolic link.
    try Data(contentsOf: URL(fileURLWithPath: "/bin/sh")).write(to: URL(fileURLWithPath: path))
    try FileManager.default.createDirectory(
      atPath: folder.path + "/mine_mine.resources", withIntermediateDirectories: true)
    let copy = try #require(ProgramImage(of: path).copy(), "this file system has no files without names")
    let place = try FileManager.default.destinationOfSymbolicLink(atPath: copy.path)
    #expect(Paths.parent(place) == Paths.real(folder.path))
    #expect(folder.contents == ["mine_mine.resources", "program"])
  }

  @Test func aBrokenProgramIsRunFromItsFile() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/bin/sh")))
    // These files end within the header or within the parts that are loaded.
    for count in [0, 63, 70, 4_096] {
      #expect(ELFImage.loadedEnd(start: Array(bytes.prefix(count)), fileSize: count) == nil)
    }
    var wild = bytes
    for index in 32..<40 { wild[index] = 0xff }
    #expect(ELFImage.loadedEnd(start: wild, fileSize: wild.count) == nil)
  }

  @Test func aProgramIsNamedByItsWholePath() {
    let launch = ProgramImage(of: "folder/program").launch(from: nil, layoutSeed: 0)
    #expect(launch.arguments == [FileManager.default.currentDirectoryPath + "/folder/program", "worker"])
  }
}
