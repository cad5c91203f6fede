import Foundation
import Testing

@testable import Builds
@testable import Platform

/// Tests that files and links that a build leaves behind neither lead springbench to other folders nor reach the build
/// of another revision.
@Suite struct SlotTrustTests {
  private static func slot(_ repository: ThrowawayRepository) -> String {
    "\(repository.root)/.build/springbench/revisions/slot"
  }

  /// The build replaces its checkout with a symbolic link. If it also kills springbench, the next command clears up.
  @Test(arguments: [false, true]) func aCheckoutThatBecameALinkIsNotFollowed(endsSpringbench: Bool) async throws {
    let repository = try await ThrowawayRepository()
    let checkout = Self.slot(repository) + "/checkout"
    let ending = "kill -KILL $(cut -d ' ' -f 4 /proc/$PPID/stat); sleep 600"
    // The checkout's path in the slot ends with the last four folders of `root`, so the link to `top` leads to `root`.
    let top = "/" + repository.root.split(separator: "/").dropLast(4).joined(separator: "/")
    try repository.write(
      "mv \(checkout) \(checkout)-gone; ln -s \(top) \(checkout); \(endsSpringbench ? ending : "")", to: "script.sh")
    try await repository.commit("a script")
    try await repository.git("rm", "--quiet", "script.sh")
    try await repository.commit("no script")
    try repository.write("mine", to: "untracked.txt")
    let before = try await repository.userState()
    let built = try await repository.build("HEAD~1")
    #expect(built.status == (endsSpringbench ? nil : 1))
    if !endsSpringbench {
      #expect(built.error.contains("put a link to \(repository.root) in place of \(checkout)"), "\(built.error)")
    }
    let next = try await repository.build("HEAD")
    #expect(next.status == 0, "\(next.error)")
    #expect(FileManager.default.contents(atPath: repository.root + "/untracked.txt") == Data("mine".utf8))
    #expect(try await repository.userState() == before && repository.leftovers.isEmpty)
  }

  @Test func aBuildFolderThatBecameALinkIsNotWrittenTo() async throws {
    let repository = try await ThrowawayRepository()
    let scratch = Self.slot(repository) + "/scratch"
    let theirs = repository.base + "/theirs"
    try repository.write(
      "mkdir -p \(theirs)/release; mv \(scratch) \(scratch)-gone; ln -s \(theirs) \(scratch)", to: "script.sh")
    try await repository.commit("a script")
    let built = try await repository.build("HEAD")
    #expect(
      built.status == 1 && built.error.contains("put a link to \(theirs) in place of \(scratch)"), "\(built.error)")
    #expect(!Paths.names(in: theirs).contains { $0.hasPrefix("surroundings") || $0.hasPrefix("springbench") })
  }

  @Test func aProductThatIsALinkIsNotStored() async throws {
    let repository = try await ThrowawayRepository()
    let product = Self.slot(repository) + "/scratch/release/tiny"
    try repository.write(
      "mkdir -p \(Paths.parent(product)); ln -s \(repository.base)/theirs \(product)", to: "script.sh")
    try await repository.commit("a script")
    let built = try await repository.build("HEAD")
    #expect(built.status == 1)
    #expect(built.error == "springbench: error: the product tiny is no regular file; let SwiftPM link it\n")
    #expect(repository.leftovers.isEmpty)
  }

  /// Compilers refuse modules that they cached in a folder that was moved or copied.
  @Test func whatWasCompiledInAnotherPlaceIsNotReused() async throws {
    let repository = try await ThrowawayRepository()
    #expect(try await repository.build("HEAD").status == 0)
    let cached = Self.slot(repository) + "/scratch/ModuleCache"
    try Data().write(to: URL(fileURLWithPath: cached))
    #expect(try await repository.build("HEAD", "--copy", "1").status == 0)
    #expect(FileManager.default.fileExists(atPath: cached))
    let moved = repository.base + "/moved"
    try FileManager.default.moveItem(atPath: repository.root, toPath: moved)
    #expect(try await repository.build("HEAD", "--copy", "2", package: moved).status == 0)
    #expect(!FileManager.default.fileExists(atPath: cached.replacing(repository.root, with: moved)))
  }

  @Test func aPipeInAResourceBundleIsNotWaitedFor() async throws {
    let repository = try await ThrowawayRepository()
    let bundle = Self.slot(repository) + "/scratch/release/tiny.bundle"
    try repository.write("mkdir -p \(bundle); mkfifo \(bundle)/pipe", to: "script.sh")
    try await repository.commit("a script")
    let built = try await repository.build("HEAD")
    let words = "tiny.bundle next to tiny holds a pipe or a socket; let the build remove it"
    #expect(built.status == 1 && built.error == "springbench: error: \(words)\n")
  }

  @Test(.enabled(if: RevisionTrustTests.hasSandbox, "bubblewrap is not installed, or not allowed here"))
  func inTheSandboxABuildFindsNothingThatAnotherLeft() async throws {
    let repository = try await ThrowawayRepository()
    let (slot, home) = (Self.slot(repository), try TemporaryFolder())
    try repository.write(
      """
      for folder in $HOME \(slot) \(slot)/scratch /sandbox; do
        [ -e $folder/left ] && echo found in $folder
        touch $folder/left 2>&1 && echo left in $folder
      done
      [ $HOME = \(home.path) ] || (
        setsid env -i PATH=$PATH sh -c 'for i in $(seq 500); do touch \(slot)/left; sleep 0.01; done' &
      ) > /dev/null 2>&1
      echo end
      """, to: "script.sh")
    try repository.write("// swift-tools-version: 6.1\n// benchmarks one\n// benchmarks two\n", to: "Package.swift")
    try await repository.commit("two programs")
    #expect(try await repository.build("HEAD", "--copy", "1", environment: ["HOME": home.path]).status == 0)
    #expect(FileManager.default.fileExists(atPath: slot + "/left") && home.contents == ["left"])
    let built = try await repository.run(["build-revision", "HEAD", "--sandbox"], product: nil)
    #expect(built.status == 0, "\(built.error)")
    let builds = "\(repository.root)/.build/springbench/revisions/builds"
    for product in ["one", "two"] {
      let paths = Paths.names(in: builds).map { "\(builds)/\($0)/\(product)" }.filter { Paths.kind($0) == S_IFREG }
      let said = try String(contentsOfFile: try #require(paths.first), encoding: .utf8)
      #expect(said.contains("end\n") && said.contains("left in \(slot)/scratch\n"), "\(said)")
      #expect(!said.contains("left in /sandbox\n"), "\(said)")
      #expect(!said.contains("found"), "\(said)")
    }
    #expect(Paths.names(in: slot) == ["checkout"])
  }

  /// A program may use the path of its source file to open a file next to it.
  @Test func theFolderInWhichARevisionWasBuiltLeadsToTheWorkingTreeAfterwards() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("pwd > place.txt; cat place.txt", to: "script.sh")
    unlink(repository.root + "/source.txt")
    try await repository.commit("a script")
    for step in ["built", "stored", "stored without the slot"] {
      if step == "stored without the slot" { try FileManager.default.removeItem(atPath: Self.slot(repository)) }
      let built = try await repository.build("HEAD")
      let program = try String(contentsOfFile: built.output.trimmingCharacters(in: .newlines), encoding: .utf8)
      let place = program.trimmingCharacters(in: .newlines)
      #expect(place.hasPrefix(Self.slot(repository)) && Paths.real(place) == repository.root, "\(step): \(place)")
    }
    try repository.write("mine", to: "untracked.txt")
    #expect(try await repository.build("--copy", "1").status == 0)
    let clean = try await FixtureProcess.run(["clean"], in: repository.root)
    #expect(clean.status == 0 && Paths.mode(Self.slot(repository)) == nil, "\(clean.error)")
    #expect(FileManager.default.contents(atPath: repository.root + "/untracked.txt") == Data("mine".utf8))
  }
}
