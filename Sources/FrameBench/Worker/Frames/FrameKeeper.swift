/// An observer that keeps values of each recorded frame.
protocol FrameKeeper: FrameObserver {
  /// Called after the frame; `index` counts the recorded frames.
  func keepFrame(at index: Int)
  /// Called after a frame of the warm-up.
  func dropFrame()
}

extension FrameKeeper {
  func keepFrame(at index: Int) {}
  func dropFrame() {}
}
