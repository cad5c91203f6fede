import Foundation
import SystemPackage

/// The system's reason in an error that Foundation passed on.
enum SystemReason {
  /// The system's own words, as in `No such file or directory`. Never Foundation's, which speak of operations.
  static func text(_ error: any Error) -> String {
    number(error).map { String(cString: strerror($0)) } ?? "for an unknown reason"
  }

  /// As `errno` had it; nil where the system had no part in it.
  static func number(_ error: any Error) -> Int32? {
    if let problem = error as? Errno { return problem.rawValue }
    var current = error as NSError
    while current.domain != NSPOSIXErrorDomain, let cause = current.userInfo[NSUnderlyingErrorKey] as? NSError
    {
      current = cause
    }
    if current.domain == NSPOSIXErrorDomain { return Int32(current.code) }
    return current.domain == NSCocoaErrorDomain ? number(cocoaCode: current.code) : nil
  }

  private static func number(cocoaCode code: Int) -> Int32? {
    switch CocoaError.Code(rawValue: code) {
    case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
    case .fileReadNoPermission, .fileWriteNoPermission: EACCES
    case .fileReadInvalidFileName, .fileWriteInvalidFileName: EINVAL
    case .fileReadTooLarge: EFBIG
    case .fileWriteFileExists: EEXIST
    case .fileWriteOutOfSpace: ENOSPC
    case .fileWriteVolumeReadOnly: EROFS
    case .fileReadUnknown, .fileWriteUnknown: EIO
    default: nil
    }
  }
}
