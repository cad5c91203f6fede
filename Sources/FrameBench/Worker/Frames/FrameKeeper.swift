/// An observer that keeps something of each recorded frame.
protocol FrameKeeper: FrameObserver {
  /// After the frame; `index` counts the recorded frames.
  func keepFrame(at index: Int)
  /// After a frame of the warm-up.
  func dropFrame()
}

extension FrameKeeper {
  func keepFrame(at index: Int) {}
  func dropFrame() {}
}
