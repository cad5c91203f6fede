@testable import SpringPeers
import CPeerMachine
print(machine_pin_to_one_core())
var o = Race.Options()
if CommandLine.arguments.count > 1 { o.sizes = [Int(CommandLine.arguments[1])!] }
if CommandLine.arguments.count > 2 { o.contestants = [.memoryCopyY, .bareLoopY, .engineRangeY, .memoryCopyXY, .bareLoopXY, .engineRangeXY, .engineItems] }
let r = Race(o)
print("clock", r.clockCost)
for h in try r.run(progress: { print($0) }) {
  print(h.size, h.work)
  for c in o.contestants {
    let costs = h.costs[c]!
    let b = h.costs[c.axes == .y ? .bareLoopY : .bareLoopXY]!
    let q = Ratio(costs, to: b)
    print("   ", c, Quantile.median(costs), costs.min()!, q.median, q.quartiles)
  }
}
