/// The recipes of docs/ci that judge pull requests on GitHub, for a package in a folder of a repository.
struct PullRequestRecipe {
  /// Path from the top of the repository; empty: the top.
  var folder: String
  /// Source of the program for CI.
  var source: NewPackage.Source

  /// Comments on pull requests; the same for every package.
  static var comment: String { String(decoding: PackageResources.github_comment_yml, as: UTF8.self) }

  /// Builds, measures and judges.
  var gate: String {
    var text = String(decoding: PackageResources.github_pull_request_yml, as: UTF8.self)
    let (sourceLine, version) =
      switch source {
      case .url(let url, let version): ("SPRINGBENCH_SOURCE: \(url.debugDescription)", version)
      case .path:
        ("SPRINGBENCH_SOURCE: \"\"      # name the URL of springbench's repository here", springBenchVersion)
      }
    text.replace(#/SPRINGBENCH_SOURCE: .*/#, with: sourceLine)
    text.replace(#/SPRINGBENCH_VERSION: "[^"]*"/#, with: "SPRINGBENCH_VERSION: \"\(version)\"")
    guard !folder.isEmpty else { return text }
    text.replace(#/shell: bash.*/#) { "\($0.output)\n        working-directory: \(folder)" }
    text.replace("path: .build", with: "path: \(folder)/.build")
    text.replace(#/( {12})(comment\.md|gate\.md|gate\.xml|results\/)\n/#) { "\($0.1)\(folder)/\($0.2)\n" }
    // The build compiles the sources of the whole repository.
    let end = "# from the content.\n"
    text.replace(end, with: "\(end)        working-directory: ${{ github.workspace }}\n")
    return text
  }
}
