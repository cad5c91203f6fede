import Foundation

/// What the system said, out of one of Foundation's errors.
package enum SystemReason {
  /// The system's own words, as in `No such file or directory`; where it said nothing, Foundation's.
  package static func text(_ error: any Error) -> String {
    number(error).map { String(cString: strerror($0)) } ?? error.localizedDescription
  }

  /// As `errno` had it; nil where the system had no part in it.
  static func number(_ error: any Error) -> Int32? {
    var current = error as NSError
    while current.domain != NSPOSIXErrorDomain, let cause = current.userInfo[NSUnderlyingErrorKey] as? NSError
    {
      current = cause
    }
    return current.domain == NSPOSIXErrorDomain ? Int32(current.code) : nil
  }
}
