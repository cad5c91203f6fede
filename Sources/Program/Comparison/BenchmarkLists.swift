import FrameBench

/// Asks the programs of a comparison for their benchmarks.
enum BenchmarkLists {
  /// By program, in the order of its suite; nil: it does not exist, and has none. Where a selection matches nothing in
  /// one of them, its list is empty; where it matches nothing in any, that is the user's error.
  static func read(
    from programs: [String?], _ selection: BenchmarkSelection
  ) async throws -> [[ListedBenchmark]] {
    try selection.check()
    var lists: [[ListedBenchmark]] = []
    var refusal: UsageError?
    for program in programs {
      do {
        let listed = try await list(program, selection)
        lists.append(listed.filter { !selection.leftOut.contains($0.id) })
      } catch let error as UsageError {
        lists.append([])
        refusal = refusal ?? error
      }
    }
    guard !lists.allSatisfy(\.isEmpty) else {
      throw refusal
        ?? UsageError(
          "nothing matched \(selection.arguments.joined(separator: " ")) in either build",
          remedy: "springbench list shows every id")
    }
    return lists
  }
}

extension BenchmarkLists {
  /// Throws if a selection names what none of some programs knows, so that a typo is found before more is built. What
  /// matches nothing in the candidate may match in the baseline; but then it was removed by a change of its name.
  static func check(_ selection: BenchmarkSelection, in paths: [String]) async throws {
    do {
      _ = try selection.selected(in: try await Catalogue(of: paths))
    } catch is BenchmarkProgram.IsEarlier {
      // It has no catalogue; what is selected is found out when both are built.
    }
  }

  private static func list(
    _ path: String?, _ selection: BenchmarkSelection
  ) async throws -> [ListedBenchmark] {
    guard let path else { return [] }
    do {
      let catalogue = try await Catalogue(of: [path])
      return try selection.selected(in: catalogue).map(ListedBenchmark.init)
    } catch is BenchmarkProgram.IsEarlier {
      return try await BenchmarkProgram(path: path).list(selection)
    }
  }
}
