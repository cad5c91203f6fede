import CInstructionCounter
import Glibc

/// The processor's counter of instructions.
package enum HardwareCounter {
  /// Why it cannot be read here, with a remedy; nil if it can.
  package static var obstacle: String? {
    let descriptor = instruction_counter_open()
    guard descriptor >= 0 else { return explanation(errorNumber: -descriptor) }
    instruction_counter_close(descriptor)
    return nil
  }

  /// - Parameter errorNumber: Error of `perf_event_open`.
  static func explanation(errorNumber: Int32) -> String {
    switch errorNumber {
    case ENOENT, EOPNOTSUPP, ENODEV: "this machine has no such counter (most virtual machines have none)"
    case EACCES, EPERM:
      "the system does not allow reading it; set kernel.perf_event_paranoid to 2 or less, and in a container"
        + " allow perf_event_open"
    case ENOSYS: "this system has no perf_event_open"
    default: "perf_event_open: \(String(cString: strerror(errorNumber)))"
    }
  }
}
