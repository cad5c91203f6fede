import Foundation
import Testing

@testable import Builds
@testable import Platform
@testable import Program

/// Tests what other people's revisions can read and change on the machine that builds them.
@Suite struct RevisionTrustTests {
  @Test func secretsReachABuildOnlyWhereTheUserListsThem() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("// swift-tools-version: 6.1\n// name: \"SECRET_TOKEN\"\n", to: "Package.swift")
    // Git treats the manifest as a binary file.
    try repository.write("Package.swift -diff\n", to: ".gitattributes")
    try await repository.commit("a manifest that asks for a secret")
    let secret = ["SECRET_TOKEN": "hush", "LC_TIME": "C", "name": "other"]
    let built = try await repository.build("HEAD", environment: secret)
    #expect(built.status == 0, "\(built.error)")
    #expect(
      built.error.contains(
        "the manifest seems to read SECRET_TOKEN, which is withheld from builds;"
          + " SPRINGBENCH_PASS_ENVIRONMENT=SECRET_TOKEN passes it on"), "\(built.error)")
    #expect(!repository.buildEnvironment.contains("hush"))
    #expect(repository.buildEnvironment.contains("LC_TIME=C\n"))

    let listed = try await repository.build("HEAD", environment: secret, passing: ["SECRET_TOKEN"])
    #expect(listed.status == 0 && !listed.error.contains("SECRET_TOKEN"), "\(listed.error)")
    #expect(repository.buildEnvironment.contains("SECRET_TOKEN=hush\n"))
  }

  @Test func whatIsWithheldIsNamedForCachedBuildsForThoseInPlaceAndWhereNothingIsBuilt() async throws {
    let repository = try await ThrowawayRepository()
    let manifest = "// swift-tools-version: 6.1\n// name: \"SECRET_TOKEN\"\n"
    try repository.write(manifest + "// benchmarks tiny\n", to: "Package.swift")
    try repository.write("#!/bin/sh\nexec '\(try FixtureProcess.path)' \"$@\"\n", to: "source.txt")
    try await repository.commit("a manifest that asks for a secret")
    let first = try await repository.build("HEAD")
    #expect(first.status == 0 && !first.error.contains("SECRET_TOKEN"), "\(first.error)")
    let secret = ["SECRET_TOKEN": "hush"]
    let cached = try await repository.build("HEAD", environment: secret)
    let inPlace = try await repository.run(["list"], environment: secret)
    try repository.write(manifest + "// https://example.org/google/swift-benchmark\n", to: "Package.swift")
    let nothing = try await repository.run(["list"], product: nil, environment: secret)
    for process in [cached, inPlace, nothing] {
      #expect(process.error.contains("SPRINGBENCH_PASS_ENVIRONMENT=SECRET_TOKEN passes it on"), "\(process.error)")
    }
    #expect([cached, inPlace, nothing].map(\.status) == [0, 0, 64])
    #expect(nothing.error.contains("suites for swift-benchmark have to be rewritten"), "\(nothing.error)")
  }

  @Test func onlyWhatBuildingTakesIsInherited() {
    let all = [
      "PATH": "/bin", "CC": "clang", "LC_ALL": "C", "SPRINGBENCH_MACHINE": "here", "GITHUB_TOKEN": "a",
      "AWS_SECRET_ACCESS_KEY": "b", "SSH_AUTH_SOCK": "c", "DATA": "d",
    ]
    #expect(Set(InheritedEnvironment.reduced(all).keys) == ["PATH", "CC", "LC_ALL", "SPRINGBENCH_MACHINE"])
    let passing = all.merging(["SPRINGBENCH_PASS_ENVIRONMENT": "DATA, SSH_AUTH_SOCK,OTHER"]) { $1 }
    #expect(
      Set(InheritedEnvironment.reduced(passing).keys).subtracting(InheritedEnvironment.reduced(all).keys) == [
        "DATA", "SSH_AUTH_SOCK", "SPRINGBENCH_PASS_ENVIRONMENT",
      ])
  }

  @Test func filesThatGitDoesNotKnowLeaveNothingInTheRepository() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write("PASSWORD=hush", to: "untracked.txt")
    let before = try await repository.userState()
    let built = try await repository.build()
    #expect(built.status == 0, "\(built.error)")
    let path = built.output.trimmingCharacters(in: .newlines)
    #expect(FileManager.default.contents(atPath: path) == Data("firstPASSWORD=hush".utf8))
    #expect(try await repository.userState() == before && repository.leftovers.isEmpty)
  }

  /// Whether bubblewrap is installed and works on this system. In containers it often does not work.
  static let hasSandbox: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bwrap", "--ro-bind", "/", "/"] + Sandbox.isolation + ["true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test(.enabled(if: hasSandbox, "bubblewrap is not installed, or not allowed here"))
  func aSandboxHidesTheHomeFolderAndGuardsTheRepository() async throws {
    let repository = try await ThrowawayRepository()
    let home = try TemporaryFolder()
    try "hush".write(toFile: home.path + "/.netrc", atomically: true, encoding: .utf8)
    let hook = repository.root + "/.git/hooks/post-checkout"
    // The fake `swift` runs this script, and the output becomes the program.
    try repository.write(
      "ls -A \(home.path); echo x > \(hook); cat /usr/include/stdio.h > /dev/null && echo headers; echo end",
      to: "script.sh")
    let before = try await repository.userState()
    for isSandboxed in [true, false] {
      let built = try await repository.build(
        arguments: isSandboxed ? ["--sandbox"] : ["--copy", "1"], environment: ["HOME": home.path])
      #expect(built.status == 0, "\(built.error)")
      let path = built.output.trimmingCharacters(in: .newlines)
      let said = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
      #expect(said.contains("end\n") && said.contains(".netrc\n") != isSandboxed, "\(said)")
      #expect(said.contains("headers\n"), "every build reads the system's headers")
      #expect(FileManager.default.fileExists(atPath: hook) != isSandboxed)
    }
    #expect(try await repository.userState() == before)
  }

  /// springbench first runs `readlink` in bubblewrap's sandbox. `probe` gives the answer of a real sandbox.
  @Test(.enabled(if: Wall.isPossible, "this system has no Landlock")) func whateverEndsTheSandboxIsNamed() async throws
  {
    let probe = "case \"$*\" in *readlink*) echo 'pid:[1]'; exit;; esac;"
    for (script, words) in [
      (
        "echo 'bwrap: No permissions' >&2; exit 1",
        "bubblewrap cannot make a sandbox here; last line of stderr: bwrap: No permissions; allow user namespaces, or"
          + " leave --sandbox out and use a container as the sandbox"
      ), ("while [ $1 != -- ]; do shift; done; shift; exec \"$@\"", Self.isNone), ("exit 0", Self.isNone),
      ("\(probe) exit 137", "springbench itself ended with signal 9 (Killed) in the sandbox; WHY"),
      ("\(probe) kill -SEGV $$", "springbench itself ended with signal 11 (Segmentation fault) in the sandbox; WHY"),
    ] { try await end(inTheSandbox: script, isReportedAs: words.replacing("WHY", with: "is there enough memory?")) }
  }

  private static let isNone = "TOOLS/bwrap makes no sandbox; put bubblewrap itself on the PATH"

  private func end(inTheSandbox script: String, isReportedAs words: String) async throws {
    let repository = try await ThrowawayRepository()
    let tools = try TemporaryFolder()
    try "#!/bin/sh\n\(script)\n".write(toFile: tools.path + "/bwrap", atomically: true, encoding: .utf8)
    chmod(tools.path + "/bwrap", 0o755)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let built = try await repository.build("HEAD", "--sandbox", environment: ["PATH": "\(tools.path):\(path)"])
    #expect(built.status == 1 && built.output.isEmpty)
    #expect(built.error == "springbench: error: --sandbox: \(words.replacing("TOOLS", with: tools.path))\n")
    #expect(FileManager.default.fileExists(atPath: repository.root + "/.build") == script.contains("readlink"))
  }

  /// `place` is the folder in which the build is started. A `linked` worktree has its `.git` elsewhere. In each case,
  /// an environment variable falsely says that the build is in a sandbox already.
  @Test(
    .enabled(if: hasSandbox, "bubblewrap is not installed, or not allowed here"),
    arguments: ["home", "top", "linked", "inside"]) func aSandboxIsClosedWhereverItIsCalled(_ place: String)
    async throws
  {
    let repository = try await ThrowawayRepository()
    let home = try TemporaryFolder()
    let linked = repository.base + "/linked"
    try "hush".write(toFile: home.path + "/.netrc", atomically: true, encoding: .utf8)
    #expect(try await repository.build("HEAD", "--copy", "7").status == 0)
    let targets = [
      home.path + "/.bashrc", repository.base + "/outside", repository.root + "/.git/config", linked + "/.git",
      repository.root + "/source.txt", "\(repository.root)/.build/springbench/revisions/builds/x",
    ]
    let other = "other/.build/checkouts/dependency/.git/config"
    try repository.write("hush", to: other)
    // The folder of a repository may be elsewhere in the checkout.
    try repository.write("hush", to: "store/config")
    try repository.write("gitdir: ../store\n", to: "inner/.git")
    try repository.write(
      """
      cat \(home.path)/.netrc \(repository.root)/.git/config \(repository.root)/.build/springbench/revisions/builds/*/tiny
      cat \(repository.root)/\(other) \(repository.root)/store/config
      for file in \(targets.joined(separator: " ")); do (echo written >> $file) 2>&1 && echo written to $file; done
      (: >> /proc/sys/kernel/core_pattern) 2>/dev/null && echo written to the kernel
      cat /proc/[0-9]*/environ; ls /run /var; echo $HOME; echo end
      """, to: "script.sh")
    try await repository.commit("a script")
    try await repository.git("worktree", "add", "--quiet", "--detach", linked)
    let folder = ["home": home.path, "top": "/", "linked": linked, "inside": repository.root + "/.build"][place]
    let contents = targets.map { FileManager.default.contents(atPath: $0) }
    let built = try await repository.build(
      arguments: ["--sandbox"], package: place == "linked" ? linked : repository.root,
      environment: [
        "HOME": home.path, "SECRET_TOKEN": "hush-hush", "SPRINGBENCH_SANDBOX": "1", "http_proxy": "http://hush@proxy:1",
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "http.extraHeader", "GIT_CONFIG_VALUE_0": "hush",
      ], in: folder)
    #expect(built.status == 0, "\(built.error)")
    let path = built.output.trimmingCharacters(in: .newlines)
    let said = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    #expect(said.contains("end\n") && said.contains("Permission denied"), "\(said)")
    for word in ["hush", "written to", "[core]"] { #expect(!said.contains(word), "\(said)") }
    #expect(targets.map { FileManager.default.contents(atPath: $0) } == contents)
  }

  @Test(.enabled(if: hasSandbox, "bubblewrap is not installed, or not allowed here"))
  func anOutputThatWouldBeLostWithTheSandboxIsRefused() async throws {
    let repository = try await ThrowawayRepository()
    let report = "/tmp/springbench-\(UUID()).md"
    let compared = try await repository.run(["compare", "--sandbox", "HEAD", "--report", "markdown=\(report)"])
    let problem = "--report: \"\(report)\" cannot be written (/tmp: Read-only file system)"
    #expect(compared.status == 64 && compared.error.contains(problem), "\(compared.error)")
  }

  @Test(.enabled(if: hasSandbox, "bubblewrap is not installed, or not allowed here"))
  func programsThatAreGivenByTheirPathsAreComparedInTheSandbox() async throws {
    let repository = try await ThrowawayRepository()
    let program = try FixtureProcess.path
    let compared = try await FixtureProcess.run(
      ["compare", "--sandbox", "--filter", "nosuchthing", "--program", program, program], in: repository.root)
    #expect(compared.status == 64 && compared.error.contains("nothing matched"), "\(compared.error)")
    #expect(repository.buildCount == 0)
  }

  @Test(.enabled(if: hasSandbox, "bubblewrap is not installed, or not allowed here"))
  func theSandboxHoldsTheSummaryOfTheJobAndHidesItFromTheCode() async throws {
    let repository = try await ThrowawayRepository()
    let folder = try TemporaryFolder()
    let summary = folder.path + "/summary.md"
    try "hush".write(toFile: summary, atomically: true, encoding: .utf8)
    let job = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary]
    let compared = try await repository.run(["compare", "--sandbox", "nowhere"], environment: job)
    #expect(!compared.error.contains("SUMMARY") && compared.error.contains("nowhere"), "\(compared.error)")
    try repository.write("cat \(summary); echo written >> \(summary); echo end", to: "script.sh")
    let built = try await repository.build(arguments: ["--sandbox"], environment: job)
    #expect(built.status == 0, "\(built.error)")
    let path = built.output.trimmingCharacters(in: .newlines)
    let said = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    #expect(said.contains("end\n") && !said.contains("hush"), "\(said)")
    #expect(try String(contentsOfFile: summary, encoding: .utf8) == "hush")
  }

  /// The usual layout is a library, and a package of benchmarks in the folder `Benchmarks` of the library. Code of the
  /// one must not write to the build folder of the other.
  @Test(.enabled(if: hasSandbox, "bubblewrap is not installed, or not allowed here"))
  func aSandboxAtTheTopBuildsTheBenchmarksBelow() async throws {
    let repository = try await ThrowawayRepository()
    let slots = ["", "/Benchmarks"].map { "\(repository.root)\($0)/.build/springbench/revisions/slot" }
    try repository.write(
      "// swift-tools-version: 6.1\n// benchmarks tiny\n// .package(path: \"../../beside\")\n",
      to: "Benchmarks/Package.swift")
    try repository.write("text", to: "../beside/Package.swift")
    let touched = slots.map { "touch \($0)/left && echo left in \($0);" }.joined(separator: " ")
    try repository.write("\(touched) cat \(repository.base)/beside/Package.swift", to: "Benchmarks/script.sh")
    try await repository.commit("a package of benchmarks")
    try Paths.makeFolder(slots[0])
    let built = try await repository.run(["build-revision", "--sandbox"], product: nil, in: repository.root)
    #expect(built.status == 0, "\(built.error)")
    let path = built.output.trimmingCharacters(in: .newlines)
    let said = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    #expect(said.contains("left in \(slots[1])\n") && !said.contains("left in \(slots[0])\n"), "\(said)")
    #expect(said.contains("text"), "\(said)")
  }

  @Test(.enabled(if: hasSandbox, "bubblewrap is not installed, or not allowed here"))
  func aBuildFolderThatACommitChoseIsNotMounted() async throws {
    let repository = try await ThrowawayRepository()
    let folder = try TemporaryFolder()
    try repository.write("ls -A \(folder.path); echo x > \(folder.path)/planted", to: "script.sh")
    let build = repository.root + "/.build"
    func expect(_ problem: String) async throws {
      let built = try await repository.build("--sandbox")
      #expect(built.status == 64 && built.error.contains("--sandbox: \(problem)"), "\(built.error)")
    }
    try FileManager.default.createSymbolicLink(atPath: build, withDestinationPath: folder.path)
    try await repository.git("add", "--force", ".build")
    try await expect("git tracks \(build), to which springbench writes")
    try await repository.git("rm", "--quiet", "--force", ".build")
    // A link that the user made is followed, unless it leads to the folder of all temporary files.
    let wide = try #require(Paths.real(NSTemporaryDirectory()))
    try FileManager.default.createSymbolicLink(atPath: build, withDestinationPath: wide)
    try await expect("\(wide) holds a home folder or a folder for temporary files")
    #expect(folder.contents.isEmpty)
  }

  @Test(.enabled(if: hasSandbox, "bubblewrap is not installed, or not allowed here"))
  func aBuildThatEndsTheSandboxLeavesNothingForTheNext() async throws {
    let repository = try await ThrowawayRepository()
    let planted = repository.root + "/.build/springbench/revisions/slot/planted"
    try repository.write(
      """
      cd \(Paths.parent(planted)) && rm -f in-use && touch planted
      sleep 600
      """, to: "script.sh")
    try await repository.commit("a script")
    // Kills springbench in the sandbox, which is the child of bubblewrap.
    let killing = """
      while ! test -e \(planted); do sleep 0.1; done
      for process in /proc/[0-9]*; do
        parent=$(cut -d ' ' -f 4 $process/stat)
        grep -qx springbench $process/comm && grep -q \(repository.root) $process/cmdline && \
          grep -qx bwrap /proc/$parent/comm && kill -9 ${process#/proc/}
      done
      """
    let killer = ChildProcess(executable: "/bin/sh", arguments: ["-c", killing], timeout: .seconds(300))
    async let killed = killer.run { error in error }
    let ended = try await repository.build(arguments: ["HEAD", "--sandbox"])
    _ = try await killed
    #expect(ended.status == 1 && ended.error.contains("signal 9 (Killed) in the sandbox"), "\(ended.error)")
    try #require(FileManager.default.fileExists(atPath: planted), "the script did not run")
    let next = try await repository.build("HEAD~1")
    #expect(next.status == 0, "\(next.error)")
    #expect(!FileManager.default.fileExists(atPath: planted))
  }

  /// Whether Landlock can deny signals here.
  private static let canDenySignals = ProcessInfo.processInfo.isOperatingSystemAtLeast(
    OperatingSystemVersion(majorVersion: 6, minorVersion: 12, patchVersion: 0))

  @Test(.enabled(if: hasSandbox && canDenySignals, "bubblewrap is not allowed here, or Linux is older than 6.12"))
  func codeInTheSandboxCannotStopSpringbench() async throws {
    let repository = try await ThrowawayRepository()
    try repository.write(
      """
      for process in /proc/[0-9]*; do
        grep -qx springbench $process/comm && ! kill -STOP ${process#/proc/} && echo "it was refused"
      done
      """, to: "script.sh")
    try await repository.commit("a script")
    let built = try await repository.build(arguments: ["HEAD", "--sandbox"])
    let path = built.output.trimmingCharacters(in: .newlines)
    let said = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    #expect(said.contains("it was refused"), "\(said) \(built.error)")
  }
}
