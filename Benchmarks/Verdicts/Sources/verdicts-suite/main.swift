import FrameBench
import Work

var suite = Suite("verdicts")
for kernel in Kernel.allCases {
  suite.add(kernel.rawValue, strategies: ["work"], sizes: [1]) { _, _ in
    let work = kernel.makeWork()
    return { _, timer in
      work.call()
      timer.endFrame()
      return work.checksum
    }
  }
}
await suite.main()
