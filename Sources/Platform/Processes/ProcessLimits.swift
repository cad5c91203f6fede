import CProcessControl
import Foundation

/// The system's limits for this process. They are raised as far as the system allows. If a limit is still too low, the
/// program refuses to run, before anything hangs or crashes.
package enum ProcessLimits {
  package static let noThreads =
    "no more threads can be started; raise the limit of processes (ulimit -u), or of the container"

  /// Raises the limits. Returns the reason why springbench cannot run, or nil if it can.
  package static func problem() -> String? {
    let limits: [(process_control_resource, wanted: UInt64, needed: UInt64, words: String)] = [
      (process_control_stack, 8 << 20, 1 << 20, "the stack may have %ld bytes, and springbench needs %ld (ulimit -s)"),
      (process_control_files, 4_096, 64, "%ld files may be open at once, and springbench needs %ld (ulimit -n)"),
      (
        process_control_addresses, .max, 1 << 30,
        "%ld bytes of memory may be used, and springbench needs %ld (ulimit -v)"
      ),
      (process_control_cpu_seconds, .max, 60, "%ld s of CPU time may be used, and springbench needs %ld (ulimit -t)"),
    ]
    for limit in limits {
      let granted = process_control_raise_limit(limit.0, limit.wanted)
      if granted < limit.needed { return String(format: limit.words, Int(clamping: granted), Int(limit.needed)) }
    }
    // Twelve threads are enough for springbench while it measures, and for the program that it starts.
    return process_control_can_start_threads(12) ? nil : noThreads
  }
}
