import Foundation
import Testing
import Yams

@testable import Builds
@testable import Execution
@testable import Platform
@testable import Program

/// Runs the steps of a recipe (a CI file of docs/ci) in a checkout. springbench is installed, and a fake `swift` copies
/// a finished program instead of building one.
///
/// Steps with `uses` are skipped, because only the CI service can run them.
final class RecipeJob {
  private let folder: TemporaryFolder
  /// The folder in which the steps run.
  var checkout: String { "\(folder.path)/checkout" }
  /// The folder in which springbench is installed.
  var home: String { "\(folder.path)/springbench" }
  private let sizes: String
  private let isContained: Bool

  /// - Parameters:
  ///   - build: Name of the `FixtureBuild` of the base branch.
  ///   - sizes: Sizes of the suite's only scenario.
  ///   - isContained: Whether the steps run under a filter that refuses the same system calls as a container.
  init(base build: String = "plain", sizes: [Int] = [200], isContained: Bool = false) async throws {
    folder = try TemporaryFolder()
    self.sizes = sizes.map(String.init).joined(separator: ",")
    self.isContained = isContained
    try SystemCallFilter.container.write(to: URL(fileURLWithPath: folder.path + "/filter"))
    try Data().write(to: URL(fileURLWithPath: folder.path + "/summary.md"))
    for name in ["plain", "slow", "allocating", "moved400"] { _ = try FixtureProcess.rebuilt(name, in: folder) }
    try tool("swift", Self.swift)
    try tool("swiftc", "#!/bin/sh\necho {}\n")
    try tool("apt-get", "#!/bin/sh\n")
    try tool("sbatch", Self.sbatch)
    try tool("springbench", try Self.springbench)
    try FileManager.default.createDirectory(atPath: home + "/bin", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: home + "/bin/springbench", withDestinationPath: folder.path + "/tools/springbench")
    // Recipes install springbench unless this file has the commit that they name.
    try FileManager.default.createDirectory(atPath: home + "/share/springbench", withIntermediateDirectories: true)
    try "HEAD\n".write(toFile: home + "/share/springbench/commit", atomically: true, encoding: .utf8)
    try await shell("git init --quiet --bare --initial-branch=main origin.git", in: folder.path)
    try await shell(
      "git clone --quiet origin.git checkout 2>/dev/null; git -C checkout switch --quiet -c main", in: folder.path)
    try write(".build*\n", to: ".gitignore")
    try write("// swift-tools-version: 6.1\n", to: "Package.swift")
    try write(
      "budgets:\n  - ids: rebuilt/mine/*\n    limits:\n      allocationCount.max: 1000\n", to: "springbench.yml")
    try await commit(build: build, push: "main")
  }

  /// Commits a change after which the fake `swift` builds the `FixtureBuild` of this name.
  func commit(build: String, push branch: String? = nil) async throws {
    try write(build, to: "source.txt")
    try await shell("git add --all && git commit --quiet -m \(build)", in: checkout)
    if let branch { try await shell("git push --quiet origin HEAD:\(branch)", in: checkout) }
  }

  /// Creates a repository in which `make install` works.
  /// - Returns: The path of the repository.
  func pretendSource() async throws -> String {
    try await shell(
      """
      git init --quiet source && cd source
      printf 'install:\\n\\t@echo to $(PREFIX)\\n' >Makefile
      git add --all && git commit --quiet -m all
      """, in: folder.path)
    return "\(folder.path)/source"
  }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: "\(checkout)/\(name)", atomically: true, encoding: .utf8)
  }

  func text(_ name: String) throws -> String { try String(contentsOfFile: "\(checkout)/\(name)", encoding: .utf8) }

  /// Runs the steps of a GitHub job one after another, like GitHub's runner. After a failure, only steps with the
  /// condition `always()` run.
  ///
  /// - Parameter place: The folder of the checkout. If nil, it is `checkout`.
  /// - Returns: The exit status of the first step that failed, 0 if none did, and the output of all steps.
  func runGitHub(_ recipe: Node, job name: String, environment: [String: String], in place: String? = nil) async throws
    -> FixtureProcess
  {
    let job = try #require(recipe["jobs"]?[name])
    let steps = try #require(job["steps"]?.sequence)
    var whole = FixtureProcess(status: 0, output: "", error: "")
    for step in steps {
      guard let script = step["run"]?.string, whole.status == 0 || step["if"]?.string == "always()" else { continue }
      var variables: [String: String] = [:]
      for scope in [recipe, job, step] {
        for (name, value) in scope["env"]?.mapping ?? [:] {
          variables[name.string ?? ""] = Self.filled(value.string ?? "", environment)
        }
      }
      let process = try await run(
        script, environment: variables.merging(environment) { $1 }, shell: Self.gitHubShell(step, of: job), in: place)
      whole.output += process.output
      whole.error += process.error
      if whole.status == 0 { whole.status = process.status }
    }
    return whole
  }

  /// Returns the shell that GitHub chooses for a step: the one that the recipe names, or else sh in a container and
  /// bash without `pipefail` elsewhere.
  static func gitHubShell(_ step: Node, of job: Node) -> [String] {
    switch (step["shell"] ?? job["defaults"]?["run"]?["shell"])?.string {
    case let name?: name == "bash" ? bash : [name, "-e"]
    case nil: job["container"] == nil ? ["bash", "-e"] : ["sh", "-e"]
    }
  }

  private static let bash = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail"]

  /// Runs the script of a GitLab job, with the variables and the `before_script` of the job that it extends.
  func runGitLab(_ recipe: Node, job: String, environment: [String: String]) async throws -> FixtureProcess {
    let base = recipe[job]?["extends"]?.string.flatMap { recipe[$0] }
    let before = (recipe[job]?["before_script"] ?? base?["before_script"])?.sequence?.compactMap(\.string) ?? []
    let script = try #require(recipe[job]?["script"]?.sequence).compactMap(\.string)
    var variables: [String: String] = [:]
    for scope in [base, recipe[job]] {
      for (name, value) in scope?["variables"]?.mapping ?? [:] { variables[name.string ?? ""] = value.string }
    }
    return try await run((before + script).joined(separator: "\n"), environment: variables.merging(environment) { $1 })
  }

  /// Runs the script of a Kubernetes job, whose pods have only one container.
  func runKubernetes(_ manifest: String, job name: String, environment: [String: String]) async throws -> FixtureProcess
  {
    let jobs = try Array(Yams.compose_all(yaml: manifest))
    let job = try #require(jobs.first { $0["metadata"]?["name"]?.string == name })
    let container = try #require(job["spec"]?["template"]?["spec"]?["containers"]?.sequence?.first)
    let script = try #require(container["args"]?.sequence?.first?.string)
    var variables: [String: String] = [:]
    for variable in container["env"]?.sequence ?? [] {
      variables[variable["name"]?.string ?? ""] = variable["value"]?.string
    }
    return try await run(
      script.replacing("/shared", with: folder.path + "/shared"), environment: variables.merging(environment) { $1 },
      shell: ["bash", "-euo", "pipefail"])
  }

  /// Runs the command of a crontab's first entry.
  func runCron(_ crontab: String) async throws -> FixtureProcess {
    let line = try #require(crontab.split(separator: "\n").first { $0.contains(" * * * ") })
    let command = String(line.split(separator: " ", maxSplits: 5)[5]).replacing("/srv/engine", with: checkout)
      .replacing("/usr/local", with: home)
    return try await run(command, shell: ["sh"], in: folder.path)
  }

  func run(_ script: String, environment: [String: String] = [:], shell: [String] = bash, in place: String? = nil)
    async throws -> FixtureProcess
  {
    var environment = environment
    environment["PATH"] = "\(folder.path)/tools:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
    environment["FIXTURE_BUILDS"] = folder.path
    environment["FIXTURE_ONLY_REBUILT"] = sizes
    environment["SPRINGBENCH_PASS_ENVIRONMENT"] = "FIXTURE_BUILDS,FIXTURE_ONLY_REBUILT"
    environment["SPRINGBENCH_HOME"] = home
    environment["HOME"] = folder.path
    environment.merge(Self.identity) { $1 }
    var command = shell + ["-c", "cd \"$0\"; \(script)", place ?? checkout]
    if isContained {
      let inside = "exec bwrap --dev-bind / / --seccomp 9 -- \"$@\" 9<\"$0\""
      command = ["bash", "-c", inside, folder.path + "/filter"] + command
    }
    let process = ChildProcess(
      executable: command[0], arguments: Array(command.dropFirst()), environment: environment, timeout: hangLimit)
    let end = try await process.run(input: Data())
    var status: Int32?
    if case .exited(let code) = end.status { status = code }
    return FixtureProcess(status: status, output: String(decoding: end.output, as: UTF8.self), error: end.errorTail)
  }

  /// Adds a program that takes precedence over programs of the same name on the machine.
  func tool(_ name: String, _ script: String) throws {
    let path = "\(folder.path)/tools/\(name)"
    try FileManager.default.createDirectory(atPath: folder.path + "/tools", withIntermediateDirectories: true)
    try script.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// Inserts the value of the expression `${{ github.base_ref }}`.
  private static func filled(_ text: String, _ environment: [String: String]) -> String {
    text.replacing(#/\$\{\{ github\.base_ref \}\}/#, with: environment["GITHUB_BASE_REF"] ?? "")
  }

  private func shell(_ script: String, in folder: String) async throws {
    let process = ChildProcess(
      executable: "bash", arguments: ["-ec", "cd \"$0\"; \(script)", folder], environment: Self.identity,
      timeout: hangLimit)
    let end = try await process.run(input: Data())
    try #require(end.isSuccess, "\(script): \(end.errorTail)")
  }

  /// The identity of the author of all commits.
  private static let identity = [
    "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@localhost", "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@localhost",
  ]

  /// A script that runs springbench with shorter measurements than a recipe requests. They suffice, because the builds
  /// of `SuiteFixture` differ by a lot.
  private static var springbench: String {
    get throws {
      """
      #!/bin/sh
      case "$1 $*" in
        compare* | gate*--baseline*) set -- "$@" --seconds 1 --frames 60 ;;
        run* | nightly*) set -- "$@" --runs 4 --frames 60 ;;
      esac
      exec '\(try FixtureProcess.springbench)' "$@"
      """
    }
  }

  /// A fake `sbatch`, which runs jobs immediately. It can leave out one task of an array, as if a node had died.
  private static let sbatch = """
    #!/bin/bash
    for word in "$@"; do
      case $word in
        --array=*) array=${word##*-} ;;
        --output=*) output=${word#*=} ;;
      esac
    done
    if [[ -z ${array-} ]]; then
      bash "${!#}" >"$output" 2>&1
      status=$?
      echo "$status" >>"${output%/*}/statuses"
      echo 1
      if [[ " $* " == *" --wait "* ]]; then exit "$status"; fi
      exit 0
    fi
    export SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=$array SLURM_ARRAY_TASK_COUNT=$array SLURM_ARRAY_TASK_STEP=1
    grep -q '[^0]' "${output%/*}/statuses" || for ((SLURM_ARRAY_TASK_ID = 1; SLURM_ARRAY_TASK_ID <= array; SLURM_ARRAY_TASK_ID++)); do
      export SLURM_ARRAY_TASK_ID
      if [[ $SLURM_ARRAY_TASK_ID != "${FIXTURE_DEAD_TASK-}" ]]; then bash "${!#}" >"${output//%a/$SLURM_ARRAY_TASK_ID}" 2>&1; fi
    done
    echo 2
    """

  private static let swift = """
    #!/bin/sh
    if [ "$1" = --version ]; then echo "Swift version 9.9 (pretended)"; exit 0; fi
    case " $* " in *" dump-package "*)
      echo '{"name": "mine", "products": [], "targets": [{"name": "mine", "type": "executable",
        "dependencies": [{"product": ["FrameBench", "springbench", null, null]}]}]}'
      exit 0 ;;
    esac
    package=$PWD
    while [ $# -gt 0 ]; do
      case "$1" in
        --package-path) package=$2; shift ;;
        --scratch-path) scratch=$2; shift ;;
        --product) product=$2; shift ;;
        --show-bin-path) shows=yes ;;
      esac
      shift
    done
    scratch=${scratch:-$package/.build}
    if [ -n "$shows" ]; then echo "$scratch/release"; exit 0; fi
    mkdir -p "$scratch/release"
    cp "$FIXTURE_BUILDS/$(cat "$package/source.txt")" "$scratch/release/$product"
    """
}
