extension Suite {
  /// Mistakes in the suite, one sentence each, with the remedy. They are not preconditions, because preconditions print
  /// no message in release builds.
  package var problems: [String] {
    let suite = Self.isName(name) ? [] : ["the suite's name \(name.debugDescription) \(Self.nameRemedy)"]
    let names = scenarios.map(\.name)
    let twice = Set(names.filter { name in names.count { $0 == name } > 1 }).sorted().map {
      "scenario \($0.debugDescription) is in the suite twice; give each a name of its own"
    }
    return suite + scenarios.flatMap(\.problems) + twice
  }

  /// Whether a text can be a part of an id. Ids are printed on one line and used in paths.
  static func isName(_ name: some StringProtocol) -> Bool {
    // This has to be fast, because histories contain millions of names, most of which are plain letters.
    let isPlain = name.utf8.allSatisfy { 0x20..<0x7f ~= $0 && $0 != UInt8(ascii: "/") }
    return !name.isEmpty && name.utf8.count <= 500
      && (isPlain
        || !name.unicodeScalars.contains {
          $0 == "/" || $0.properties.isBidiControl || controls.contains($0.properties.generalCategory)
        })
  }

  private static let controls: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]

  static let nameRemedy = "is empty, too long, or has a slash or a control character; give a name as in springs"
}

extension Scenario {
  fileprivate var problems: [String] {
    var problems: [String] = []
    let subject = "scenario \(name.debugDescription)"
    func require(_ condition: Bool, _ problem: String) { if !condition { problems.append("\(subject) \(problem)") } }
    require(Suite.isName(name), Suite.nameRemedy)
    require(!strategies.isEmpty, "has no strategy; name at least one")
    for strategy in strategies {
      require(Suite.isName(strategy), "has a strategy \(strategy.debugDescription), which \(Suite.nameRemedy)")
    }
    require(Set(strategies).count == strategies.count, "has a strategy twice; name each once")
    require(!sizes.isEmpty, "has no size; give at least one number of items")
    require(
      sizes.allSatisfy { $0 > 0 } && Set(sizes).count == sizes.count,
      "has a size that is not above 0, or is there twice: \(sizes); give each number of items once")
    require(
      quickSizes.allSatisfy(sizes.contains), "has quick sizes beyond its own: \(quickSizes); they are some of \(sizes)")
    require(
      options.claims.allSatisfy { strategies.contains($0.strategy) && $0.itemCount > 0 },
      "has a claim about a strategy that it lacks, or about no items; name one of \(strategies)")
    require(Set(parameters.map(\.name)).count == parameters.count, "has a parameter twice; name each once")
    for parameter in parameters {
      let parts = [parameter.name] + parameter.labels
      require(
        parts.count > 1 && parts.allSatisfy { Suite.isName($0) && !$0.contains("=") }
          && Set(parameter.labels).count == parameter.labels.count,
        "has a parameter \(parameter.name.debugDescription) with no value, or with one that is empty, is there"
          + " twice, or has a slash, an equals sign or a control character: \(parameter.labels)")
    }
    require(
      tags.allSatisfy { Suite.isName($0) && !$0.contains(",") },
      "has a tag that is empty, or has a comma, a slash or a control character: \(tags)")
    require(
      options.frameCount.map { $0 > 0 } ?? true && options.warmUpFrameCount.map { $0 >= 0 } ?? true,
      "has no frames to record, or fewer than none to warm up with; give a positive number of frames")
    require(
      options.secondsPerRun.map { $0 > 0 && $0.isFinite } ?? true,
      "has \(options.secondsPerRun ?? 0) seconds for a run; give a positive number, or nil if there is no limit")
    require(options.cores.map { $0 > 0 } ?? true, "asks for \(options.cores ?? 0) cores; ask for one at least")
    require(
      options.tolerancePercent.map { $0 > 0 && $0 <= 1_000 } ?? true,
      "has a tolerance of \(options.tolerancePercent ?? 0)%; give one above 0%, up to 1,000%")
    require(
      options.allocationTolerance.map { (0...1e9).contains($0.count) && (0...1_000).contains($0.percent) } ?? true,
      "has a tolerance of allocations below 0, of more than 1,000%, or of more than a billion; give one between")
    if let unknownResult {
      require(
        false,
        "returns \(unknownResult) from its frames, which is not Hashable; return what says whether two builds show the"
          + " same, such as a number or an array of numbers, or nothing")
    }
    if let problem = throughput?.problem { require(false, "has \(problem)") }
    return problems
  }
}
