import Foundation
import Measurements
import TextFormat
import Yams

/// Reads a budget file, and reports errors with line and column.
struct BudgetReader {
  let path: String

  private static let topKeys = ["version", "refreshRate", "share", "cpuSlowdown", "devices", "budgets", "acknowledged"]
  private static let acknowledgementKeys = ["id", "metric", "reason", "until", "baseline"]

  func read(_ text: String) throws(BudgetError) -> BudgetFile {
    // Editors on Windows begin a file with a byte order mark.
    let text = text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
    let top = try YAMLMap(root(text), called: "the file", keys: Self.topKeys, of: self)
    var file = BudgetFile(path: path)
    if let version = top["version"], version.string != "1" {
      throw error(version, "version \(version.shown) is not known; this springbench reads version 1")
    }
    if let rate = top["refreshRate"] { file.refreshRateHertz = try number(rate, "refreshRate", "as in 60") }
    if let share = top["share"] {
      file.share = try number(share, "share", "as in 0.5")
      guard file.share <= 1 else { throw error(share, "share is \(share.shown); it is above 0 and at most 1") }
    }
    if let factor = top["cpuSlowdown"] { file.cpuSlowdown = try slowdown(factor) }
    if let devices = top["devices"] { file.devices = try self.devices(devices) }
    for node in try list(top["budgets"], "budgets") { file.rules.append(try rule(node)) }
    for node in try list(top["acknowledged"], "acknowledged") {
      file.acknowledgements.append(try acknowledgement(node))
    }
    return file
  }

  private func root(_ text: String) throws(BudgetError) -> Node {
    if let name = Self.alias(in: text) {
      throw BudgetError(
        path: path, message: "the anchor &\(name) is used as *\(name), which budget files do not support; write it out")
    }
    do {
      guard let node = try Yams.compose(yaml: text) else {
        throw BudgetError(path: path, message: "the file is empty; write at least budgets:")
      }
      return node
    } catch let error as YamlError { throw BudgetError(path: path, error, in: text) } catch {
      throw error as? BudgetError ?? BudgetError(path: path, message: "\(error)")
    }
  }

  /// The name of the first YAML anchor (`&name`) that the text references (`*name`); nil if there is none. References
  /// are refused, because the parser could expand a few nested ones into an enormous document.
  private static func alias(in text: String) -> Substring? {
    let aliases = Set(text.matches(of: /(?:^|[\s\[{,:])\*([A-Za-z0-9_-]+)/).map(\.1))
    return text.matches(of: /(?:^|[\s\[{,:])&([A-Za-z0-9_-]+)/).map(\.1).first(where: aliases.contains)
  }

  private func rule(_ node: Node) throws(BudgetError) -> BudgetRule {
    let map = try YAMLMap(node, called: "a budget", keys: ["ids", "limits"], of: self)
    let ids = try map.required("ids", "a pattern for the ids, as in springs/tiled/*")
    let limits = try map.required("limits", "as in frameNanoseconds.p99: 50us")
    let pairs = try YAMLMap(limits, called: "limits", keys: nil, of: self).pairs
    guard !pairs.isEmpty else { throw error(limits, "no limits; write one, as in frameNanoseconds.p99: 50us") }
    var rule = BudgetRule(pattern: try pattern(ids), place: ids.place, limits: [])
    for (key, value) in pairs {
      let limit = try limit(key, value)
      if let twice = rule.limits.first(where: { $0.key == limit.key }) {
        throw error(key, "\(limit.key) has a limit already, at line \(twice.place.line); remove one")
      }
      rule.limits.append(limit)
    }
    return rule
  }

  private func limit(_ key: Node, _ value: Node) throws(BudgetError) -> BudgetLimit {
    let parsed = try self.key(key.string ?? "", at: key)
    guard let text = value.scalar?.string else {
      throw error(value, "the limit of \(parsed) is one value, as in 50us or '>= 10'")
    }
    do throws(BudgetError) {
      let bound = if let unit = parsed.unit { try unit.limit(text) } else { try Metric.Unit.anyLimit(text) }
      if case .ratio(let above, let below, _) = parsed, !text.contains("=") {
        throw BudgetError(
          message: "\(parsed): \(text) is ambiguous; write '>= \(text)' if \(below) should be this many "
            + "times cheaper than \(above), otherwise '<= \(text)'")
      }
      return BudgetLimit(key: parsed, bound: bound, place: value.place, keyPlace: key.place)
    } catch {
      // The unit of a misspelled metric is unknown, so the error is about its name, not about the unit.
      if case .figure(let name) = parsed, Metric.named(name.metric) == nil,
        let near = Suggestion.nearest(to: name.metric, among: Metric.all.map(\.name))
      {
        throw self.error(key, "no metric \"\(name.metric)\"; did you mean \"\(near)\"?")
      }
      throw self.error(value, error.message)
    }
  }

  private func acknowledgement(_ node: Node) throws(BudgetError) -> Acknowledgement {
    let map = try YAMLMap(node, called: "an acknowledgement", keys: Self.acknowledgementKeys, of: self)
    let id = try map.required("id", "the benchmark, as in springs/tiled/10000")
    let metric = try map.required("metric", "as in frameNanoseconds.p99")
    let reason = try map.required("reason", "why this is accepted")
    let until = try map.required("until", "the last day on which it is accepted, as in 2027-01-31")
    guard let day = until.scalar?.string, UTCTime.isDay(day) else {
      throw error(until, "until is \(until.shown); write a day as in 2027-01-31")
    }
    guard let words = reason.scalar?.string, words.contains(where: { !$0.isWhitespace }) else {
      throw error(reason, "the reason is empty; say why this is accepted")
    }
    let name = try text(metric, or: "metric is \(metric.shown); write one as in frameNanoseconds.p99")
    // Unlike a limit, an acknowledgement may omit the statistic, and then covers all statistics. Checksums have no
    // limit, but can be acknowledged.
    if name != "checksum", (try? LimitKey.parse(name + ".total")) == nil { _ = try key(name, at: metric) }
    var entry = Acknowledgement(
      pattern: try pattern(id), metric: name, reason: words, until: day, place: id.place, metricPlace: metric.place)
    if let node = map["baseline"] {
      entry.baseline = try text(node, or: "baseline is \(node.shown); write a revision as in main, or a commit's hash")
    }
    return entry
  }

  private func pattern(_ node: Node) throws(BudgetError) -> IDPattern {
    IDPattern(try text(node, or: "\(node.shown) is not a pattern of ids; write one as in springs/tiled/*"))
  }

  private func key(_ text: String, at node: Node) throws(BudgetError) -> LimitKey {
    do throws(BudgetError) { return try LimitKey.parse(text) } catch { throw self.error(node, error.message) }
  }

  private func text(_ node: Node, or problem: String) throws(BudgetError) -> String {
    guard let text = node.scalar?.string, !text.isEmpty else { throw error(node, problem) }
    return text
  }

  private func number(_ node: Node, _ name: String, _ example: String) throws(BudgetError) -> Double {
    guard let value = node.scalar.flatMap({ Double($0.string) }), value.isFinite, value > 0 else {
      throw error(node, "\(name) is \(node.shown); write a number above 0, \(example)")
    }
    return value
  }

  private func slowdown(_ node: Node) throws(BudgetError) -> Double {
    try number(node, "cpuSlowdown", "as in 4 for a device four times slower")
  }

  private func list(_ node: Node?, _ name: String) throws(BudgetError) -> [Node] {
    guard let node, !node.isNothing else { return [] }
    guard let sequence = node.sequence else { throw error(node, "\(name) is a list: begin each entry with \"- \"") }
    return Array(sequence)
  }

  fileprivate func error(_ node: Node, _ message: String) -> BudgetError {
    BudgetError(path: path, place: node.place, message: message)
  }

  private func devices(_ node: Node) throws(BudgetError) -> [TargetDevice] {
    if node.isNothing { return [] }
    return try YAMLMap(node, called: "devices", keys: nil, of: self).pairs.map { key, value throws(BudgetError) in
      try device(try text(key, or: "\(key.shown) is not the name of a device; write one, as in iphone-12"), value)
    }
  }

  private func device(_ name: String, _ node: Node) throws(BudgetError) -> TargetDevice {
    let map = try YAMLMap(node, called: "the device \(name)", keys: ["score", "cpuSlowdown", "refreshRate"], of: self)
    let speed: TargetDevice.Speed
    switch (map["score"], map["cpuSlowdown"]) {
    case (let score?, nil):
      speed = .score(try number(score, "score", "as docs/device/DeviceScore.swift prints it on the device"))
    case (nil, let factor?): speed = .slowdown(try slowdown(factor))
    default:
      throw error(
        node, "the device \(name) needs either score, as docs/device/DeviceScore.swift prints it, or cpuSlowdown")
    }
    var device = TargetDevice(name: name, speed: speed)
    if let rate = map["refreshRate"] { device.refreshRateHertz = try number(rate, "refreshRate", "as in 120") }
    return device
  }
}

extension BudgetFile {
  package init(reading text: String, path: String) throws(BudgetError) {
    self = try BudgetReader(path: path).read(text)
  }
}

/// A YAML mapping whose keys have been checked.
struct YAMLMap {
  let pairs: [(key: Node, value: Node)]
  private let node: Node
  private let name: String
  private let reader: BudgetReader

  /// - Parameter keys: The allowed keys; nil if any key is allowed.
  /// - Throws: An error if the node is not a mapping, or contains any other key.
  init(_ node: Node, called name: String, keys: [String]?, of reader: BudgetReader) throws(BudgetError) {
    guard let mapping = node.mapping else {
      throw reader.error(node, "\(name) is \(node.shown); write keys and values, as in key: value")
    }
    pairs = mapping.map { ($0.key, $0.value) }
    (self.node, self.name, self.reader) = (node, name, reader)
    guard let keys, let key = pairs.map(\.key).first(where: { !keys.contains($0.string ?? "") }) else { return }
    let remedy = Suggestion.remedy(for: key.string ?? "", among: keys, called: "the keys of \(name) are")
    throw reader.error(key, "unknown key \(key.shown); \(remedy)")
  }

  subscript(key: String) -> Node? { pairs.first { $0.key.string == key }?.value }

  func required(_ key: String, _ meaning: String) throws(BudgetError) -> Node {
    guard let value = self[key], !value.isNothing else {
      throw reader.error(node, "\(name) lacks \"\(key)\": \(meaning)")
    }
    return value
  }
}

extension Node {
  /// Whether the value is missing: the colon is followed by nothing, `~` or `null`.
  var isNothing: Bool { scalar.map { $0.style == .plain && ["", "~", "null"].contains($0.string) } ?? false }
  var place: Place { mark.map { Place(line: $0.line, column: $0.column) } ?? Place(line: 1, column: 1) }

  var shown: String {
    switch self {
    case .scalar(let scalar): "\"\(scalar.string)\""
    case .mapping: "a mapping"
    case .sequence: "a list"
    case .alias: "an alias"
    }
  }
}

extension BudgetError {
  /// Makes a one-line error from an error of the YAML parser.
  init(path: String, _ error: YamlError, in text: String) {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      self.init(
        path: path, place: Place(line: mark.line, column: mark.column),
        message: "this is not YAML: \(problem.trimmingCharacters(in: .whitespacesAndNewlines)); "
          + "check indentation, colons and quotes")
    case .duplicatedKeysInMapping(let duplicates, let context):
      let start = Place(line: context.mark.line, column: context.mark.column)
      let key = duplicates.first ?? ""
      self.init(
        path: path, place: Self.second(key, in: text, from: start) ?? start,
        message: "\"\(key)\" occurs more than once; remove one")
    default:
      let text = error.description.split(whereSeparator: \.isNewline).joined(separator: " ")
      self.init(path: path, place: nil, message: "this is not YAML: \(text); check the file")
    }
  }

  /// Returns the place of the second occurrence of a duplicate key, because the parser reports only where the mapping
  /// begins. Nil if it is not found.
  private static func second(_ key: String, in text: String, from start: Place) -> Place? {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let found = lines.indices.dropFirst(start.line - 1).filter { index in
      let line = lines[index].drop { $0 == " " || $0 == "-" }
      return [key, "\"\(key)\"", "'\(key)'"].contains { line.hasPrefix($0 + ":") }
        && lines[index].count - line.count == start.column - 1
    }
    return found.dropFirst().first.map { Place(line: $0 + 1, column: start.column) }
  }
}
