import Foundation
import Testing
import Yams

@testable import FrameBench
@testable import Platform
@testable import Program

/// Tests what can be tested about the recipes in docs/ci without running them.
@Suite struct RecipeTests {
  private static let docs = repositoryRoot.appendingPathComponent("docs")

  private static let recipes = [
    "ci/github-pull-request.yml", "ci/github-nightly.yml", "ci/github-comment.yml", "ci/github-matrix.yml",
    "ci/gitlab-ci.yml", "ci/kubernetes.yml", "ci/slurm.sh", "ci/crontab",
  ]

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.docs.appendingPathComponent(name), encoding: .utf8)
  }

  @Test(arguments: recipes.filter { $0.hasSuffix(".yml") }) func aRecipeIsYAML(name: String) throws {
    let nodes = try Array(Yams.compose_all(yaml: text(name)))
    #expect(!nodes.isEmpty && nodes.allSatisfy { $0.mapping?.isEmpty == false })
  }

  @Test func jobsOfGitHubHaveStepsThatDoSomething() throws {
    for name in Self.recipes.prefix(4) {
      let root = try #require(try Yams.compose(yaml: text(name)))
      let jobs = try #require(root["jobs"]?.mapping)
      #expect(!jobs.isEmpty)
      for (_, job) in jobs {
        let steps = try #require(job["steps"]?.sequence)
        #expect(!steps.isEmpty)
        #expect(steps.allSatisfy { $0["run"]?.string != nil || $0["uses"]?.string != nil })
        #expect(job["runs-on"] != nil && job["timeout-minutes"] != nil)
        // Actions are pinned to commits, because a tag can be moved.
        #expect(
          steps.compactMap { $0["uses"]?.string }.allSatisfy { $0.wholeMatch(of: #/[\w\/-]+@[0-9a-f]{40}/#) != nil })
      }
    }
  }

  /// In GitLab's container, only folders of the project outlive the job, so the history must be in one of them.
  @Test func theNightlyJobOfGitLabKeepsItsHistoryInACacheEvenIfItFails() throws {
    let job = try #require(try Yams.compose(yaml: text("ci/gitlab-ci.yml"))?["springbench-nightly"])
    let folder = try #require(job["cache"]?["paths"]?.sequence?.first?.string)
    let script = job["script"]?.sequence?.compactMap(\.string).joined() ?? ""
    #expect(script.contains("--history \"$CI_PROJECT_DIR/\(folder)\""))
    #expect(job["cache"]?["when"]?.string == "always")
    #expect(job["cache"]?["key"]?.string?.contains("$CI_COMMIT_REF_SLUG") == true)
  }

  /// `--shard auto` needs an indexed job and the variable JOB_COMPLETIONS. `backoffLimitPerIndex` makes Kubernetes
  /// repeat a failed part.
  @Test func theJobOfKubernetesIsIndexedAndSaysHowManyPartsThereAre() throws {
    let jobs = try Array(Yams.compose_all(yaml: text("ci/kubernetes.yml")))
    #expect(
      jobs.count == 2 && jobs.allSatisfy { $0["apiVersion"]?.string == "batch/v1" && $0["kind"]?.string == "Job" })
    let spec = try #require(jobs[0]["spec"])
    #expect(spec["completionMode"]?.string == "Indexed" && spec["backoffLimitPerIndex"]?.int != nil)
    #expect(spec["parallelism"]?.int == spec["completions"]?.int)
    for job in jobs {
      let pod = try #require(job["spec"]?["template"]?["spec"])
      #expect(pod["restartPolicy"]?.string == "Never")
      let container = try #require(pod["containers"]?.sequence?.first)
      #expect(container["image"]?.string?.hasSuffix(":\(springBenchVersion)") == true)
      let variable = try #require(container["env"]?.sequence?.first)
      #expect(variable["name"]?.string == "JOB_COMPLETIONS")
      #expect(variable["value"]?.string == spec["completions"]?.scalar?.string)
    }
  }

  @Test(arguments: recipes.filter { $0.hasPrefix("ci/git") && !$0.contains("comment") })
  func aRecipeNamesACommitThatEveryRepositoryHas(name: String) throws {
    let root = try #require(try Yams.compose(yaml: text(name)))
    let variables = root["env"] ?? root[".springbench"]?["variables"]
    #expect(variables?["SPRINGBENCH_COMMIT"]?.string == "HEAD")
  }

  /// Values for the placeholders in recipes and pages.
  private static let placeholders = ["auto": "2/3", "ID": "springs/tiled/100", "FORMAT": "csv"]

  /// Tests that this program accepts every springbench command line in a recipe or a page.
  @Test func everyCommandOfARecipeAndOfAPageIsUnderstood() throws {
    let pages = Self.recipes + ["ci.md", "budgets.md", "formats.md"]
    var count = 0
    for page in pages {
      for arguments in try Self.commands(in: text(page)) {
        count += 1
        #expect(throws: Never.self, "\(page): springbench \(arguments.joined(separator: " "))") {
          _ = try RootCommand.parseAsRoot(arguments.map { Self.placeholders[$0] ?? $0 })
        }
      }
    }
    #expect(count > 10)
  }

  /// Returns the command lines of springbench in a text, split into words as in a shell. A redirection and the text
  /// after it are cut off.
  private static func commands(in text: String) -> [[String]] {
    let joined = text.replacingOccurrences(of: "\\\n", with: " ").replacingOccurrences(
      of: "bin/springbench\" ", with: "bin/springbench ")
    return joined.split(separator: "\n").flatMap { line -> [[String]] in
      line.components(separatedBy: "springbench ").dropFirst().compactMap { rest in
        let end = rest.firstIndex { "`>|;&#[\\".contains($0) } ?? rest.endIndex
        let words = Self.words(String(rest[..<end]))
        // Sentences also contain the word springbench, so a command line must be in code.
        guard words.count > 1, names.contains(words[0]),
          line.contains("bin") || line.contains("`") || line.contains("release/springbench")
            || line.trimmingPrefix(while: { $0 == " " }).hasPrefix("springbench ")
        else { return nil }
        return words
      }
    }
  }

  private static let names = Set(RootCommand.configuration.subcommands.compactMap { $0.configuration.commandName })

  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    var isOpen = false
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character == "\"" || character == "'" {
        (quote, isOpen) = (character, true)
      } else if character == " " {
        if !word.isEmpty || isOpen { words.append(word) }
        (word, isOpen) = ("", false)
      } else {
        word.append(character)
      }
    }
    return words + (!word.isEmpty || isOpen ? [word] : [])
  }
}
