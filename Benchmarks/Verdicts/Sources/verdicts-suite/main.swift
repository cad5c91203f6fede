import FrameBench
import Work

var suite = Suite("verdicts")
for workload in Workload.all {
  suite.add(workload.name) { context in
    let feed = Feed(workload)
    return { frame, timer in
      // During the warm-up, the list stays at its first frame.
      let picture = feed.frame(max(0, frame.index - context.warmUpFrameCount))
      timer.endFrame()
      return picture
    }
  }
}
await suite.main()
