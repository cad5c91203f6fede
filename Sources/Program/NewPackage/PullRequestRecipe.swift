/// The recipe of `docs/ci/github-pull-request.yml`, for a package in a folder of a repository.
struct PullRequestRecipe {
  /// From the top of the repository; empty: the top.
  var folder: String
  /// What CI installs the program from.
  var source: NewPackage.Source

  private var prefix: String { folder.isEmpty ? "" : "\(folder)/" }
  private var workingDirectory: String { folder.isEmpty ? "" : "\n        working-directory: \(folder)" }
  /// The sources of the whole repository are compiled.
  private var fromTheTop: String {
    folder.isEmpty ? "" : "        working-directory: ${{ github.workspace }}\n"
  }
  private var sourceLine: String {
    switch source {
    case .url(let url, _): "SPRINGBENCH_SOURCE: \(url.debugDescription)"
    case .path: "SPRINGBENCH_SOURCE: \"\"      # name the URL of springbench's repository here"
    }
  }
  private var version: String {
    switch source {
    case .url(_, let version): version
    case .path: springBenchVersion
    }
  }

  var text: String {
    """
    # .github/workflows/springbench.yml: shuts the gate on a pull request that makes frames slower, allocate
    # more, or show something else, and says so in one comment that is kept up to date.
    name: frames
    on: pull_request

    permissions:
      contents: read                # of both jobs; what is measured is the code of others

    env:
      \(sourceLine)
      SPRINGBENCH_VERSION: "\(version)"  # a tag of that repository, and the version of FrameBench here
      SPRINGBENCH_HOME: /opt/springbench

    concurrency:
      group: springbench-${{ github.ref }}
      cancel-in-progress: true

    jobs:
      gate:
        runs-on: ubuntu-latest
        container: swift:6.3
        timeout-minutes: 30
        defaults:
          run:
            shell: bash             # a container's default is sh\(workingDirectory)
        steps:
          - uses: actions/checkout@v4
            with:
              fetch-depth: 0          # the base branch is built too
              persist-credentials: false
          - name: Install what builds need
            run: |
              apt-get update
              apt-get install -y --no-install-recommends git libjemalloc-dev make pkg-config
              git config --global --add safe.directory "$GITHUB_WORKSPACE"
          - uses: actions/cache/restore@v4
            id: program
            with:
              path: ${{ env.SPRINGBENCH_HOME }}
              key: springbench-program-${{ env.SPRINGBENCH_VERSION }}
          - name: Install springbench           # once for each version
            run: |
              if [[ $("$SPRINGBENCH_HOME/bin/springbench" --version 2>/dev/null) != "$SPRINGBENCH_VERSION" ]]; then
                source=$(mktemp -d)
                git clone --quiet --depth 1 --branch "$SPRINGBENCH_VERSION" "$SPRINGBENCH_SOURCE" "$source"
                make -C "$source" install PREFIX="$SPRINGBENCH_HOME"
              fi
          - uses: actions/cache/save@v4
            if: steps.program.outputs.cache-hit != 'true'
            with:
              path: ${{ env.SPRINGBENCH_HOME }}
              key: springbench-program-${{ env.SPRINGBENCH_VERSION }}
          - uses: actions/cache/restore@v4      # builds of revisions are kept there, by commit
            with:
              path: \(prefix).build
              key: springbench-${{ github.base_ref }}-${{ github.sha }}
              restore-keys: springbench-${{ github.base_ref }}-
          - name: Give each file a time
            # SwiftPM compiles files whose time changed, and a checkout gives all of them a new one. This one follows
            # from the content.
    \(fromTheTop)        run: |
              git ls-files -sz | while read -r -d "" mode hash stage file; do
                touch -h -d "@$((16#${hash:0:7})).$((268435456 + 16#${hash:7:7}))" "$file"
              done
          - name: Gate                          # builds the benchmarks of both revisions, and measures
            env:
              BASE: origin/${{ github.base_ref }}
            run: |
              "$SPRINGBENCH_HOME/bin/springbench" gate --baseline "$BASE" --report github-comment=comment.md \\
                --report markdown=gate.md --report junit=gate.xml
          - name: Keep the cache small          # what this job did not use, and what takes seconds to make again
            if: always()
            run: |
              mkdir -p .build/springbench/revisions/builds
              find .build/springbench/revisions/builds -mindepth 1 -maxdepth 1 \\
                '(' -mmin +120 -o -name '*-orders*' ')' -exec rm -rf {} +
          - uses: actions/cache/save@v4
            if: always()                        # the next push starts from here, whatever the gate says
            with:
              path: \(prefix).build
              key: springbench-${{ github.base_ref }}-${{ github.sha }}
          - uses: actions/upload-artifact@v4
            if: always()
            with:
              name: springbench
              path: |
                \(prefix)comment.md
                \(prefix)gate.md
                \(prefix)gate.xml
                \(prefix)results/

      comment:                      # runs no code of the pull request, so it may write
        needs: gate
        # The token of a fork's pull request can only read: its report is the artifact, and the job's summary.
        if: always() && github.event.pull_request.head.repo.full_name == github.repository
        runs-on: ubuntu-latest
        timeout-minutes: 5
        permissions:
          pull-requests: write
        steps:
          - uses: actions/download-artifact@v4
            with:
              name: springbench
          - uses: actions/github-script@v7
            with:
              script: |
                const fs = require('fs')
                if (!fs.existsSync('comment.md')) return
                const mark = '<!-- springbench -->'
                const text = mark + '\\n' + fs.readFileSync('comment.md', 'utf8')
                const at = { owner: context.repo.owner, repo: context.repo.repo }
                const all = await github.paginate(
                  github.rest.issues.listComments, { ...at, issue_number: context.issue.number })
                const mine = all.find((comment) =>
                  comment.user?.login === 'github-actions[bot]' && comment.body.startsWith(mark))
                if (mine) await github.rest.issues.updateComment({ ...at, comment_id: mine.id, body: text })
                else await github.rest.issues.createComment({ ...at, issue_number: context.issue.number, body: text })

    """
  }
}
