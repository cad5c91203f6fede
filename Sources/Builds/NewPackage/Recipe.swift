import TextFormat

/// A CI file from docs/ci that is written together with a new package, for the service that hosts the repository.
package struct Recipe: Sendable {
  package enum Service: Sendable { case gitHub, gitLab }

  /// The path from the top of the repository.
  package let path: String
  package let text: String
  /// What the file is for, as printed for the person who made the package.
  package let purpose: String
  /// What to do if the repository already has a file at this path.
  package var remedy = ""

  /// - Parameters:
  ///   - source: Where the jobs get springbench from.
  ///   - folder: Path of the package from the top of the repository. Empty means the top.
  package static func all(for service: Service, source: LibrarySource, in folder: String) -> [Recipe] {
    switch service {
    case .gitHub:
      let comment = String(decoding: PackageResources.github_comment_yml, as: UTF8.self)
      return [
        Recipe(
          path: ".github/workflows/springbench.yml", text: gitHub(source, in: folder),
          purpose: "the gate for pull requests on GitHub",
          remedy: "; if it is of another package, add the jobs of this one"),
        Recipe(path: ".github/workflows/springbench-comment.yml", text: comment, purpose: "comments on them"),
      ]
    case .gitLab:
      let jobs = ".gitlab/springbench.yml"
      let include = "include: [{ local: \(jobs) }]"
      return [
        Recipe(
          path: jobs, text: gitLab(source, in: folder),
          purpose:
            "the gate for merge requests on GitLab, which also comments on them with a token in GITLAB_COMMENT_TOKEN",
          remedy: "; if it is of another package, add the jobs of this one"),
        Recipe(path: ".gitlab-ci.yml", text: include + "\n", purpose: "includes it", remedy: "; add \(include)"),
      ]
    }
  }

  private static func gitHub(_ source: LibrarySource, in folder: String) -> String {
    var text = String(decoding: PackageResources.github_pull_request_yml, as: UTF8.self)
    name(source, in: &text)
    guard !folder.isEmpty else { return text }
    text.replace(#/shell: bash.*/#) { "\($0.output)\n        working-directory: \(folder)" }
    text.replace("path: .build", with: "path: \(folder)/.build")
    text.replace(#/( {12})(comment\.md|gate\.md|gate\.xml|gate-profiles\/|results\/)\n/#) {
      "\($0.1)\(folder)/\($0.2)\n"
    }
    // The step that sets the modification times of files must run in the top folder of the repository, because the
    // build also compiles files outside of the package's folder.
    let end = "# from the content.\n"
    text.replace(end, with: "\(end)        working-directory: ${{ github.workspace }}\n")
    return text
  }

  private static func gitLab(_ source: LibrarySource, in folder: String) -> String {
    var text = String(decoding: PackageResources.gitlab_ci_yml, as: UTF8.self)
    name(source, in: &text)
    guard !folder.isEmpty else { return text }
    // A job starts in the top folder of the repository, and the paths of its artifacts are relative to that folder.
    text.replace(#/before_script:\n( +- ).*/#) { "\($0.0)\n\($0.1)cd \(ShellWord.quoted([folder]))" }
    text.replace(#/(?:paths: \[|junit: |metrics: ).*/#) { line in
      line.output.replacing(#/run-\*|comparison-\*|comment\.md|gate\.(?:html|xml)|metrics\.txt|public/#) {
        "\(folder)/\($0.output)"
      }
    }
    return text
  }

  private static func name(_ source: LibrarySource, in text: inout String) {
    let (address, commit) =
      switch source {
      case .url(let url, let commit): (url.debugDescription, commit)
      case .path(_, let commit): ("\"\"      # name the URL of springbench's repository here", commit ?? "HEAD")
      }
    text.replace(#/SPRINGBENCH_SOURCE: .*/#, with: "SPRINGBENCH_SOURCE: \(address)")
    text.replace("SPRINGBENCH_COMMIT: \"HEAD\"", with: "SPRINGBENCH_COMMIT: \"\(commit)\"")
  }
}
