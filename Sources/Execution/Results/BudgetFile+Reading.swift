import Builds
import Foundation
import Judging
import Measurements
import Platform
import TextFormat

extension BudgetFile {
  /// Returns the path of the budget file if the command line names none. If no such file exists, returns the path next
  /// to the package.
  /// - Parameter package: The package that the command line names.
  package static func defaultPath(package: String?) -> String {
    let paths = defaultPaths(package: package)
    return paths.first { access($0, F_OK) == 0 } ?? paths[paths.count - 1]
  }

  /// Returns the paths at which the budget file is looked for: in the current folder, then next to the package of
  /// benchmarks.
  static func defaultPaths(package: String?) -> [String] {
    let name = "springbench.yml"
    let current = FileManager.default.currentDirectoryPath + "/"
    let folders = (try? PackageFolder.all(package)) ?? []
    let beside = folders.map { Paths.joined($0, name) }
    return [name] + beside.map { $0.hasPrefix(current) ? String($0.dropFirst(current.count)) : $0 }
  }

  /// Returns the budget files in the usual places that are not read, because another place comes first.
  package static func passedOver(package: String?) -> [String] {
    let files = defaultPaths(package: package).filter { access($0, F_OK) == 0 }.unique(by: Paths.real)
    return Array(files.dropFirst())
  }

  package static func find(_ path: String?, package: String?) throws -> BudgetFile? {
    let name = path ?? defaultPath(package: package)
    guard path != nil || access(name, F_OK) == 0 else { return nil }
    guard Paths.isFolder(name) else { return try BudgetFile(reading: try text(of: name), path: name) }
    var file = try BudgetFile(reading: try thresholds(in: name), path: name)
    file.isTolerant = true
    return file
  }

  /// How the names of the files end that package-benchmark writes.
  static let thresholdsEnd = ".p90.json"

  /// Returns the thresholds that package-benchmark wrote into a folder, as the text of a budget file. The files are
  /// named like `Target.Name.p90.json`. Metrics that springbench does not measure are left out.
  private static func thresholds(in folder: String) throws -> String {
    let metrics = [
      "mallocCountTotal": ("allocationCount.p90", ""), "mallocBytesCount": ("allocatedBytes.p90", "B"),
      "wallClock": ("frameNanoseconds.p90", "ns"), "peakMemoryResident": ("peakResidentBytes", "B"),
    ]
    let end = thresholdsEnd
    let files = Paths.names(in: folder).filter { $0.hasSuffix(end) }.sorted()
    func name(_ file: String) -> Substring { (file.firstIndex(of: ".").map { file[$0...] } ?? "").dropFirst() }
    let rules = try files.compactMap { file -> String? in
      let data = try attempt(try InputFile("\(folder)/\(file)", sizeLimit: sizeLimit).read()) { problem in
        UsageError("--budgets: \(folder)/\(file) \(problem)")
      }
      guard var known = try? JSONDecoder().decode([String: Decimal].self, from: data) else {
        throw UsageError(
          "--budgets", "\(folder)/\(file) is not an object of numbers, as package-benchmark writes",
          remedy: "write it anew, or remove it")
      }
      // The throughput is the inverse of the time: calls per second, rounded to a whole number. The longest time that
      // gives this number becomes the limit.
      if known["wallClock"] == nil, let rate = known["throughput"], rate >= 1 {
        known["wallClock"] = Decimal((1e9 / (Double(truncating: rate as NSDecimalNumber) - 0.5)).rounded(.up))
      }
      let limits = known.sorted { $0.key < $1.key }.compactMap { name, value in
        metrics[name].map { "      \($0): \(value)\($1)\n" }
      }
      // If several targets have a benchmark of this name, its id begins with the target's name.
      let isShared = files.count { name($0) == name(file) } > 1
      let name = String((isShared ? file[...] : name(file)).dropLast(end.count))
      return limits.isEmpty ? nil : "  - ids: \(quoted("\(name)/default/*"))\n    limits:\n\(limits.joined())"
    }
    guard !rules.isEmpty else {
      throw UsageError(
        "--budgets", "\(folder) has no thresholds that can be limits here",
        remedy: "name a budget file, or a folder of files as Target.Name.p90.json")
    }
    return "version: 1\nbudgets:\n" + rules.joined()
  }

  /// Changes the text of a budget file. Several processes may do this at the same time: each sees the text that the
  /// previous process wrote.
  /// - Parameter isNamed: Whether the user named the file. It must then exist, because the name may be mistyped.
  package static func change(_ path: String, isNamed: Bool, _ body: (_ text: String, _ path: String) throws -> String)
    throws
  {
    let target = Paths.target(path)
    let folder = Paths.parent(target)
    let lock = try attempt(try FileLock.holding(folder: folder)) {
      UsageError(
        "--budgets", "\(path) cannot be written (\(folder): \($0))",
        remedy: "name a file in a folder that you may write to")
    }
    defer { withExtendedLifetime(lock) {} }
    let exists = isNamed || access(target, F_OK) == 0
    let changed = try body(exists ? try text(of: path) : "", path)
    try OutputFile(path: target, option: "--budgets").write(Data(changed.utf8))
  }

  /// The largest size of a file that is read, in bytes. A file written by hand is far smaller.
  private static let sizeLimit = 4 << 20

  package static func text(of name: String) throws(UsageError) -> String {
    // A link of the package may lead to git's settings, and an error quotes what it read.
    if Sandbox.current?.isOfGit(name) == true {
      throw UsageError("--budgets", "\(name) is a link into git's folder", remedy: "replace it with a file")
    }
    let data = try attempt(try InputFile(name, sizeLimit: sizeLimit).read()) { problem in
      problem as? InputFile.Problem == .system(.noSuchFileOrDirectory)
        ? UsageError(
          "--budgets", "\(name) is not there", remedy: "name the file, or write one with springbench gate --suggest")
        : UsageError("--budgets: \(name) \(problem)")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw UsageError("--budgets", "\(name) is not UTF-8", remedy: "save it as UTF-8")
    }
    return text
  }

  /// Returns the file with the settings of a device that the command line names. Without a device, returns the file
  /// unchanged.
  package func targeting(_ device: String?, _ document: RunDocument) throws(UsageError) -> BudgetFile {
    guard let device else { return self }
    return try attempt(try targeting(device, machineScore: document.calibration?.score)) {
      Self.refusal(of: device, $0)
    }
  }

  /// Returns a remark on how times are converted to those of a device. Nil if they are judged as measured.
  package func targetText(_ device: String?) -> String? {
    guard device != nil || cpuSlowdown != 1 else { return nil }
    return
      "Judged \(device.map { "for \($0)" } ?? "by cpuSlowdown"): times × \(Format.significant(cpuSlowdown)), \(Format.count(refreshRateHertz)) Hz."
  }

  package static func checkDevice(_ device: String?, of file: BudgetFile?) throws(UsageError) {
    guard let device else { return }
    guard let file else {
      throw UsageError("--device", "there is no budget file to define \(device)", remedy: "name one with --budgets")
    }
    _ = try attempt(try file.device(named: device)) { refusal(of: device, $0) }
  }

  private static func refusal(of device: String, _ error: any Error) -> UsageError {
    let remedy = (error as? BudgetError)?.message ?? "\(error)"
    return UsageError("--device", "there are no budgets for \"\(device)\"", remedy: remedy)
  }
}
