import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import Platform

/// Tests which files `make install` puts next to the program, and how the program uses them.
@Suite struct InstallationTests {
  /// A repository with everything that `scripts/install` installs, and the installed files.
  private struct Installation {
    let folder: TemporaryFolder
    var prefix: String { "\(folder.path)/prefix" }
    var share: String { "\(prefix)/share" }

    init() async throws {
      folder = try TemporaryFolder()
      let build = "\(folder.path)/repository/.build/release"
      try FileManager.default.createDirectory(atPath: build, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: build + "/springbench", withDestinationPath: FixtureProcess.springbench)
      try await shell(
        """
        cp -r --parents Makefile scripts/install Packages Sources Benchmarks/{UIKit,}Scenarios '\(folder.path)/repository'
        cd '\(folder.path)/repository' && echo /.build >.gitignore
        """, in: repositoryRoot.path)
      try await commit()
    }

    func commit() async throws {
      try await shell(
        """
        git init --quiet; git add --all
        git -c user.name=t -c user.email=t@localhost commit --quiet --message=all
        """, in: "\(folder.path)/repository")
    }

    @discardableResult func shell(_ script: String, in folder: String) async throws -> String {
      let process = ChildProcess(
        executable: "bash", arguments: ["-euc", "cd \"$0\"; \(script)", folder],
        environment: ["GITHUB_ACTIONS": "true"], timeout: hangLimit)
      let end = try await process.run(input: Data())
      try #require(end.isSuccess, "\(script): \(end.errorTail)")
      return end.text
    }

    func install(_ repository: String = "repository") async throws -> String {
      try await shell("scripts/install '\(prefix)'", in: "\(folder.path)/\(repository)")
    }

    /// Runs `init` and returns the manifest and the recipe that the installed program writes.
    func initialize(_ name: String) async throws -> (manifest: String, recipe: String) {
      try await shell(
        """
        mkdir \(name); echo 'class Grid: UICollectionViewFlowLayout {}' >Grid.swift
        '\(prefix)/bin/springbench' init \(name) --layout Grid.swift
        """, in: folder.path)
      return (try text("\(name)/Benchmarks/Package.swift"), try text("\(name)/.github/workflows/springbench.yml"))
    }

    func text(_ path: String) throws -> String { try String(contentsOfFile: "\(folder.path)/\(path)", encoding: .utf8) }
  }

  @Test func theLibrariesAndTheCommitAreBesideTheProgram() async throws {
    let installation = try await Installation()
    let said = try await installation.install()
    #expect(said.contains("\(installation.prefix)/bin/springbench\n"))
    let head = try await installation.shell("git rev-parse HEAD", in: installation.folder.path + "/repository")
    #expect(try installation.text("prefix/share/springbench/commit") == head + "\n")
    let library = "\(installation.share)/springbench/library"
    let files = try #require(FileManager.default.enumerator(atPath: library)?.compactMap { $0 as? String })
    #expect(files.contains("Sources/FrameBench/Suite/Suite.swift"))
    #expect(files.allSatisfy { (Paths.mode("\(library)/\($0)") ?? 0) & S_IFMT != S_IFLNK })
    for name in ["bash-completion/completions/springbench", "zsh/site-functions/_springbench"] {
      #expect(try installation.text("prefix/share/\(name)").contains("--baseline"))
    }
    #expect(try installation.text("prefix/share/fish/vendor_completions.d/springbench.fish").contains("baseline"))
    // No git remote has this commit, so the manifest names the installed library by its path.
    let own = try await installation.initialize("own")
    #expect(own.manifest.contains(".package(name: \"springbench\", path: \"\(library)\")"), "\(own.manifest)")
    #expect(own.recipe.contains("SPRINGBENCH_COMMIT: \"\(head)\" "))
  }

  @Test func aCommitThatARemoteHasIsTakenFromThere() async throws {
    let installation = try await Installation()
    let url = "file://\(installation.folder.path)/repository"
    try await installation.shell(
      """
      git clone --quiet '\(url)' clone; cp -r repository/.build clone
      git -C clone remote set-url origin 'https://me:secret@example.org/springbench.git'
      """, in: installation.folder.path)
    _ = try await installation.install("clone")
    let head = try installation.text("prefix/share/springbench/commit").prefix(40)
    let made = try await installation.initialize("cloned")
    #expect(
      made.manifest.contains(".package(url: \"https://example.org/springbench.git\", revision: \"\(head)\")"),
      "\(made.manifest)")
    #expect(made.manifest.contains(".product(name: \"FrameBench\", package: \"springbench\")"))
    #expect(made.recipe.contains("SPRINGBENCH_SOURCE: \"https://example.org/springbench.git\"\n"))
    #expect(made.recipe.contains("SPRINGBENCH_COMMIT: \"\(head)\" "))
  }

  @Test func aChangedCheckoutHasNoCommit() async throws {
    let installation = try await Installation()
    try await installation.shell("echo >>Makefile", in: installation.folder.path + "/repository")
    _ = try await installation.install()
    #expect(!FileManager.default.fileExists(atPath: installation.share + "/springbench/commit"))
    let made = try await installation.initialize("changed")
    #expect(made.manifest.contains("\(installation.share)/springbench/library"))
    #expect(made.recipe.contains("SPRINGBENCH_COMMIT: \"HEAD\" "))
  }

  /// If the targets differed, a package that builds with the repository might not build with the installed library.
  @Test func theLibrariesAreTheTargetsOfThePackageInTheRoot() async throws {
    let scratch = try TemporaryFolder()
    func description(_ path: String) async throws -> [String: Any] {
      let process = ChildProcess(
        executable: "swift",
        // Uses a separate scratch folder, because `swift test` holds the lock of the default folder.
        arguments: ["package", "--package-path", path, "--scratch-path", scratch.path, "dump-package"],
        environment: ["SPRINGBENCH_SYSTEM_ALLOCATOR": nil], timeout: hangLimit)
      let end = try await process.run(input: Data())
      return try #require(try JSONSerialization.jsonObject(with: end.output) as? [String: Any])
    }
    func objects(_ package: [String: Any], _ kind: String) throws -> [String: NSDictionary] {
      let objects = try #require(package[kind] as? [[String: Any]])
      return Dictionary(
        uniqueKeysWithValues: objects.map { object in
          (object["name"] as? String ?? "", object.filter { $0.key != "path" } as NSDictionary)
        })
    }
    let root = try await description(repositoryRoot.path)
    let library = try await description(repositoryRoot.path + "/Packages/library")
    for kind in ["products", "targets"] {
      let (all, some) = (try objects(root, kind), try objects(library, kind))
      #expect(some.count > 5)
      for (name, object) in some { #expect(all[name] == object, "\(kind) \(name)") }
    }
  }
}
