import Foundation

/// A pipe whose reader has gone: `springbench list | head`, or a child that ended without reading its input.
package enum BrokenPipe {
  /// Makes it an error of the write, from now on, and not the end of this process.
  package static func becomesAnError() { signal(SIGPIPE, SIG_IGN) }
}
