@testable import Formats
@testable import FrameBench
@testable import Measurements
@testable import Pages

extension Fixtures {
  /// Text with characters that are special in some format. It has no slash, because names in an id must not have one.
  static let hostileText = "a \"b\",c=d;e\\f|g<h>&'i`\n\tj\u{1}é 🌀{}%#\r\nk\\"

  /// The most dangerous characters, for names that appear in every line.
  static let hostileName = "s|\"<,\\\n"

  /// A document with few frames in which every name is hostile.
  static var hostile: RunDocument {
    let count = 10
    var record = naive(50, frames: count).keeping(["solve"], [])
    record.id = BenchmarkID(scenario: hostileText, strategy: hostileName, size: 50)
    record.phases[0].name = hostileText
    record.phases[0].allocations = nil
    record.counters = [hostileText: 3, "a b": 1, "a-b": 2].mapValues { CountSeries(Array(repeating: $0, count: count)) }
    var tiled = tiled(50, frames: count).keeping([], []).uncounted
    tiled.deviation = DeviationRecord(
      reference: record.id.strategy, largestDistance: 3, meanDistance: 0.25, largestDistanceFrame: 7, missingCount: 2,
      extraCount: 1, differingFrameCount: 3, frameCount: count)
    var result = document([record, tiled], frameCount: count)
    result.suite = hostileName
    result.environment.machine = hostileText
    result.environment.cpuModel = hostileText
    result.environment.commit = hostileText
    result.environment.toolchain = hostileText
    result.failures = [
      BenchmarkFailure(
        id: BenchmarkID(scenario: "f" + hostileText, strategy: hostileText, size: 1), reason: hostileText,
        standardError: "]]>\n</details>\n```\n" + hostileText)
    ]
    result.warnings = [Warning(hostileText, benchmark: record.id)]
    return result
  }

  /// Like `twoStrategies`, but with few frames, so that outputs are quick to parse.
  static var fewFrames: RunDocument {
    document([100, 10_000].flatMap { [naive($0, frames: 24), tiled($0, frames: 24)] }, frameCount: 24)
  }

  /// A document with different names that become equal in formats that allow only few characters.
  static var twins: RunDocument {
    let names = ["a b", "a_b", "a.b", "a\\b", "a\tb", "a-b", "aB", "a\u{29F5}b", "a\u{2409}b", "ĸb"]
    let records = names.map { name in
      var record = naive(50)
      record.id = BenchmarkID(scenario: name, strategy: name, size: 50)
      record.phases = names.map { PhaseRecord(name: $0, time: record.frame, allocations: nil) }
      record.counters = Dictionary(uniqueKeysWithValues: names.map { ($0, CountSeries(repeatElement(1, count: 24))) })
      return record
    }
    return document(records, frameCount: 24)
  }

  /// A document with times that are infinite or not a number.
  static var infinite: RunDocument {
    var record = naive(50)
    record.frame.alignedNanoseconds[3] = .infinity
    record.frame.pooled.max = .infinity
    record.frame.pooled.mean = .nan
    record.phases[0].time.pooled.p50 = .nan
    record.deviation = DeviationRecord(
      reference: "exact", largestDistance: .infinity, meanDistance: .nan, largestDistanceFrame: 0, missingCount: 0,
      extraCount: 0, differingFrameCount: 0, frameCount: 24)
    var result = document([record], frameCount: 24)
    result.durationSeconds = .infinity
    return result
  }

  /// A document of a run that measured nothing and had no failures.
  static var empty: RunDocument { document([]) }

  /// A benchmark that recorded no frame.
  static var frameless: RunDocument {
    var record = naive(100, frames: 1)
    let none = AllocationSeries(count: CountSeries(), bytes: CountSeries())
    let noTime = TimeRecord(
      alignedNanoseconds: [], pooled: PooledTimes(sampleCount: 0, p50: 0, p90: 0, p99: 0, max: 0, mean: 0))
    record.frame = noTime
    record.phases = [PhaseRecord(name: "solve", time: noTime, allocations: none)]
    record.allocations?.frameThread = none
    record.allocations?.otherThreads = none
    record.counters = ["activeItems": CountSeries()]
    record.memory = MemoryRecord()
    return document([record])
  }
}

/// The documents for tests that every format must pass, by name.
enum FormatFixture: String, CaseIterable, Sendable {
  case twoStrategies, troubled, oneStrategy, hostile, twins, empty, frameless, infinite

  /// The documents that can be stored. Of the other documents, one contains infinite numbers, which JSON lacks, and two
  /// contain names that a suite rejects.
  static let storable = allCases.filter { ![.infinite, .hostile, .twins].contains($0) }

  var document: RunDocument {
    switch self {
    case .twoStrategies: Fixtures.fewFrames
    case .troubled: Fixtures.troubled
    case .oneStrategy: Fixtures.document([Fixtures.naive(250, frames: 24)], frameCount: 24)
    case .hostile: Fixtures.hostile
    case .empty: Fixtures.empty
    case .frameless: Fixtures.frameless
    case .infinite: Fixtures.infinite
    case .twins: Fixtures.twins
    }
  }
}

extension Fixtures {
  /// A document in which every optional field has a value and every list has an item. Set new fields here.
  static var maximal: RunDocument {
    var result = deviating
    result.options.budgetShare = 0.5
    result.options.passSecondsLimit = 0.5
    result.options.layoutCount = 10
    let scenario = result.benchmarks[0].id.scenario
    result.options.scenarioFrames = [scenario: RunOptions.FrameCounts(recorded: result.options.frameCount, warmUp: 5)]
    result.shard = ShardRecord(index: 2, count: 3, deal: "00000000000000aa")
    result.environment.member = "build-1"
    result.environment.machineCoreCount = 8
    result.environment.coreQuota = 1.5
    result.environment.governor = "performance"
    result.environment.settings = ["MALLOC_CONF": "retain:false"]
    result.benchmarks[0].durationSeconds = 1.5
    result.benchmarks[0].addHeapFigures()
    result.benchmarks[0].callsPerFrame = 64
    result.benchmarks[0].throughput = .items(500)
    result.benchmarks[0].frame.layoutSpread = 0.0312
    result.benchmarks[0].phases[0].time.layoutSpread = 0.07
    result.benchmarks[0].counterKinds = ["activeItems": CounterKind(unit: .count, direction: .neither)]
    let record = result.benchmarks[0]
    result.benchmarks[0].budget = BudgetRecord(frames: record.frame.alignedNanoseconds, options: result.options)
    let counts = CountSeries(Array(repeating: 51_700, count: 20))
    result.benchmarks[0].instructions = InstructionRecord(
      source: .callgrind, version: "3.19.0", frames: counts, phases: [PhaseInstructions(name: "solve", frames: counts)],
      frameOverhead: 312)
    result.benchmarks[0].hardwareInstructions = InstructionRecord(
      source: .hardware, version: "1", frames: counts, phases: [PhaseInstructions(name: "solve", frames: counts)],
      frameOverhead: 0)
    result.calibration = KernelTimes(samples: [19_000, 20_000, 23_000]).map {
      CalibrationRecord(roundCount: 10_000, start: $0, end: $0)
    }
    result.summaries = [result.benchmarks[0].id.scenario: "Rows on springs follow a finger."]
    result.tolerancesPercent = [result.benchmarks[0].id.scenario: 2.5]
    result.allocationTolerances = [result.benchmarks[0].id.scenario: AllocationTolerance(count: 50, percent: 1)]
    result.cores = [result.benchmarks[0].id.scenario: 2]
    result.claims = [
      ClaimRecord(scenario: "springs", strategy: "naive", wording: "a few hundred items", itemCount: 1_000)
    ]
    result.stretches = [
      StretchRecord(
        scenario: "springs", size: 50, frameNames: (0..<24).map { $0 < 9 ? "drag" : $0 < 20 ? "fling" : "rest" })
    ]
    result.capacities = [
      CapacityRecord(
        scenario: "springs", strategy: "naive", refreshRateHertz: 120, share: 0.5, budgetNanoseconds: 4_166_666.7,
        itemCount: 90_000, exceedingItemCount: 100_000, precision: 0.12, end: .failure, failure: "it crashed",
        durationSeconds: 3,
        probes: [.init(itemCount: 100_000, runCount: 2, p50Nanoseconds: 4_100_000, p99Nanoseconds: 4_300_000)])
    ]
    result.parts = [
      RunPart(
        startedAt: result.startedAt, durationSeconds: 3, environment: result.environment,
        benchmarks: [record.id] + result.failures.map(\.id))
    ]
    return result
  }

  /// A document with a failure, a warning, and a strategy whose output deviates from that of the reference strategy.
  /// Tests damage parts of its text.
  static var deviating: RunDocument {
    var record = tiled(50)
    record.deviation = DeviationRecord(
      reference: "naive", largestDistance: 12.5, meanDistance: 0.75, largestDistanceFrame: 3, missingCount: 2,
      extraCount: 1, differingFrameCount: 2, frameCount: 24)
    var result = document([record], frameCount: 24)
    result.options.tracePath = "scroll.csv"
    result.failures = [
      BenchmarkFailure(
        id: BenchmarkID(scenario: "cradle", strategy: "naive", size: 5), reason: "it crashed",
        standardError: "Fatal error", build: .candidate)
    ]
    result.warnings = [Warning("The load is high.", benchmark: record.id)]
    return result
  }

  /// A document in which every optional field is nil.
  static var minimal: RunDocument {
    var record = naive(50).uncounted
    record.counters = [:]
    record.memory = MemoryRecord()
    var result = document([record], frameCount: 24)
    let clock = result.environment.clock
    result.environment = Environment(
      machine: "m", cpuModel: nil, coreCount: 1, memoryBytes: nil, kernel: "6", operatingSystem: nil,
      isVirtualMachine: nil, commit: nil, isDirty: nil, toolchain: "6.3", buildConfiguration: "release",
      allocator: "system", clock: clock, loadAverage: nil)
    return result
  }
}

extension BenchmarkRecord {
  /// Adds frees, net bytes and all other figures that earlier versions did not measure.
  fileprivate mutating func addHeapFigures() {
    let net = CountSeries(frame.alignedNanoseconds.indices.map { $0 % 2 == 0 ? 48 : -48 })
    for index in phases.indices { phases[index].allocations?.addFrees(net) }
    allocations?.frameThread.addFrees(net)
    allocations?.otherThreads.addFrees(net)
    allocations?.netBytes = net
    allocations?.peakHeapBytes = 217_000
    allocations?.leftHeapBytes = 0
    (memory.startNanoseconds, memory.setUpNanoseconds) = (9_310_000, 81_200)
    memory.firstFrameNanoseconds = 12_400
    (memory.warmUpNanoseconds, memory.tearDownNanoseconds) = (530_000, 20_700)
    (memory.exitNanoseconds, memory.leftFileCount, memory.otherThreadCPUNanoseconds) = (1_250_000, 0, 0)
    runSpreads = ["peakHeapBytes": 0]
  }
}

extension AllocationSeries {
  fileprivate mutating func addFrees(_ net: CountSeries) {
    freeCount = CountSeries(net.values.map { $0 < 0 ? 1 : 0 })
    freedBytes = CountSeries(net.values.map { max(0, -$0) })
    netBytes = net
  }
}
