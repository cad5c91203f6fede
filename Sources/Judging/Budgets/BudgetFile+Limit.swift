import FrameBench
import Measurements

extension BudgetFile {
  /// The limit of a figure on this machine, as nights name figures; nil where there is none.
  package func limit(of column: String, _ id: BenchmarkID) -> (value: Double, text: String)? {
    var found: (Double, String)?
    for rule in rules where rule.pattern.matches(id) {
      for limit in rule.limits {
        guard case .figure(let name) = limit.key, name.description == column else { continue }
        let isTime = Metric.named(name.metric)?.isTimed ?? false
        let slowdown = isTime && cpuSlowdown != 1 ? " on a machine \(cpuSlowdown) times slower" : ""
        found = (
          limit.bound.value / (isTime ? cpuSlowdown : 1),
          "budget \(limit.bound.direction == .atLeast ? "≥ " : "")\(limit.bound.text)\(slowdown)"
        )
      }
    }
    return found
  }
}
