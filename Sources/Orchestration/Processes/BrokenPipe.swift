import Foundation

/// A pipe whose reader has gone: `springbench list | head`, or a child that ended without reading its input.
package enum BrokenPipe {
  /// From now on makes it an error of the write instead of ending this process.
  package static func becomesAnError() { signal(SIGPIPE, SIG_IGN) }
}
