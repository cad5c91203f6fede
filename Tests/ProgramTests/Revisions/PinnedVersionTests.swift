import Foundation
import Testing

@testable import Builds
@testable import Platform

/// Tests which versions of dependencies the builds of revisions get. A fake compiler copies `Package.resolved`, among
/// other files, as the program.
@Suite(.serialized) struct PinnedVersionTests {
  private func row(_ process: FixtureProcess) throws -> RevisionBuildTests.Row { try RevisionBuildTests().row(process) }

  /// If no file pins the versions of dependencies, SwiftPM keeps the versions of the last build.
  @Test func aRevisionBeforeTheFirstPinsDoesNotGetThoseOfTheLastBuild() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write(",pins", to: "Package.resolved")
    // Many users' git configuration ignores this file, so it is added by force.
    try await repository.git("add", "--force", "Package.resolved")
    try await repository.commit("pins")
    #expect(try row(try await repository.build("HEAD", "--json")).program == "first,pins")
    let state = ".build/springbench/revisions/slot/scratch/workspace-state.json"
    try repository.write("{\"object\": {\"dependencies\": []}}", to: state)
    _ = try await repository.build("HEAD", "--copy", "1")
    #expect(FileManager.default.fileExists(atPath: "\(repository.root)/\(state)"))
    #expect(try row(try await repository.build("HEAD~1", "--json")).program == "first")
    #expect(!FileManager.default.fileExists(atPath: "\(repository.root)/\(state)"))
  }

  @Test func pinsThatGitIgnoresServeEveryRevision() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write(".build/\nPackage.resolved\n", to: ".gitignore")
    try await repository.commit("ignores pins")
    try repository.write(",pins 1", to: "Package.resolved")
    #expect(try row(try await repository.build("HEAD", "--json")).program == "first,pins 1")
    try repository.write(",pins 2", to: "Package.resolved")
    #expect(try row(try await repository.build("HEAD", "--json")).program == "first,pins 2")
  }

  @Test func theVersionsOfTheFirstBuildServeEveryRevision() async throws {
    let repository = try await ThrowawayRepository()
    let newest = repository.base + "/newest"
    try repository.write(".build/\nPackage.resolved\n", to: ".gitignore")
    try repository.write("[ -e Package.resolved ] || cp \(newest) Package.resolved", to: "script.sh")
    try await repository.commit("resolves")
    try repository.write("// swift-tools-version: 6.1\n// other\n", to: "Package.swift")
    try repository.write("second", to: "source.txt")
    try await repository.commit("another manifest")
    try repository.write(",1", to: "../newest")
    #expect(try row(try await repository.build("HEAD~1", "--json")).program == "first,1")
    try repository.write(",2", to: "../newest")
    #expect(try row(try await repository.build("HEAD", "--json")).program == "second,1")
    #expect(try row(try await repository.build("HEAD~1", "--json")).isCached)
    let clean = try await FixtureProcess.run(["clean"], in: repository.root)
    #expect(clean.status == 0, "\(clean.error)")
    #expect(try row(try await repository.build("HEAD~1", "--json")).program == "first,2")
  }

  /// The script chooses versions as SwiftPM does, if those in `Package.resolved` do not fit.
  @Test func revisionsWithTheSameRequirementsGetTheSameVersions() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write(".build/\nPackage.resolved\n", to: ".gitignore")
    func commit(_ requirement: String, _ text: String, _ versions: String...) async throws {
      try repository.write(
        "// swift-tools-version: 6.1\n// .package(\(requirement))\n// \(text)\n", to: "Package.swift")
      let pins = versions.map { #"{"identity": "\#($0.prefix(1))", "state": "\#($0.dropFirst())"}"# }
      try repository.write(
        "grep -q fits:\(requirement) Package.resolved 2>/dev/null || "
          + "echo '{\"note\": \"fits:\(requirement)\", \"pins\": [\(pins.joined(separator: ","))]}' > Package.resolved",
        to: "script.sh")
      try await repository.commit(text)
    }
    func versions(_ revision: String) async throws -> String {
      let program = try row(try await repository.build(revision, "--json")).program
      return program.matches(of: /identity": ?"(.)", ?"state": ?"(.)"/).map { "\($0.1)\($0.2)" }.joined(separator: ",")
    }
    try await commit("1", "first", "a1")
    try await commit("2", "merged", "a2", "b1")
    try await commit("2", "later", "a3", "b2")
    try await commit("1", "of an old branch", "a9")
    var found: [String] = []
    for revision in ["HEAD~3", "HEAD~2", "HEAD~1", "HEAD"] { found.append(try await versions(revision)) }
    #expect(found == ["a1", "a2,b1", "a2,b1", "a1"])
    #expect(try row(try await repository.build("HEAD~3", "--json")).isCached)
  }

  @Test func aKeptVersionThatNoLongerFitsIsReplaced() throws {
    func pins(_ names: String...) -> Data {
      let pins = names.map { #"{"identity": "\#($0.prefix(1))", "state": {"version": "\#($0.dropFirst())"}}"# }
      return Data(#"{"pins": [\#(pins.joined(separator: ", "))]}"#.utf8)
    }
    #expect(try WorkspaceState.pins(pins("a1", "b1"), replacedBy: pins("b1")) == pins("a1", "b1"))
    let text = String(decoding: try WorkspaceState.pins(pins("a1", "c1"), replacedBy: pins("a2", "b1")), as: UTF8.self)
    #expect(text.matches(of: /"version" : "(.)"/).map { String($0.1) } == ["2", "1", "1"], "\(text)")
    #expect(text.matches(of: /"identity" : "(.)"/).map { String($0.1) } == ["a", "b", "c"])
  }

  @Test func pinsThatGitIgnoresAreNamedIfTheManifestNamesTheirPackage() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write(".build/\nPackage.resolved\n", to: ".gitignore")
    try repository.write("// swift-tools-version: 6.1\n// url: \"file:///Collections\"\n", to: "Package.swift")
    try await repository.commit("depends on collections")
    let pins = #"{"pins": [{"identity": "springbench"}, {"identity": "collections"}, {"identity": "inner"}]}"#
    try repository.write(pins, to: "Package.resolved")
    let built = try await repository.build("HEAD")
    let note = "git does not track Package.resolved, so revisions that allow it use the same version of collections"
    #expect(built.error.contains(note), "\(built.error)")
    try repository.write("// swift-tools-version: 6.1\n", to: "Package.swift")
    try await repository.commit("depends on nothing")
    #expect(!(try await repository.build("HEAD").error.contains("Package.resolved")))
  }
}
