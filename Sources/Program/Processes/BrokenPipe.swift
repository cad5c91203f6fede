import Foundation

/// A pipe whose reader has gone: `springbench list | head`, or a child that ended without reading its input.
enum BrokenPipe {
  /// From now on makes it an error of the write instead of ending this process.
  static func becomesAnError() { signal(SIGPIPE, SIG_IGN) }
}
