import Foundation

@testable import Builds

/// Filters with which the kernel refuses system calls of a process, in the format of seccomp(2).
enum SystemCallFilter {
  /// The numbers (on x86-64) of system calls that Docker's default profile refuses to a process without capabilities.
  /// Only calls that springbench might use are listed.
  private static let refused: [UInt32] = [
    101,  // ptrace
    135,  // personality
    165, 272, 308,  // mount, unshare, setns
    248, 250,  // add_key, keyctl
    298,  // perf_event_open
    310, 312,  // process_vm_readv, kcmp
    321, 323,  // bpf, userfaultfd
  ]
  /// A newer system call. Docker reports that it does not exist, so that callers use the older `clone` instead.
  private static let missing: [UInt32] = [435]  // clone3

  static var container: Data { filter([(refused, EPERM), (missing, ENOSYS)]) }
  static var withoutCloseRange: Data { filter([([436], ENOSYS)]) }

  private static func filter(_ refusals: [(numbers: [UInt32], error: Int32)]) -> Data {
    let returnValue: UInt16 = 0x06
    var filter = instruction(0x20, 0, 0, 0)  // load the number
    for (numbers, error) in refusals {
      for number in numbers {
        filter += instruction(0x15, 0, 1, number)  // for another number, skip the refusal
        filter += instruction(returnValue, 0, 0, 0x0005_0000 | UInt32(error))
      }
    }
    return filter + instruction(returnValue, 0, 0, 0x7fff_0000)  // allow
  }

  static var canBeApplied: Bool {
    #if arch(x86_64)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["bwrap", "--dev-bind", "/", "/", "--", "true"]
      process.standardError = nil
      guard (try? process.run()) != nil else { return false }
      process.waitUntilExit()
      return process.terminationStatus == 0
    #else
      return false
    #endif
  }

  /// Returns the bytes of one instruction of a filter, in the layout of the kernel's `struct sock_filter`.
  private static func instruction(_ code: UInt16, _ yes: UInt8, _ no: UInt8, _ value: UInt32) -> Data {
    withUnsafeBytes(of: code.littleEndian) { Data($0) } + [yes, no]
      + withUnsafeBytes(of: value.littleEndian) { Data($0) }
  }
}
