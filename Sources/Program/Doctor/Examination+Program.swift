extension Examination {
  /// How this program was built.
  var programFindings: [Finding] { [build, allocator] }

  private var build: Finding {
    let why = "A debug build is many times slower, and not by the same factor everywhere."
    guard buildConfiguration != "release" else {
      return Finding("build", .good, "This is a release build.", why: why)
    }
    return Finding(
      "build", .severe, "This is a \(buildConfiguration) build.", why: why,
      remedy: "swift build -c release, or make bench")
  }

  private var allocator: Finding {
    let why = "Allocations per frame are exact if they are counted, and jemalloc reports the live heap."
    guard live.countsAllocations else {
      return Finding(
        "allocator", .warning, "Allocations are not counted; the allocator is \(live.allocator).", why: why,
        remedy:
          "Install libjemalloc-dev, build without SPRINGBENCH_SYSTEM_ALLOCATOR, and do not preload another allocator."
      )
    }
    guard live.allocator.hasPrefix("jemalloc") else {
      return Finding(
        "allocator", .note,
        "Allocations are counted, but jemalloc is not linked: the live heap is not measured.",
        why: why, remedy: "Install libjemalloc-dev and build again.")
    }
    return Finding("allocator", .good, "Allocations are counted, and served by \(live.allocator).", why: why)
  }

  /// What other programs would add.
  var toolFindings: [Finding] {
    let tools = [
      Tool(
        program: "git", package: "git",
        use: "records the commit in every document, and is needed to compare revisions"),
      Tool(program: "valgrind", package: "valgrind", use: "counts instructions per frame, without noise"),
      Tool(program: "perf", package: "linux-perf", use: "shows in which functions a frame spends its time"),
      Tool(program: "chromium", package: "chromium", use: "checks the HTML reports in the tests"),
    ]
    return tools.map { tool in
      guard files.programs(tool.program, path: path).isEmpty else {
        return Finding(tool.program, .good, "\(tool.program) is installed.", why: "It \(tool.use).")
      }
      return Finding(
        tool.program, .note, "\(tool.program) is not installed.", why: "It \(tool.use).",
        remedy: "sudo apt-get install \(tool.package)")
    }
  }

  private struct Tool {
    var program: String
    var package: String
    var use: String
  }
}
